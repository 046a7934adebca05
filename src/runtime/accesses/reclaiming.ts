import type { Execution } from '../execution/execution.ts'
import { tellingFirst, type CallPlatform, type Fn, type Handler } from './handler.ts'

/** Functions by which a body asks whether memory is reclaimed. An execution keeps what it has seen, so it never is: nothing could be said of such a test but that. */

const { process, gc } = globalThis as { readonly process?: NodeJS.Process; readonly gc?: Fn }
const v8 = process?.getBuiltinModule?.('node:v8') as Partial<Record<string, Fn>> | undefined

const reason = 'the body asks whether memory is reclaimed, and an exploration keeps what it has seen: ask that in a plain test'

const givesUp = (execution: Execution): void => execution.giveUp(reason)

export function reclaimingHandlers(call: CallPlatform): (readonly [Fn, Handler])[] {
  const asking = [gc, v8?.getHeapSnapshot, v8?.writeHeapSnapshot].filter((fn) => fn !== undefined)
  const flags = v8?.setFlagsFromString
  return [
    ...asking.map((fn) => [fn, tellingFirst(call, fn, givesUp)] as const),
    ...(flags ? [[flags, tellingFirst(call, flags, (execution, _receiver, [flag]) => {
      if (/^--?expose[-_]gc/.test(String(flag))) givesUp(execution)
    })] as const] : []),
  ]
}
