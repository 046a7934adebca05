import { Math } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { inContext } from './contexts.ts'
import type { Execution } from './execution.ts'
import type { ObjectId } from './identity.ts'
import { FIRED, STATE } from './keys.ts'
import type { Call, Continuation, Process } from './process.ts'
import type { Moment } from './racing-timers.ts'
import { running } from './running.ts'
import type { SetTimer } from './timed-steps.ts'
import { numberTimer } from './timer-numbers.ts'
import type { Turn } from './turns.ts'

/** What `setTimeout` and its like are given. */
export interface TimerRequest {
  readonly name: string
  /** Called in the execution in which it fires; null: none runs. */
  readonly callback: (now: Execution | null) => unknown
  /** What that calls, and with what: it may be called again in each of its calls. */
  readonly calls?: { readonly callback: unknown; readonly args: readonly unknown[] }
  /** Milliseconds of virtual time. */
  readonly delay: number
  readonly repeats: boolean
  readonly site: SiteId
  /** With whose timers it keeps its order, if not with those of the running process. */
  readonly creator?: Process
  /** With `time: 'race'` it may fire before other things that could happen. */
  readonly mayRace?: boolean
  /** It fires when nothing else can run, before any time passes. */
  readonly waitsForAll?: boolean
  /** It was set before the execution. */
  readonly isOlder?: boolean
}

/** Where a job stands that is ready at once. */
export type JobQueue = 'microtasks' | 'ticks' | 'turns'

/** Virtual milliseconds from now until it is due. */
export function lengthOf({ delay, waitsForAll }: TimerRequest): number {
  if (waitsForAll) return 0
  return delay >= 1 && delay <= longest ? Math.trunc(delay) : 1
}

/** What is longer than the platform can count counts as no delay. */
const longest = 2 ** 31 - 1

/** What fires in the place of a timer. */
export interface Standing {
  clear(): void
  refresh(): void
}

/** One timer: a process whose steps are the calls of its callback. */
export class Timer implements Continuation, Standing {
  readonly request: TimerRequest
  readonly #callback: (now: Execution | null) => unknown
  queue: JobQueue | 'timers'
  readonly creator: Process
  readonly site: SiteId
  process: Process
  due = 0
  order = 0
  /** It has been ready to fire, at least once. */
  wasDue = false
  /** It can fire before other things that could happen. */
  isRacing = false
  /** When it fires. With `time: 'race'` only. */
  moment: Moment | undefined
  /** Number of the step that set it. With `time: 'race'` only. */
  setIn = 0
  /** Its step was taken, the last one if it repeats. */
  hasFired = false
  /** All had run to its end before it could fire. With `time: 'race'` only. */
  isDropped = false
  isCleared = false
  turn: Turn | undefined
  readonly execution: Execution
  readonly #object: ObjectId
  #hasRef = true
  /** What fires instead, since this one was refreshed when it could have fired already, or its execution is over. */
  #successor: Standing | undefined

