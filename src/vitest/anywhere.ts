/** What `src/index.ts` exports, in a browser, and for who resolves imports without asking for what is for Node. */
import * as modules from './whole.ts'
import { wholeHere } from './whole-here.ts'

export const { at, defineDriver, dporTest, explore, io, resource } = wholeHere() ?? modules
