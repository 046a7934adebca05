import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'

/** What comes back: a value, or an error that says that it went wrong. */
export type Answer = { readonly value: unknown } | { readonly error: unknown }

/**
 * Two wait for the same, and the server lets either go on first. `always equal`: whenever they were sent, it comes to the same as if the one that goes on first had come first.
 * `equal`: it does as they were sent now. `unequal`: one of them has seen what it would not have seen then.
 */
export type Rivalry = 'always equal' | 'equal' | 'unequal'

/**
 * What a driver asks of a server, such as a statement. It is a step of its own, which begins when it is sent and ends when it is answered, or when the
 * server says that it waits for what others hold. Then the step that makes them let go of it ends it.
 */
export interface Question {
  /** What a reader calls its process. */
  readonly name: string
  /** All of it, for a reader. */
  readonly shown?: string
  /** What has to be done before it can be sent, if anything. No step runs meanwhile. */
  prepare?(site: SiteId): (() => Promise<void>) | undefined
  /** Tells what it looks at and changes: in the step that ends it and, if that is another, in the one that has sent it, where there is no answer. */
  tell(execution: Execution, site: SiteId, answer: Answer | undefined): void
  /** Sends it. `answered` is called once, as soon as the server has answered and can be asked again. No step runs meanwhile. */
  send(answered: (answer: Answer) => void): void
  /** Which lines hold what it waits for, as the server has it: none, if it does not wait. Left out where nothing ever waits. */
  heldUpBy?(): Promise<readonly Line[]>
  /** The running step has let go of something that it has waited for: tells what decides whether it goes on, or for whom it waits. */
  tellWaiting?(execution: Execution, site: SiteId): void
  /** Whether it may well have to wait for others, as far as is known: then the server is asked who holds it up without delay. Default: it is not. */
  mayWait?(): boolean
  /** What its line lets go of now that it is answered, so that others go on whom the server has kept waiting. Default: perhaps of something. */
  letsGoOf?(answer: Answer): 'nothing' | 'perhaps something' | 'everything'
  /** Comes before `send` where it may have to be taken back: what has to be done for that, if it can be. */
  makeRevocable?(): Promise<void>
  /** How it matters which of two goes on first that wait for the same, this one and the other; undefined if they are not in each other's way. */
  rivalryWith?(other: Question): Rivalry | undefined
  /** Takes it back if that can be done, and returns whether it was. It is sent again later on. */
  takeBack?(): Promise<boolean>
  /** It was taken back, and since then it has become another thing to send it. */
  hasBecomeAnother?(): boolean
  /** Makes the server give it up: it is answered by an error. */
  cancel?(): Promise<void>
  /** The execution was over when it was answered: nobody hears of it, and who was given something gives that back. */
  giveBack?(answer: Answer): void
  /** It is kept waiting. The step that calls `giveUp` has it given up. */
  waits?(execution: Execution, giveUp: () => void): void
  /** It is going to be given up, since these wait for each other. */
  isVictim?(circle: readonly Question[]): void
  /** The step that ends it has its answer: before whoever has asked hears of it. Returns what they hear. */
  end?(execution: Execution, answer: Answer, site: SiteId): Answer
}

/** One connection, in one execution: what is asked by it is answered in the order in which it was asked. */
export interface Line {
  /** Whatever stands for it outside executions. */
  readonly connection: object
}
