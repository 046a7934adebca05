import { algorithms } from './algorithms.ts'
import { describeCounted } from './counted.ts'
import { largeOnes } from './large.ts'

describeCounted('large programs', largeOnes, algorithms)
