import type { Execution } from '../execution/execution.ts'
import { tellingFirst, type CallPlatform, type Fn, type Handler } from './handler.ts'

/**
 * Functions by which a body asks for what no exploration can tell. Whether memory is reclaimed: an execution keeps what it has seen, so it never is. What
 * `fs.watchFile` finds: Node looks at the file from time to time, by a clock of its own, and tells of the times at which it was changed.
 */

const { process, gc } = globalThis as { readonly process?: NodeJS.Process; readonly gc?: Fn }
const v8 = process?.getBuiltinModule?.('node:v8') as Partial<Record<string, Fn>> | undefined

const reason = 'the body asks whether memory is reclaimed, and an exploration keeps what it has seen: ask that in a plain test'

const givesUp = (execution: Execution): void => execution.cut.giveUp(reason)

const files = process?.getBuiltinModule?.('node:fs') as Partial<Record<string, Fn>> | undefined

const ofFiles = 'the body calls fs.watchFile, which looks at the file by a clock that is real: put a fake in its place'

export function handlersOfUnexplored(call: CallPlatform): (readonly [Fn, Handler])[] {
  const asking = [gc, v8?.getHeapSnapshot, v8?.writeHeapSnapshot].filter((fn) => fn !== undefined)
  const flags = v8?.setFlagsFromString
  return [
    ...[files?.watchFile].filter((fn) => fn !== undefined).map((fn) => [fn, tellingFirst(call, fn, (execution) => execution.cut.giveUp(ofFiles))] as const),
    ...asking.map((fn) => [fn, tellingFirst(call, fn, givesUp)] as const),
    ...(flags ? [[flags, tellingFirst(call, flags, (execution, _receiver, [flag]) => {
      if (/^--?expose[-_]gc/.test(String(flag))) givesUp(execution)
    })] as const] : []),
  ]
}
