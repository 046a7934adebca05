import { communication } from './communication.ts'
import { deadlocks } from './deadlocks.ts'
import { describeExact } from './exact.ts'
import { lockFree } from './lock-free.ts'
import { mixtures } from './mixtures.ts'
import { mutualExclusion } from './mutual-exclusion.ts'
import { spawning } from './spawning.ts'
import { waiting } from './waiting.ts'

describeExact('shapes of communication', communication)
describeExact('mutual exclusion', mutualExclusion)
describeExact('lock-free algorithms', lockFree)
describeExact('waiting', waiting)
describeExact('deadlocks', deadlocks)
describeExact('spawning and joining', spawning)
describeExact('mixtures', mixtures)
