import { Number } from '../../engine/intrinsics.ts'
import type { Timer } from '../execution/timer.ts'
import type { Execution } from '../execution/execution.ts'
import { deferred, type Deferred } from '../promises/capability.ts'
import type { FakeClock } from './fake-clock.ts'
import { millisecondsIn } from './sinon-clock.ts'

/** How far time moves: by so much, to the next timer, until there are no timers, or to the last one that is there. */
export type Distance = { readonly by: 'tick' | 'next' | 'all' | 'last'; readonly value?: unknown }

/** Time that moves while somebody waits for it. */
export interface Advance {
  /** A callback that it called has thrown. */
  failed(error: unknown): void
  /** The time of day was set forward by so much. */
  timeIsSet(forward: number): void
  timerIsSet(): void
}

/**
 * The forms of a fake clock that return a promise: between one moment and the next, all that can run does. So they are rounds that
 * come when nothing else can run, as timers of virtual time do; each of them makes the timers of one moment ready.
 */
export function advanceAsync(execution: Execution, clock: FakeClock, distance: Distance): Promise<unknown> {
  return new Rounds(execution, clock, distance).promise
}

class Rounds implements Advance {
  readonly #execution: Execution
  readonly #clock: FakeClock
  readonly #by: Distance['by']
  readonly #record: Deferred
  /** Of virtual time. */
  readonly #timer: Timer
  #next: () => void
  /** Rounds of the clock when this one was put off. */
  #seen: number
  #end = Infinity
  #left: number
  #error: { readonly thrown: unknown } | undefined

  constructor(execution: Execution, clock: FakeClock, { by, value }: Distance) {
    this.#execution = execution
    this.#clock = clock
    this.#by = by
    this.#left = by === 'next' ? 1 : by === 'all' ? clock.clock.loopLimit : Infinity
    this.#record = deferred(execution)
    execution.clock.movesFakeClock = true
    clock.moves(execution)
    this.#seen = clock.rounds
    const begin = (): void => {
      const { clock: sinon } = clock
      if (by === 'tick') this.#end = sinon.now + millisecondsIn(value)
      if (by === 'last') this.#end = clock.last?.callAt ?? sinon.now
      clock.advances.add(this)
      sinon.duringTick = true
      this.#next = () => this.#round()
      if (by === 'last') this.#later()
      else this.#round()
    }
    this.#next = begin
    const request = { name: 'time', callback: () => this.#go(), delay: 0, repeats: false, site: this.#record.site }
    this.#timer = execution.clock.start(execution, request)
  }

  get promise(): Promise<unknown> {
    return this.#record.promise
  }

  failed(error: unknown): void {
    this.#error ??= { thrown: error }
  }

  timeIsSet(forward: number): void {
    this.#end += forward
  }

  timerIsSet(): void {}

  /** Somebody else may have moved time on meanwhile: then all that comes of that is first. */
  #go(): void {
    if (this.#clock.looksAtRounds(this.#execution) === this.#seen) this.#next()
    else this.#later()
  }

  /** Once more, when nothing else can run. */
  #later(): void {
    this.#seen = this.#clock.rounds
    this.#execution.clock.schedule(this.#timer)
  }

  #round(): void {
    const clock = this.#clock
    const { clock: sinon } = clock
    clock.moves(this.#execution)
    clock.native('runMicrotasks')
    const { next } = clock
    if (this.#by === 'next' && next.length > 1) clock.looksAtOrder(this.#execution, next[0]!)
    const due = this.#by === 'next' ? next.slice(0, 1) : next
    if (due.length === 0 || due[0]!.callAt > this.#end || (this.#by !== 'all' && this.#left === 0)) return this.#finish()
    if (this.#left === 0) this.failed(new Error(`Aborting after running ${sinon.loopLimit} timers, assuming an infinite loop!`))
    if (this.#left === 0) return this.#finish()
    this.#left--
    if (due[0]!.callAt > sinon.now) sinon.now = due[0]!.callAt
    clock.makeDue(this.#execution, due)
    this.#later()
  }

  #finish(): void {
    const { clock: sinon, advances } = this.#clock
    advances.delete(this)
    if (advances.size === 0) sinon.duringTick = false
    if (Number.isFinite(this.#end) && this.#end > sinon.now) this.#clock.native('tick', this.#end - sinon.now)
    if (this.#error) this.#record.reject(this.#error.thrown)
    else this.#record.resolve(sinon.now)
  }
}

/** Time that moves by itself (`shouldAdvanceTime`, `setTickMode`): where nothing else can run, to the next timer. */
export class Unattended implements Advance {
  readonly #execution: Execution
  readonly #clock: FakeClock
  /** Whether time passes as it does elsewhere, or goes to the next timer at once. */
  readonly #keepsPace: boolean
  #isOver = false
  #round = 0

  constructor(execution: Execution, clock: FakeClock, { keepsPace }: { readonly keepsPace: boolean }) {
    this.#execution = execution
    this.#clock = clock
    this.#keepsPace = keepsPace
    this.timerIsSet()
  }

  failed(error: unknown): void {
    this.#execution.uncaught(error)
  }

  timeIsSet(): void {}

  timerIsSet(): void {
    const [next] = this.#clock.next
    if (this.#isOver || !next) return
    const round = ++this.#round
    const delay = this.#keepsPace ? next.callAt - this.#clock.time : 0
    this.#execution.clock.start(this.#execution, { name: 'time', callback: () => this.#moveOn(round), delay, repeats: false, site: 0 })
  }

  end(): void {
    this.#isOver = true
  }

  #moveOn(round: number): void {
    if (this.#isOver || round !== this.#round) return
    const clock = this.#clock
    clock.moves(this.#execution)
    const due = clock.next
    if (due.length === 0) return
    if (due[0]!.callAt > clock.time) clock.clock.now = due[0]!.callAt
    clock.makeDue(this.#execution, due)
    // Those that are called now set what comes next; what is there already comes after them.
    this.#execution.clock.start(this.#execution, { name: 'time', callback: () => this.timerIsSet(), delay: 0, repeats: false, site: 0 })
  }
}
