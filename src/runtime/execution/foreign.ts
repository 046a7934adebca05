import { Math } from '../../engine/intrinsics.ts'
import { activeWork, type ActiveWork, type Baseline } from './active-work.ts'
import { giveUpOnAddOns } from './add-on-work.ts'
import { HeldReading } from './held-reading.ts'
import { LateCloses } from './late-closes.ts'
import { LateConnects } from './late-connects.ts'
import { LateEnds } from './late-ends.ts'
import { LateResponses } from './late-responses.ts'
import { Loopback, type Asking } from './loopback.ts'
import { afterMacrotask, nativeNow } from './native.ts'
import { OlderHandles, openNow, runsProcessSince } from './open-handles.ts'

/** Real milliseconds without a sign after which what is open counts as quiet. */
const quiet = 15
/** The same where something is known to be under way. */
const longQuiet = 500
/** Turns of the event loop in which what was sent within this process, and nothing is under way of any more, has come to an end. */
const calmTurns = 4
/** Real milliseconds after which a promise that nothing real seems to work on counts as never settled. */
export const patience = 1000
/** The same where a thread runs, or somebody elsewhere may be asked, of which nothing tells whether they work. */
const longPatience = 10_000
/** The same for a schedule that has waited in vain before. */
export const littlePatience = 50
/** Real milliseconds that a timer takes at the most beside a thread of the program, of which nothing tells when it is done. */
const longTimer = 1_000

/** Turns of the event loop that such a promise has at the least. */
const fewestLooks = 20

/** An answer that takes so much longer than a timer comes after it, as in a plain run: so many times as long, */
const timesAsLong = 2
/** and so many real milliseconds. */
const atLeast = 500

/** A worker of Node's. */
interface Thread {
  readonly threadId: number
}

/** The number of a thread that is over. */
const overThread = -1

/** How a wait for real work ended: it is done; nothing works on it; it takes too long. */
export type WaitEnd = 'settled' | 'idle' | 'overdue'

/** Whether any execution so far has opened something, which may be open still when the next one begins. */
let haveOpened = false

/** Promises of code that is not instrumented. They settle inside a step, or after real work that is waited for. */
export class ForeignPromises {
  #watched: Set<object> | undefined
  #emissions: Set<object> | undefined
  readonly #deadline: () => number
  #baseline: Baseline
  /** What is older may be asked. */
  readonly hasOlder: boolean
  readonly #patience: number
  #isClosed = false
  #hasStarted = false
  #hasOpened = false
  /** How much is certain to come, and soon. */
  #expected = 0
  #lastSign = 0
  /** When the execution has begun: real milliseconds since the epoch. */
  readonly begun = nativeNow()
  /** What was open before it began. */
  readonly #older: OlderHandles
  #loopback: Loopback | undefined
  readonly lateEnds = new LateEnds(this)
  readonly lateConnects = new LateConnects()
  readonly lateCloses = new LateCloses()
  readonly heldReading = new HeldReading()
  readonly lateResponses = new LateResponses()
  readonly #threads: Thread[] = []
  readonly #compressors: object[] = []
  /** Whether those who are outside of this process and ask it have their answers. */
  #answers: readonly (() => boolean)[] = []
  /** Turns since the last sign. */
  #turns = 0
  /** Since the last step nothing real has given a sign for long enough. */
  #isQuiet = false
  /** Something has come since a step has last done something outside. */
  #hasCome = false
  #onChange: (() => void) | undefined
  readonly #onUse: () => void

  /**
   * @param idleFor how long to wait where nothing real seems to be under way
   */
  /** @param onUse is told where what is real comes into play, from which anything may come that others than the program decide */
  constructor(deadline: () => number, baseline: Baseline, { idleFor, onUse }: { readonly idleFor: number; readonly onUse: () => void }) {
    this.#deadline = deadline
    this.#baseline = baseline
    this.#older = new OlderHandles(haveOpened ? openNow() : baseline.older)
    this.hasOlder = baseline.hasOlder
    this.#patience = idleFor
    this.#onUse = onUse
  }

