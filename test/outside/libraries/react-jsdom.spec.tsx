// @vitest-environment jsdom
import { searchRaces } from './search'

searchRaces('react in jsdom')
