/**
 * Runs first in every test worker: instrumented files need their runtime before they load. Of a test file that explores nothing the plain
 * expressions are all that is evaluated, and the runtime of explorations, which takes time to load, stays where it is.
 */
import { allAtOnce, allHeld, globalName, namingName } from '../runtime/calls/emitted.ts'
import { installInert } from '../runtime/calls/inert.ts'
import type { HeldFile } from '../testing/held/held-file.ts'
import { loadWhole } from './load-whole.ts'
import { expectTestsOverAtOnce } from './ordinary/file-at-once.ts'
import { expectTestsHeld } from './ordinary/file-held.ts'
import { tellIfTooLate } from './ordinary/too-late.ts'

if (Reflect.get(globalThis, namingName) !== null) (await loadWhole()).prepare()
else {
  if (!globalThis[globalName]) installInert()
  const held = Reflect.get(globalThis, allHeld) as HeldFile | undefined
  if (held) expectTestsHeld(held)
  else if (Reflect.get(globalThis, allAtOnce) === true) expectTestsOverAtOnce(async () => (await loadWhole()).prepare())
  else tellIfTooLate()
}
