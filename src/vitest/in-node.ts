/** What `src/index.ts` exports, in Node. */
import { whole } from './own-script.ts'

export const { at, dporTest, explore, io, resource } = whole()
