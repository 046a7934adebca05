import { Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import type { Fn } from './handler.ts'
import { afterMacrotask } from '../execution/native.ts'
import { listenerCount } from './listeners.ts'
import { isObject } from './telling.ts'
import { hearBetween } from './watching.ts'

/**
 * How things outside end. What came from one of them may still wait for its turn when the platform emits its last events, and only whoever gets
 * that asks for those: `await once(worker, 'message'); await once(worker, 'exit')`.
 */

const last = new Set<unknown>(['end', 'finish', 'disconnect', 'exit', 'close'])

interface Followed {
  readonly execution: Execution
  /** It has emitted what somebody had asked for, and may wait for its turn. */
  hasEmitted: boolean
  /** By event: what it was emitted with after that. */
  readonly ended: Map<unknown, readonly unknown[]>
}

const followed = new WeakMap<object, Followed>()

/** The body asks for what comes from this. */
export function followToEnd(execution: Execution, emitter: object): void {
  if (followed.get(emitter)?.execution !== execution) followed.set(emitter, { execution, hasEmitted: false, ended: new Map() })
}

const emitters = (globalThis.process?.getBuiltinModule?.('node:events') as { EventEmitter: { prototype: Record<'emit' | 'rawListeners', Fn> } } | undefined)?.EventEmitter.prototype

if (emitters) {
  hearBetween(emitters.emit, (emitter, [event, ...args]) => {
    const known = isObject(emitter) ? followed.get(emitter) : undefined
    if (!known || known.execution.foreign.isClosed) return
    if (known.hasEmitted && last.has(event)) known.ended.set(event, args)
    if (listenerCount(emitter as object, event) > 0) known.hasEmitted = true
  })
}

/** A listener was added by the running step. If the event came while something waited that came before it, the listener hears of it now. */
export function hearOfEnding(execution: Execution, emitter: object, { event, isFirst }: { readonly event: unknown; readonly isFirst: boolean }): void {
  const known = followed.get(emitter)
  const args = known?.execution === execution ? known.ended.get(event) : undefined
  if (args === undefined) return
  const listeners = (): Fn[] => Reflect.apply(emitters!.rawListeners, emitter, [event]) as Fn[]
  const listener = listeners().at(isFirst ? 0 : -1)!
  // As the platform would tell of it later: while no step runs.
  const { foreign } = execution
  foreign.expects()
  afterMacrotask(() => {
    if (!foreign.isClosed && listeners().includes(listener)) Reflect.apply(listener, emitter, args)
    foreign.came()
  })
}
