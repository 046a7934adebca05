/** All that a test worker needs which explores. Built, it is one script (`own-script.ts`). */
export { at, defineDriver, io, resource } from '../runtime/index.ts'
export { dporTest } from './dpor-test.ts'
export { explore } from './explore.ts'
export { prepare } from './explores.ts'
