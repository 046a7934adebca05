import { validity } from '../../src/engine/validity.ts'
import { algorithms } from './algorithms.ts'
import { describeCounted } from './counted.ts'
import { largest } from './large.ts'

// Too many steps for checks that look at every two of them.
validity.checked = false

describeCounted('largest programs', largest, algorithms.filter(({ blocks }) => !blocks))
