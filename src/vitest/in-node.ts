/** What `src/index.ts` exports, in Node. */
import { whole } from './own-script.ts'

export const { at, defineDriver, dporTest, explore, io, resource } = whole()
