import { validity } from '../../src/engine/validity.ts'
import { algorithms } from './algorithms.ts'
import { describeCounted } from './counted.ts'
import { largeOnes } from './large.ts'

// Too many steps for checks that look at every two of them.
validity.checked = false

describeCounted('large programs', largeOnes, algorithms)
