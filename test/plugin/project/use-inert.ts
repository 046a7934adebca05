// Names dporTest: without it the files of this project would stay as they are.
import { globalName } from '../../../src/runtime/calls/emitted.ts'
import { inert } from '../../../src/runtime/calls/inert.ts'

// The plugin's own setup has run before this file.
if (!globalThis[globalName]) throw new Error('the runtime was not set up first')
globalThis[globalName] = inert
