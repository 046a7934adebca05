import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'

/** What comes back: a value, or an error that says that it went wrong. */
export type Answer = { readonly value: unknown } | { readonly error: unknown }

/**
 * What a driver asks of a server, such as a statement. It is a step of its own, which begins when it is sent and ends when it is answered, or when the
 * server says that it waits for what others hold. Then the step that makes them let go of it ends it.
 */
export interface Question {
  /** What a reader calls its process. */
  readonly name: string
  /** What has to be done before it can be sent, if anything. No step runs meanwhile. */
  prepare?(site: SiteId): (() => Promise<void>) | undefined
  /** Tells what it looks at and changes: in the step that ends it and, if that is another, in the one that has sent it, where there is no answer. */
  tell(execution: Execution, site: SiteId, answer: Answer | undefined): void
  /** Sends it. `answered` is called once, as soon as the server has answered and can be asked again. No step runs meanwhile. */
  send(answered: (answer: Answer) => void): void
  /** Which lines hold what it waits for, as the server has it: none, if it does not wait. Left out where nothing ever waits. */
  heldUpBy?(): Promise<readonly Line[]>
  /** Whether it may well have to wait for others, as far as is known: then the server is asked who holds it up without delay. Default: it is not. */
  mayWait?(): boolean
  /** Whether others may go on now that it is answered, whom the server has kept waiting. Default: they may. */
  letsGo?(answer: Answer): boolean
  /** Comes before `send` where it can be taken back at all: what has to be done for that, if anything. */
  makeRevocable?(): Promise<void>
  /** It waits for the same as this other one, and the server lets either go on first: takes it back where that may make a difference, and returns whether it did. It is sent again later on. */
  takeBack?(other: Question): Promise<boolean>
  /** Makes the server give it up: it is answered by an error. */
  cancel?(): Promise<void>
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