  /** Real milliseconds until nothing real is waited for any longer, as long as a timer can take at most. */
  get timeLeft(): number {
    return Math.min(Math.max(0, this.#deadline() - nativeNow()), 2 ** 31 - 1)
  }

  /** Connections both ends of which are in this process. */
  get loopback(): Loopback {
    return (this.#loopback ??= new Loopback(this.#older, { ends: this.lateEnds, connects: this.lateConnects, reading: this.heldReading }))
  }

  watch(promise: object): void {
    this.#onUse()
    ;(this.#watched ??= new Set()).add(promise)
  }

  /** The same of what somebody in memory emits: by itself it says nothing of what else is real. */
  watchEmission(token: object): void {
    this.#onUse()
    ;(this.#emissions ??= new Set()).add(token)
  }

  /** False if the promise is no longer waited for, because its execution is over. */
  unwatch(promise: object): boolean {
    const isWatched = this.#watched?.delete(promise) === true || this.#emissions?.delete(promise) === true
    return isWatched && !this.#isClosed
  }

  /** The execution is over: what is real and still goes on belongs to nobody. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Something was called or made that may do real work. */
  started(): void {
    this.#onUse()
    this.#hasStarted = true
  }

  /** Whether real work may be what settles a promise of the platform. */
  get mayBeInvolved(): boolean {
    return this.#hasStarted || this.#hasOpened || isAny(this.#watched) || this.#hasMoreWork
  }

  get hasOpened(): boolean {
    return this.#hasOpened
  }

  /** Something is certain to come, and soon. */
  expects(): void {
    this.#onUse()
    this.#expected++
  }

  /** It is there. */
  came(): void {
    this.#expected--
    this.changed()
  }

  /** Something was opened that may call back at any time. */
  opened(): void {
    this.#onUse()
    this.#hasOpened = haveOpened = true
  }

  /** A stream that compresses was made. */
  compresses(stream: object): void {
    this.#compressors.push(stream)
  }

  /** A stream has handed a chunk to a thread, and has it no longer when that has answered. */
  get #isCompressing(): boolean {
    return this.#compressors.some((stream) => {
      const { _handle: handle } = stream as { readonly _handle?: { readonly buffer?: unknown } | null }
      return handle?.buffer !== undefined && handle.buffer !== null
    })
  }

  /** Somebody outside of this process asks it, and goes on only when he has the answer. */
  asked(isAnswered: () => boolean): void {
    this.#answers = [...this.#answers, isAnswered]
  }

  get #isAsked(): boolean {
    if (this.#answers.length > 0) this.#answers = this.#answers.filter((isAnswered) => !isAnswered())
    return this.#answers.length > 0
  }

  /** Whether it was open before the execution began. */
  wasOpen(thing: object): boolean {
    return this.#older.wasOpen(thing)
  }

  /** Something that was open before counts as of this execution from now on. */
  takes(thing: object): void {
    if (this.loopback.isOfAdopted(thing)) return
    const kind = this.#older.take(thing)
    this.loopback.begins(thing)
    const { requests, open, unseen } = this.#baseline
    if (kind === 'connection' || kind === 'pipe') this.#baseline = { ...this.#baseline, requests: requests - 1, open: open - 1, unseen: kind === 'pipe' ? unseen - 1 : unseen }
    this.opened()
  }

  /** A thread was started: whether what comes from there is under way cannot be known. */
  startedThread(thread: Thread): void {
    this.#onUse()
    this.#threads.push(thread)
  }

  /** Whether it has a thread of its own, which runs. */
  get hasThread(): boolean {
    return this.#threads.some(({ threadId }) => threadId !== overThread)
  }

  /** The running step does something outside. */
  reached(): void {
    this.#hasCome = false
  }

  /** A step ends: what it did may have led to something real. */
  stepEnded(): void {
    this.#isQuiet = false
    if (this.mayCallBack || this.hasThread) this.#sign()
  }

  #sign(): void {
    this.#lastSign = nativeNow()
    this.#turns = 0
  }

  /** A promise was settled outside any step. */
  changed(): void {
    this.#hasCome = true
    this.#sign()
    this.#onChange?.()
  }

  /** Whether a promise is waited for. */
  get isWatching(): boolean {
    return isAny(this.#watched) || isAny(this.#emissions)
  }

  /** Whether anything real may still call back. */
  get mayCallBack(): boolean {
    return this.#hasOpened || this.isWatching
  }

  get pending(): boolean {
    return this.isWatching || this.hasThread || (this.#hasOpened && this.#hasMoreWork)
  }

  get #hasMoreWork(): boolean {
    const work = activeWork()
    // Something older that was open may be closed by now.
    return this.#hasMoreRequests(work) || work.open > this.#baseline.open || this.#isOneOwn(work.processes)
  }

  /** Of those that end by themselves. */
  #hasMoreRequests({ requests: all, open }: ActiveWork): boolean {
    const more = all - open - (this.#baseline.requests - this.#baseline.open)
    return more > 0 && (!this.#hasOpened || more > this.loopback.stalledWrites())
  }

  /** Whether somebody in another process is asked, and has not answered yet. */
  #asks(open: number): Asking {
    return open > 0 ? this.loopback.asks() : 'no'
  }

  /** Whether one of the processes that run was started by this execution: others that were there before end meanwhile. */
  #isOneOwn(processes: number): boolean {
    return processes > 0 && runsProcessSince(this.#older)
  }

  /**
   * Whether real work is under way for a promise of this execution. It is waited for, so that timing decides nothing.
   *
   * @param timer milliseconds to the next timer, which an answer that comes sooner goes before
   * @param hasReady whether something else can go on meanwhile
   */
  mayBeInFlight(timer: number, { hasReady = false } = {}): boolean {
    if (this.#isQuiet) return false
    if (this.#expected > 0 || this.#isCompressing) return true
    // Time passes for a thread as well, also where Node would not wait for its end.
    if (!hasReady && this.hasThread && timer !== Infinity && nativeNow() - this.#lastSign < Math.min(timer, longTimer)) return true
    if (!(this.#hasOpened || this.isWatching)) return false
    const work = activeWork()
    const { requests: all, open, unseen, passive, processes } = work
    const baseline = this.#baseline
    // Whoever asks may be what another process waits for.
    if (this.#isOneOwn(processes) && !this.#isAsked && (!hasReady || this.#hopesForUnseen())) return true
    const since = nativeNow() - this.#lastSign
    const asking = this.#asks(open)
    if (asking === 'certainly') {
      // What the answer leads to is not there yet when nobody asks any longer.
      this.#sign()
      return true
    }
    if ((asking === 'perhaps' || (asking === 'not yet' && !hasReady)) && since < this.#hopesFor(timer)) return true
    if (this.#hasMoreRequests(work)) return true
    // What has been closed says so a turn later, and counts no longer by then.
    if (all <= baseline.requests) return this.#hasOpened && this.#turns < calmTurns
    if (!this.#hasOpened) return (open - passive > baseline.open - baseline.passive && !(asking === 'not yet' && hasReady)) || since < quiet
    if (unseen > baseline.unseen || this.hasThread) return this.#hopesForUnseen()
    const traffic = this.loopback.traffic()
    if (traffic === 'unknown') return since < quiet
    if (traffic === 'in flight') this.#turns = 0
    return this.#turns < calmTurns && since < longQuiet
  }

  /** How long an answer may take that perhaps never comes: in a plain run it has as long as the timer takes. Once nothing has come in that time, nothing is expected any more. */
  #hopesFor(timer: number): number {
    const { hope } = this.#baseline
    if (timer === Infinity || hope.isVain) return longQuiet
    const most = Math.min(timer, longPatience)
    if (nativeNow() - this.#lastSign >= most) hope.isVain = true
    return Math.max(longQuiet, most)
  }

  /** A process, a thread or another machine may wait for what goes on here, or for nothing at all. Where nothing has come since a step has last done something outside, it has some time, until that was in vain once. */
  #hopesForUnseen(): boolean {
    const { hope } = this.#baseline
    const since = nativeNow() - this.#lastSign
    if (this.#hasCome) return since < quiet
    hope.isVainOfUnseen ||= since >= longQuiet
    return since < (hope.isVainOfUnseen ? quiet : longQuiet)
  }

  /** Whether anything real is under way, timers among it. */
  #isWorking(work: ActiveWork, asking: Asking): boolean {
    if (this.#expected > 0 || this.#isCompressing) return true
    const works = this.#hasMoreRequests(work) || this.#isOneOwn(work.processes) || asking === 'certainly'
    return (this.pending && works) || work.timers > this.#baseline.timers
  }

  /** Waits until nothing real is under way, or longer than a timer of so many milliseconds would. */
  settleInFlight(timer: number, { hasReady, resume }: { readonly hasReady: () => boolean; readonly resume: () => void }): void {
    const end = Math.min(nativeNow() + timesAsLong * timer + atLeast, this.#deadline())
    const poll = (): void => {
      if (this.#isClosed) return
      this.#turns++
      const mayCome = this.mayBeInFlight(timer, { hasReady: hasReady() })
      if (mayCome && nativeNow() < end) afterMacrotask(poll)
      else {
        if (mayCome) giveUpOnAddOns()
        this.#isQuiet = true
        resume()
      }
    }
    afterMacrotask(poll)
  }

  /** Waits until `isReady`, or until nothing real is under way, or to the deadline. */
  wait(isReady: () => boolean, done: (end: WaitEnd) => void): void {
    let lastSign: number
    // Whoever was not given the processor has not looked.
    let looks: number
    const sign = (): void => {
      lastSign = nativeNow()
      looks = 0
    }
    const finish = (end: WaitEnd): void => {
      this.#onChange = undefined
      done(end)
    }
    const poll = (): void => {
      if (this.#isClosed) return
      if (isReady()) return finish('settled')
      const work = activeWork()
      const asking = this.#asks(work.open)
      if (this.#isWorking(work, asking)) sign()
      const now = nativeNow()
      if (now >= this.#deadline()) {
        giveUpOnAddOns()
        return finish('overdue')
      }
      const mayBeLong = this.hasThread || asking !== 'no'
      if (++looks > fewestLooks && now - lastSign > (mayBeLong ? longPatience : this.#patience)) return finish(mayBeLong ? 'overdue' : 'idle')
      afterMacrotask(poll)
    }
    sign()
    this.#onChange = sign
    afterMacrotask(poll)
  }

  /** Lets everything run that has been posted to the event loop: a message may come a turn late. */
  takeTurns(done: () => void): void {
    afterMacrotask(() => {
      if (!this.#isClosed) afterMacrotask(() => {
        if (!this.#isClosed) done()
      })
    })
  }

  close(): void {
    this.#isClosed = true
    this.#watched = undefined
    this.#emissions = undefined
    this.heldReading.close()
    this.lateConnects.close()
    this.lateResponses.close()
    this.lateEnds.close()
  }
}

const isAny = (set: ReadonlySet<object> | undefined): boolean => set !== undefined && set.size > 0
