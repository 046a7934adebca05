import { Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import type { Fn } from './handler.ts'
import { afterMacrotask, inMicrotask } from '../execution/native.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { running } from '../execution/running.ts'
import { listenerCount, listenersFor } from './listeners.ts'
import { thingsOfCall } from './real-things.ts'

/**
 * Events of things outside that nobody listens to yet. What came before may still wait for its turn when the platform emits them, and only whoever gets that asks
 * for them, as in `await once(worker, 'message'); await once(worker, 'exit')`.
 */

const last = new Set<unknown>(['end', 'finish', 'disconnect', 'exit', 'close'])

export const isLast = (event: unknown): boolean => last.has(event)

/** Those that the platform tells of by a call of its own each, so that whoever is told of one may listen anew before the next. */
const apart = new Set<unknown>(['message', 'data', 'connection', 'secureConnection', 'session', 'request', 'stream', 'line'])

/** What the platform does in one go, before the next microtask. */
let go: object | undefined

function thisGo(): object {
  if (go === undefined) {
    go = {}
    inMicrotask(() => (go = undefined))
  }
  return go
}

type Waits = (execution: Execution, emitter: object, event: unknown, args: readonly unknown[]) => void

let waits: Waits | undefined

/** Calls back when what is emitted has to wait for its turn, as somebody may listen to it by then. */
export function whenMissed(callback: Waits): void {
  waits = callback
}

interface Followed {
  readonly execution: Execution
  /** By event: the go in which somebody was told of it last. */
  readonly told: Map<unknown, object>
  /** By event: what it was emitted with while something waited. Of last events there is one. */
  readonly missed: Map<unknown, (readonly unknown[])[]>
}

const followed = new WeakMap<object, Followed>()

/** After which step, by its number, something emitted last what somebody had asked for, and which may wait for its turn. */
const heard = new PerExecution<{ after: number | undefined }>(() => ({ after: undefined }))

/** The body asks for what comes from this, or has made it. */
export function followToEnd(execution: Execution, emitter: object): void {
  if (followed.get(emitter)?.execution !== execution) followed.set(emitter, { execution, told: new Map(), missed: new Map() })
}

/** The same of all things outside that a call is about. */
export function followThings(execution: Execution, receiver: unknown, args: readonly unknown[] = []): void {
  for (const thing of thingsOfCall(receiver, args)) followToEnd(execution, thing)
}

/** Something emits an event: perhaps before those go on whom it has told of the one before. In a plain run they come before the next step. */
export function isEmitting(emitter: object, event: unknown, args: readonly unknown[]): void {
  const known = followed.get(emitter)
  if (!known || known.execution.foreign.isClosed) return
  const { execution, told, missed } = known
  const isHeard = listenerCount(emitter, event) > 0
  const before = heard.of(execution)
  const isToldNow = before.after === execution.stepCount
  if (last.has(event) && (isToldNow || (before.after !== undefined && !execution.keepsTurns) || (running === null && (before.after !== undefined || execution.hasMore)))) missed.set(event, [args])
  else if (apart.has(event) && !isHeard && running === null && (isToldNow || execution.hasMore) && (event === 'message' || (told.has(event) && told.get(event) !== thisGo()))) {
    missed.set(event, [...(missed.get(event) ?? []), args])
    waits?.(execution, emitter, event, args)
  }
  if (!isHeard) return
  before.after = execution.stepCount
  if (apart.has(event)) told.set(event, thisGo())
}

/** A listener was added by the running step. If the event came while something waited that came before it, the listener hears of it now. */
export function hearOfMissed(execution: Execution, emitter: object, { event, isFirst }: { readonly event: unknown; readonly isFirst: boolean }): void {
  const known = followed.get(emitter)
  const missed = known?.execution === execution ? known.missed.get(event) : undefined
  if (missed === undefined || missed.length === 0) return
  const listeners = (): Fn[] => listenersFor(emitter, event)
  const listener = listeners().at(isFirst ? 0 : -1)!
  // As the platform would tell of it later: while no step runs.
  const { foreign } = execution
  foreign.expects()
  const tell = (): void => {
    if (!foreign.isClosed && listeners().includes(listener)) {
      const args = last.has(event) ? missed[0]! : missed.shift()
      if (args) Reflect.apply(listener, emitter, args)
      if (!last.has(event) && missed.length > 0 && listeners().includes(listener)) return afterMacrotask(tell)
    }
    foreign.came()
  }
  afterMacrotask(tell)
}