  constructor(execution: Execution, request: TimerRequest, queue: JobQueue = 'turns', process?: Process) {
    this.execution = execution
    this.queue = queue
    this.request = request
    this.#callback = inContext(request.callback, execution.line)
    this.creator = request.creator ?? execution.process
    this.site = request.site
    this.#object = execution.identities.fresh()
    this.process = process ?? execution.processes.spawn(request.name)
    this.process.repeats = request.repeats
    this.process.isOlder = request.isOlder === true
    execution.recorder?.owners.tell(this.#object, () => `timer ${this.process.name}`)
  }

  /** What the timer is known by where a number is asked for. */
  get number(): number {
    numberTimer(this, this.#object)
    return this.#object
  }

  /** Whether Node stays for it. Virtual time passes for others as well. */
  get hasRef(): boolean {
    if (running === this.execution) running.accesses.read(this.#object, STATE, this.site, this.#hasRef)
    return this.#hasRef
  }

  set hasRef(hasRef: boolean) {
    this.#hasRef = hasRef
    if (running === this.execution) running.accesses.write(this.#object, STATE, this.site, hasRef)
  }

  /** Milliseconds, under the name that Node has for them: -1 once it was cleared. */
  get idleTimeout(): number {
    const found = this.isCleared ? -1 : lengthOf(this.request)
    if (running === this.execution) running.accesses.read(this.#object, STATE, this.site, found)
    return found
  }

  /** `clearTimeout`. Races with the firing, once the timer is due. */
  clear(): void {
    if (this.#successor) return this.#successor.clear()
    if (!this.hasFired && !this.isCleared) {
      this.execution.clock.waits(this)
      this.#tellCleared()
    }
    this.isCleared = true
    if (running === this.execution) running.accesses.assign(this.#object, STATE, this.site, -1)
    this.#ends()
    this.execution.clock.remove(this)
    if (this.wasDue && running === this.execution) running.accesses.write(this.#object, FIRED, this.site, 'cleared')
  }

  /** Before it is due nobody else sees that: only who waits for it is told why. */
  #tellCleared(): void {
    const { recorder, search } = this.execution
    if (recorder && running === this.execution && this.process.id !== -1) recorder.clears(search.ordinal(this.process.id), running.lastSite)
  }

  /** `timer.refresh()`: it fires later than it would have, and once more if it has fired. What was cleared stays so. */
  refresh(): void {
    if (this.#successor) return this.#successor.refresh()
    if (this.isCleared) return
    this.execution.accesses.loop?.hasEffect()
    const { clock } = this.execution
    clock.remove(this)
    if (this.wasDue && running === this.execution) running.accesses.write(this.#object, FIRED, this.site, 'refreshed')
    if (!clock.races || !this.wasDue) return clock.schedule(this)
    if (!this.hasFired) clock.waits(this)
    // A step of it is under way, which must be one that does nothing.
    const successor = new Timer(this.execution, this.request, 'turns', this.execution.processes.spawnAnother(this.process))
    this.#successor = successor
    clock.schedule(successor)
  }

  resume(): void {
    const execution = this.execution
    const { clock } = execution
    const isOver = this.isCleared || this.#successor !== undefined
    this.hasFired = true
    execution.accesses.read(this.#object, FIRED, this.site, isOver ? 'cleared' : 'due')
    if (isOver || (clock.races ? this.#isTooLate : this.due > clock.now)) return
    clock.reach(this)
    if (this.due > 0 && !this.request.waitsForAll) execution.foreign.lateCloses.callbackBegins(execution)
    if (this.request.repeats) clock.schedule(this)
    const { calls } = this.request
    const isNextRound = calls !== undefined && this.process.loop?.callback === calls.callback
    if (!isNextRound) this.#ends()
    if (calls) execution.loops.callsBack(this.process, calls.callback, calls.args)
    try {
      this.call(execution)
    } catch (error) {
      execution.uncaught(error)
    }
    execution.loops.hasCalledBack()
  }

  call(now: Execution | null): void {
    this.#callback(now)
  }

  /** Its execution is over: who clears or refreshes it means that one. */
  goesOnAs(successor: Standing): void {
    this.#successor = successor
  }

  get runsAs(): JobQueue {
    return this.queue === 'timers' ? 'turns' : this.queue
  }

  /** What is known of when it was set. With `time: 'race'` only. */
  get asSet(): SetTimer {
    const isJob = this.due === 0
    return { step: this.setIn, length: isJob ? 0 : lengthOf(this.request), order: this.order, isImmediate: isJob && this.queue === 'turns' }
  }

  /** What it does is part of the loop that sets it. */
  joinLoop(kind: 'at once' | 'timer'): void {
    const { accesses, clock, loops } = this.execution
    const { loop } = accesses
    // It may fire at any time, which is of more consequence than that it does.
    if (clock.races) return loop?.hasEffect()
    if (loop) {
      this.process.loop = loop
      loop.spawns(this.process, kind)
    }
    loops.sets(this.request.calls?.callback, this.process, { by: this.execution.process, kind, site: this.site || this.execution.lastSite })
  }

  /** It does nothing any more, or what it goes on to do is no part of a loop. */
  #ends(): void {
    this.execution.accesses.loop?.ends(this.process)
  }

  /** Whether all has run to its end before it fires, with `time: 'race'`. What is ready at once runs all the same. */
  get #isTooLate(): boolean {
    const { execution } = this
    if (this.queue !== 'timers' || !execution.hasEnded()) return false
    execution.clock.waits(this, execution.endedIn)
    this.isDropped = true
    if (!this.request.isOlder) execution.clock.hasDropped = true
    return true
  }

  delegate(): Call | undefined {
    return undefined
  }
}
