import { asyncIdNow } from './native.ts'
import { isRejected } from './promise-state.ts'

/** A promise that is not settled. */
interface Open {
  /** The promise to which it is a reaction. */
  readonly waitsFor: object | undefined
  /** The test runner has made it. */
  readonly isOfRunner: boolean
  /** All that its job does is to write down how a mock's answer has come. */
  isSilent: boolean
  /** It is to be what another promise is, which has been asked: that is a promise as well. */
  hasAsked: boolean
  /** Somebody hears of it when it is settled. */
  isHeard: boolean
  /** It passes on what that promise comes to, the matcher's of an assertion; its jobs run no code but the assertion's own. */
  passesOn: object | undefined
}

/** What somebody else settles: whether that one waits for others, and for which promise, if that is known. */
export type Decider = 'waits' | { readonly waitsFor: object | undefined }

/** An answer that nobody can be seen to hear of. */
const unknown = {}

/**
 * Whether the plain run of a test is one line of control wherever something may take any time: from when something is asked that stands for I/O until
 * its answer is heard, whenever a job begins, no other one is queued, and none can come but by it. Then nothing can overtake anything, however
 * long that takes, and the plain run is all there is. What else is under way where nothing is asked has the order of the language.
 *
 * The runner calls fixtures, and then the test; until then nothing stands for I/O, and from then on no code is taken for the runner's.
 */
export class OneLine {
  #isBroken = false
  /** Some of it went on beside other lines, where nothing was asked that may take long. */
  #hasOthersBeside = false
  readonly #open = new Map<object, Open>()
  /** What stands for I/O answers by these; that was not heard so far. */
  readonly #answers = new Set<object>()
  /** The next thing that is awaited stands for such an answer. */
  #isAsking = false
  /** Settled, and nobody hears of it so far: if it was rejected, an answer that takes long comes after that is told. */
  readonly #unheard = new Set<object>()
  readonly #deciderOf: (promise: object) => Decider
  /** What runs is the runner's own code, but for what it calls. */
  #isRunner = false
  #isInFixture = false
  /** A job runs in which the platform alone makes promises, for what is passed on. */
  #isPassingOn = false
  /** The job that runs only passes on what this promise has come to, the matcher's of an assertion. */
  #passedOn: object | undefined
  /** What assertions wait for. */
  readonly #subjects = new WeakSet<object>()
  /** What an assertion has returned: the promise of its matcher. */
  readonly #matchers = new WeakMap<object, object>()
  #hasBegun = false
  /** Of the test's function. */
  #result: object | undefined
  #isOver = false
  #last: object | undefined
  /** All that the platform begins has a number, but promises: that of the last one before code of the program began to run. */
  #number: number | undefined

  constructor(deciderOf: (promise: object) => Decider) {
    this.#deciderOf = deciderOf
  }

  /** The test has run to its end, and was one line all the time. */
  get isWhole(): boolean {
    return this.#isOver && !this.#isBroken
  }

  /** Two lines had something to do at once: what answered at once might have come in another order. */
  get hasOthersBeside(): boolean {
    return this.#hasOthersBeside
  }

  breaks(): void {
    this.#isBroken = true
    this.#open.clear()
    this.#answers.clear()
    this.#unheard.clear()
  }

