import { Reflect } from '../../engine/intrinsics.ts'
import { emissionBegins } from '../events/bursts.ts'
import { errsLater } from '../execution/late-ends.ts'
import { isEmitting } from './endings.ts'
import type { Fn } from './handler.ts'
import { listenerCount, listenersFor } from './listeners.ts'
import { callInStep } from './calls-of-listeners.ts'
import { emissionInTurn, isHeldAlready, type InTurn } from './real-callbacks.ts'
import { isObject } from './telling.ts'
import type { Hearing } from './watching.ts'

/**
 * What the platform emits while no step runs. Its own listeners, by which everything goes on, are called at once; but where the program has put one of its own before
 * them, which waits for its turn, they come behind that.
 */

const module = globalThis.process?.getBuiltinModule?.('node:events') as unknown as typeof import('node:events') | undefined
const prototype = module?.EventEmitter.prototype as unknown as Record<'emit', Fn> | undefined

/** Something emits an event while no step runs. */
export function emitsBetween(emitter: unknown, [event, ...args]: readonly unknown[]): ReturnType<Hearing> {
  if (!isObject(emitter)) return undefined
  if (event === 'clientError' && isObject(args[1]) && errsLater(args[1], args[0])) return { returns: true }
  const ends = emissionBegins(emitter)
  isEmitting(emitter, event, args)
  const inTurn = emissionInTurn(emitter, event)
  if (!inTurn) return ends
  try {
    emit(inTurn, { emitter, event, args })
  } finally {
    ends()
  }
  return { returns: true }
}

interface Emitted {
  readonly emitter: object
  readonly event: unknown
  readonly args: readonly unknown[]
}

function emit({ execution, site, waits }: InTurn, { emitter, event, args }: Emitted): void {
  const monitor = module!.errorMonitor
  if (event === 'error' && listenerCount(emitter, monitor) > 0) Reflect.apply(prototype!.emit, emitter, [monitor, ...args])
  let isBehind = false
  for (const listener of listenersFor(emitter, event)) {
    if (isHeldAlready(listener)) isBehind = true
    else if (isBehind) {
      // Node may have taken it away by then.
      waits(args, { run: () => callInStep(execution, { fn: listener, receiver: emitter, args, site }), isWanted: () => listenersFor(emitter, event).includes(listener) })
      continue
    }
    Reflect.apply(listener, emitter, args)
  }
}
