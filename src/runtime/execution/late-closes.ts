import { Math, Object, Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from './execution.ts'
import { inMicrotask } from './native.ts'
import { running } from './running.ts'
import { Turn } from './turns.ts'

/**
 * What is closed. Node tells of it in the last phase of a turn of its event loop: behind the immediates of whoever has closed it in a callback of a timer or of the platform, and of whoever
 * was told before of the same; but before those that are set by immediates of that turn.
 */

type Fn = (...args: readonly unknown[]) => unknown

const none: readonly never[] = []

/** What the platform does in one go while no step runs. */
export interface Go {
  /** The step that has taken what has come of it. */
  step?: number
}

/** A handle that is being closed: of a socket, a pipe, a process. */
export class Closing {
  /** The place of what is told of that. Undefined where nothing is known of it. */
  turn: Turn | undefined
  /** The step that has closed it, if nothing but its immediates, and those of others, can come before that. */
  by: number | undefined
  /** The step that has set immediates of the same turn of the event loop. */
  batch: number | undefined
  /** That in which it was closed, if that was in no step. */
  readonly go: Go | undefined

  constructor(go: Go | undefined) {
    this.go = go
  }
}

let now: Go | undefined

/** What the platform does now, up to the next microtask. */
export function goOfNow(): Go {
  if (now) return now
  const begun: Go = (now = {})
  inMicrotask(() => (now = undefined))
  return begun
}

let told: Closing | undefined

/** That of which Node tells now. */
export const toldNow = (): Closing | undefined => told

let isFollowing = false

/** From now on what is closed is known: by what Node has beneath its sockets. It is deprecated to ask for that. */
export function followCloses(binding: (name: 'tcp_wrap') => Readonly<Record<string, unknown>> | undefined): void {
  if (isFollowing) return
  isFollowing = true
  const type = binding('tcp_wrap')?.['TCP']
  // What all handles inherit from.
  for (let holder = typeof type === 'function' ? (type.prototype as object | null) : null; holder; holder = Reflect.getPrototypeOf(holder)) {
    if (Object.hasOwn(holder, 'close')) return void Reflect.set(holder, 'close', followed(Reflect.get(holder, 'close') as Fn))
  }
}

const followed = (close: Fn): Fn =>
  function (this: object, isClosed, ...args) {
    if (typeof isClosed !== 'function') return Reflect.apply(close, this, [isClosed, ...args])
    const closing = new Closing(running ? undefined : goOfNow())
    running?.foreign.lateCloses.closes(running, closing)
    const tells = function (this: unknown, ...given: unknown[]): unknown {
      told = closing
      inMicrotask(() => {
        if (told === closing) told = undefined
      })
      return Reflect.apply(isClosed, this, given)
    }
    return Reflect.apply(close, this, [tells, ...args])
  }

/** Who is told that something is closed. */
interface Told {
  readonly closing: Closing
  /** The steps in which somebody was told of the same before. */
  readonly after: readonly number[]
  readonly wake: () => void
}

/** What one execution knows of that. */
export class LateCloses {
  readonly #immediates = new Set<Turn>()
  #isCallback = false
  /** The number of the running step, if it has done anything of that. */
  #step = 0
  /** What the running step has set. */
  #set: Turn[] = []
  /** What it has closed. */
  #closed: Closing[] = []
  /** Those who are told once it is over. */
  #told: Told[] = []
  /** What has a place. */
  readonly #placed = new Set<Closing>()

  /** The running step is a callback of a timer or of the platform, which has come of this. */
  callbackBegins(execution: Execution, go?: Go): void {
    this.#isCallback = true
    this.#step = execution.search.step
    if (go && execution.accesses.isExploring) go.step = this.#step
  }

  /** The running step sets one. */
  setsImmediate(turn: Turn | undefined): void {
    if (!turn) return
    this.#step = turn.step
    this.#immediates.add(turn)
    this.#set.push(turn)
  }

  /** The running step closes something. */
  closes(execution: Execution, closing: Closing): void {
    this.#step = execution.search.step
    this.#closed.push(closing)
  }

  /** Somebody can be told as far as others are concerned who are to be told before. */
  tells(execution: Execution, one: Told): void {
    // By the end of a step all its immediates are known, and what happens before it.
    if (!execution.isBetweenSteps) this.#told.push(one)
    else this.#tell(execution, one, { hasSet: false })
  }

  /** A step is over. `turn`: its place among its like. */
  stepEnds(execution: Execution, turn: Turn | undefined): void {
    const [set, closed, all] = [this.#set, this.#closed, this.#told]
    const isCallback = this.#isCallback
    this.#isCallback = false
    if (set.length + closed.length + all.length === 0) return
    this.#set = []
    this.#closed = []
    this.#told = []
    const batch = turn && this.#immediates.has(turn) ? turn.step : undefined
    if (execution.accesses.isExploring && (isCallback || batch !== undefined)) {
      for (const closing of closed) {
        if (batch === undefined) closing.by = this.#step
        closing.batch = batch ?? this.#step
      }
    }
    for (const one of all) this.#tell(execution, one, { hasSet: set.length > 0 })
    if (batch !== undefined) this.#putBehind(execution, set, batch)
  }

  /** `hasSet`: the step that ends has set immediates. */
  #tell(execution: Execution, { closing, after, wake }: Told, { hasSet }: { readonly hasSet: boolean }): void {
    closing.batch ??= closing.go?.step
    if (execution.accesses.isExploring) this.#place(execution, closing, { after, hasSet })
    wake()
  }

  #place(execution: Execution, closing: Closing, { after, hasSet }: { readonly after: readonly number[]; readonly hasSet: boolean }): void {
    const { by, batch, go } = closing
    // Where a step has closed it of which nothing is known, it may be told of that before its immediates, and so may who was told by the step itself.
    const steps = by !== undefined ? [...after, by] : go ? after : none
    const before = [...this.#immediates].filter((one) => steps.some((step) => one.wasPutInBy(step)) || (batch !== undefined && one.step === batch))
    if (before.length === 0 && !hasSet) return
    const turn = new Turn(execution, none, { step: Math.max(...steps, batch ?? 0) })
    for (const one of before) turn.follow(execution, one)
    closing.turn = turn
    this.#placed.add(closing)
  }

  /** What immediates of a batch have set comes in the next turn of the event loop. */
  #putBehind(execution: Execution, set: readonly Turn[], batch: number): void {
    for (const closing of this.#placed) {
      if (closing.turn!.isOver) this.#placed.delete(closing)
      else if (closing.batch === batch) for (const one of set) one.follow(execution, closing.turn!)
    }
  }
}