  /** Runs what the runner does with a test, up to its first `await`, or what a fixture calls of it. */
  byRunner<T>(work: () => T): T {
    const [wasRunner, wasInFixture] = [this.#isRunner, this.#isInFixture]
    this.#isRunner = true
    this.#isInFixture = false
    try {
      return work()
    } finally {
      this.#isRunner = wasRunner
      this.#isInFixture = wasInFixture
    }
  }

  /** Runs a fixture that the runner calls, up to its first `await`. */
  inFixture<T>(work: () => T): T {
    this.#isInFixture = true
    try {
      return work()
    } finally {
      this.#isInFixture = false
    }
  }

  /** Code of the program calls something that may make promises. */
  calls({ isInCall }: { readonly isInCall: boolean }): void {
    if (this.#isRunner && !isInCall && !this.#isOver) this.breaks()
  }

  /** Something would stand for I/O, and answer by this promise, or by what is awaited next. */
  meetsStandIn(answer: object | 'awaited' | undefined): void {
    if (!this.#hasBegun) return this.breaks()
    if (answer === 'awaited') this.#isAsking = true
    else this.#answers.add(answer ?? unknown)
  }

  /** Somebody waits for this promise by `await`. */
  awaits(promise: object): void {
    if (this.#isAsking) this.#answers.add(promise)
    this.#isAsking = false
  }

  /** A mock has returned this promise. What Vitest has done last is to ask how it is settled. */
  mockReturns(promise: object): void {
    const last = this.#last && this.#open.get(this.#last)
    if (last?.waitsFor === promise) last.isSilent = true
  }

  /** `expect(promise).resolves`: this is what the assertion waits for. */
  asserts(promise: object): void {
    this.#subjects.add(promise)
  }

  /** What such an assertion has returned. What it has made last passes on what its matcher comes to, which is a reaction to what it waits for. */
  asserted(assertion: object): void {
    const passing: Open[] = []
    for (let promise = this.#last; promise !== undefined; ) {
      const open = this.#open.get(promise)
      if (open?.waitsFor === undefined) return
      if (this.#subjects.has(open.waitsFor)) return this.#hasMatcher(assertion, promise, passing)
      passing.push(open)
      promise = open.waitsFor
    }
  }

  #hasMatcher(assertion: object, matcher: object, passing: readonly Open[]): void {
    this.#matchers.set(assertion, matcher)
    for (const open of passing) letPassOn(open, matcher)
  }

  /** This promise is to be what that thing comes to. */
  waitsFor(promise: object, thing: object): void {
    const open = this.#open.get(promise)
    const matcher = this.#matchers.get(thing)
    if (open && matcher) letPassOn(open, matcher)
  }

  made(promise: object, waitsFor: object | undefined, { isInCall }: { readonly isInCall: boolean }): void {
    if (this.#isBroken || this.#isOver) return
    this.#last = promise
    if (waitsFor !== undefined) this.hears(waitsFor)
    const matcher = isInCall ? undefined : this.#passedOn
    this.#open.set(promise, { waitsFor, isOfRunner: this.#isRunner && !isInCall && !this.#isInFixture, isSilent: false, hasAsked: false, isHeard: this.#isPassingOn || matcher !== undefined, passesOn: matcher })
  }

  settled(promise: object): void {
    const own = this.#open.get(promise)
    if (own === undefined) return
    this.#open.delete(promise)
    if (promise === this.#result) this.#endCounting()
    else if (!own.isOfRunner && !own.isSilent && !own.isHeard) this.#unheard.add(promise)
  }

  /** Somebody hears of it when it is settled. */
  hears(promise: object): void {
    this.#unheard.delete(promise)
    const open = this.#open.get(promise)
    if (open) open.isHeard = true
  }

  /** An async call begins that no other one has made: the test's own function, if the runner calls it and it is no fixture. */
  begins(): boolean {
    if (this.#isBroken || this.#isOver || !this.#isRunner || this.#isInFixture) return false
    if (this.#hasBegun) this.breaks()
    this.#hasBegun = true
    this.#number = asyncIdNow()
    return !this.#isBroken
  }

  /** Runs what the runtime does in the middle of the program's code: what that begins is not the program's. */
  aside<T>(work: () => T): T {
    if (this.#number === undefined) return work()
    const before = asyncIdNow()
    try {
      return work()
    } finally {
      this.#number += asyncIdNow() - before + 1
    }
  }

  /** Its first part is over. */
  returned(result: object): void {
    this.#endCounting()
    this.#result = result
  }

  #endCounting(): void {
    if (this.#number !== undefined && asyncIdNow() !== this.#number + 1) this.breaks()
    this.#number = undefined
  }

  /** A job begins, which settles this promise or is part of what does. */
  jobBegins(promise: object): void {
    if (this.#isBroken || this.#isOver) return
    this.#isPassingOn = false
    const own = this.#open.get(promise)
    this.#isRunner = own?.isOfRunner === true
    this.#passedOn = own?.passesOn
    if (!this.#hasBegun) return
    if (own === undefined) return this.breaks()
    if (own.isSilent || own.passesOn) return
    own.hasAsked = this.#isPassedOn(promise, own)
    this.#isPassingOn = own.hasAsked && !own.isOfRunner
    if (own.hasAsked) return
    const isOver = !this.#open.has(this.#result!)
    const isToBeAlone = isOver || this.#answers.size > 0
    if (isToBeAlone && this.#unheard.size > 0 && this.#hasRejected()) return this.breaks()
    if ((isToBeAlone || !this.#hasOthersBeside) && !this.#isAlone(promise)) {
      if (isToBeAlone) return this.breaks()
      this.#hasOthersBeside = true
    }
    if (own.waitsFor !== undefined) this.#answers.delete(own.waitsFor)
    if (isOver) this.#isOver = true
    else this.#number ??= asyncIdNow()
  }

  /** Nothing can go on now but the job that settles this promise. */
  #isAlone(promise: object): boolean {
    for (const [other, open] of this.#open) if (other !== promise && !this.#waits(other, open)) return false
    return true
  }

  /** What is fulfilled stays so. */
  #hasRejected(): boolean {
    const unheard = [...this.#unheard]
    this.#unheard.clear()
    return unheard.some(isRejected)
  }

  /** It is to be what another promise is, which it asks now: no code of the program runs. */
  #isPassedOn(promise: object, { waitsFor, isOfRunner }: Open): boolean {
    if (waitsFor !== undefined) return false
    const decider = this.#deciderOf(promise)
    if (decider !== 'waits' && decider.waitsFor !== undefined) this.hears(decider.waitsFor)
    return isOfRunner || (decider !== 'waits' && decider.waitsFor !== undefined)
  }

  /** For a job that is still to be queued. */
  #waits(promise: object, { waitsFor, isOfRunner, hasAsked, passesOn }: Open): boolean {
    if (passesOn) return this.#open.has(passesOn)
    if (waitsFor !== undefined) return this.#open.has(waitsFor)
    if (isOfRunner || hasAsked) return true
    const decider = this.#deciderOf(promise)
    return decider === 'waits' || (decider.waitsFor !== undefined && this.#open.has(decider.waitsFor))
  }
}

/** Where there may be no line. */
export const asideOf = <T>(line: OneLine | undefined, work: () => T): T => (line ? line.aside(work) : work())

function letPassOn(open: Open, matcher: object): void {
  open.passesOn = matcher
  open.isHeard = true
}
