import type { FailureKind } from '../engine/outcome.ts'
import type { FindingKind } from './kinds.ts'
import type { WaitKind } from './wait-causes.ts'
import type { FailingOrders } from './experiment.ts'
import type { AnswerOrder } from './answers.ts'
import type { Place } from './input.ts'
import type { Replay } from './replay.ts'

/** What went wrong, as far as the recorded execution shows it. Failures that no race explains keep their own kind. */
export type ExplanationKind = FindingKind | WaitKind | 'never-settled' | FailureKind

/** A place, with the short form that is shown: `account.ts:6`. */
export interface ShownPlace extends Place {
  readonly shown: string
  /** The place in the file that ran, where that was made from the source. */
  readonly loaded?: Place
}

/** One access of the story, or a wait that never ends. */
export interface ExplanationRow {
  /** From 1. */
  readonly number: number
  /** Ordinal of the process. */
  readonly process: number
  /** Its step, from 0, within the execution that the row is of; -1 of a process that has had none. */
  readonly step: number
  /** `read balance -> 100` */
  readonly text: string
  readonly place?: ShownPlace
  /** Of a place in a package: from where in the user's own code that was called. */
  readonly via?: ShownPlace
  /** Both as they are shown: `account.ts:6`, `cart.ts:12 > store.js:40`. */
  readonly where: string
  /** `stale since 3` */
  readonly note?: string
}

/** A process of the story. */
export interface ExplanationColumn {
  readonly ordinal: number
  /** `withdraw#2` */
  readonly name: string
  /** The same with what it was called with, where that is known: `withdraw#2(80)` */
  readonly title: string
}

/** Why one row comes after another one of another process, where none of the rows between them says it. */
export interface ExplanationEdge {
  /** Numbers of rows. */
  readonly from: number
  readonly to: number
  /** Something makes it wait for the other; or the two conflict, and came out in this order. */
  readonly kind: 'enforced' | 'conflict'
}

/** What a database was asked for. */
export interface ExplanationStatement {
  /** Of the row. */
  readonly number: number
  /** With its values. */
  readonly text: string
  /** For a reader: the isolation level of its transaction, or that it was one of its own. */
  readonly level: string
}

/** A failing execution as a story. Plain data: it survives JSON. */
export interface Explanation extends Replay {
  readonly kind: ExplanationKind
  /** In what sense the execution failed. */
  readonly failureKind: FailureKind
  /** Name of the test. */
  readonly name: string
  /** One or two sentences: facts of this execution, nothing else. */
  readonly headline: string
  readonly rows: readonly ExplanationRow[]
  readonly edges: readonly ExplanationEdge[]
  /** The processes that have rows. */
  readonly columns: readonly ExplanationColumn[]
  /** The two accesses that could have come the other way round, in their order here. */
  readonly racing?: { readonly first?: ShownPlace; readonly second?: ShownPlace }
  /** Numbers of two rows: with the second before the first, and all else as it is, the test passes. That order was run. */
  readonly passesWith?: readonly [first: number, second: number]
  /**
   * The same accesses in that order, from where it parts from the failing one: their numbers are those of the rows, their values those that they
   * have there. What does not happen there is left out.
   */
  readonly passing?: readonly ExplanationRow[]
  /**
   * Where it was found with a switch at every `await`: whether some order of the events of the platform leads to it. `slow`: one does,
   * if what is awaited there takes time; `'none'`: none does, whatever of what is awaited takes time. Not there where that is not known.
   */
  readonly byEvents?: { readonly slow: readonly ShownPlace[] } | 'none'
  /** Where steps are events: which answer has to come after which other one. */
  readonly answers?: AnswerOrder<ShownPlace>
  /** Where steps are events, and no other order is known to pass than the plain one: what answers at once there, and takes time here. */
  readonly takesTime?: readonly string[]
  /** Of rows of a database: by which statements. */
  readonly statements?: readonly ExplanationStatement[]
  /** Of rows of a database: what would keep it from coming to pass. */
  readonly remedy?: string
  /** Present if every order that was tried fails. */
  readonly failing?: FailingOrders
  /** Where to point a code frame. */
  readonly focus?: ShownPlace
  /** Other locations with a race in this execution. */
  readonly alsoRacing: readonly string[]
  /** Processes that wait for ever and have no row. */
  readonly alsoWaiting: readonly string[]
  /** How often control passed on although the process could have gone on. */
  readonly switches: number
  /** Which execution it was, from 1. */
  readonly execution: number
  readonly executions: number
  /** Whether there are no more executions than these. */
  readonly complete: boolean
  /** Whether it has the order of a plain run: the test fails without this package as well. */
  readonly isPlain: boolean
  /** The plain run fails, whether this is it or not. */
  readonly plainFails: boolean
  /** What the execution threw: its first lines. */
  readonly message: string
  /** It is a test of `test` or `it`, which has no option for a replay. */
  readonly isOrdinary: boolean
}
