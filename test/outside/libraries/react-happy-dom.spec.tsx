// @vitest-environment happy-dom
import { searchRaces } from './search'

searchRaces('react in happy-dom')
