import { describeExact } from './exact.ts'
import { fromPapers, severalAccesses, smallOnes } from './programs.ts'

describeExact('programs of the papers', fromPapers)
describeExact('small programs', smallOnes)
describeExact('programs whose steps have several accesses', severalAccesses)
