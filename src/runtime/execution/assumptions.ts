import { BornKeys } from './born-keys.ts'
import { TrustedNames } from './trusted-names.ts'
import { UnchangedKeys } from './unchanged-keys.ts'

/** The one name in `quickDecisions`. */
export const QUICK = 'quick'

/** The one name in `windowless`. */
export const WINDOW = 'window'

/** What is taken for granted in an exploration until it turns out otherwise. */
export class Assumptions {
  readonly bornKeys: BornKeys
  /** Nobody changes a property of the platform's own objects, or hides a method that an object has from the platform; `__proto__` stays what it is. */
  readonly fixed: TrustedNames
  /** No property becomes an accessor, or one that cannot be assigned or removed, or is one no longer: to assign gives the object a value of its own. */
  readonly assignable: TrustedNames
  /** Nobody freezes what others may have seen, or keeps it from being extended otherwise. */
  readonly extensible: TrustedNames
  /** Nobody changes a property by which a method is called, and nobody asks for the moment in which a promise is settled. */
  readonly unchanged: UnchangedKeys
  /** Nobody can tell when something was done. With `time: 'race'`: nobody asks for the time, and no timer waits until nothing else can run; by `'idle'`: time does not pass within a step. */
  readonly timeless: TrustedNames
  /** Nobody asks for what every step would have to tell of, such as the last match of all regular expressions. */
  readonly unasked: TrustedNames
  /** No pool of connections is ever asked for more than it has, in whatever order. By the number of the pool. */
  readonly roomy: TrustedNames
  /** The language fixes the order of no two continuations: no promise has two reactions, and so on. A schedule that is run again is told in full. */
  readonly loneTurns: TrustedNames
  /** `queueMicrotask` is given nothing. Where it is, nothing starts anew: until then nothing could come behind what it is given. */
  readonly noMicrotasks: TrustedNames
  /** No part of a combinator decides in a step of its own. */
  readonly quickDecisions: TrustedNames

  /** There is no window but that of the test environment: what is not instrumented changes none. */
  readonly windowless: TrustedNames

  readonly isReplaying: boolean

  /**
   * @param isTrusting whether the exploration can start anew; otherwise nothing is taken for granted
   * @param isReplaying one schedule is run, perhaps again: nothing starts anew, and no run knows of the one before
   */
  constructor(options: { readonly isTrusting: boolean; readonly isReplaying?: boolean }) {
    this.isReplaying = options.isReplaying === true
    this.bornKeys = new BornKeys(options)
    this.fixed = new TrustedNames(options)
    this.assignable = new TrustedNames(options)
    this.extensible = new TrustedNames(options)
    this.unchanged = new UnchangedKeys(options)
    this.timeless = new TrustedNames(options)
    this.unasked = new TrustedNames(options)
    this.roomy = new TrustedNames(options)
    this.windowless = new TrustedNames(options)
    this.noMicrotasks = new TrustedNames(options)
    this.quickDecisions = new TrustedNames({ isTrusting: options.isTrusting && !options.isReplaying })
    this.loneTurns = new TrustedNames({ isTrusting: options.isTrusting && !options.isReplaying })
  }

  beginExecution(): void {
    this.bornKeys.beginExecution()
    this.fixed.beginExecution()
    this.assignable.beginExecution()
    this.extensible.beginExecution()
    this.timeless.beginExecution()
    this.unasked.beginExecution()
    this.roomy.beginExecution()
    this.windowless.beginExecution()
  }
}
