import { algorithms } from './algorithms.ts'
import { describeCounted } from './counted.ts'
import { largest } from './large.ts'

describeCounted('largest programs', largest, algorithms.filter(({ blocks }) => !blocks))
