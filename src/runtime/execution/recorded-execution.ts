import type { LocationId } from '../../engine/ids.ts'
import type { ExecutionOrder } from '../../engine/index.ts'
import type { Look } from '../../engine/observation/look.ts'
import type { ObjectId } from './identity.ts'
import type { RecordedKey } from './recorded-key.ts'
import type { SourcePlace } from './sources.ts'
import type { SettledAs, ToldAccess } from './told-access.ts'
import type { RecordedValue } from './values.ts'

/** One access of a recorded execution. Plain data. */
export interface RecordedAccess {
  readonly kind: ToldAccess['kind']
  readonly location: LocationId
  readonly place: SourcePlace | undefined
  /** The object it is an access of, and what a reader calls that: `account`. Empty for variables. */
  readonly object: ObjectId
  readonly owner: string
  /** It is a package's own affair within that: the way to it. */
  readonly inside?: string
  /** What of it was accessed. */
  readonly key: RecordedKey
  /** What was found or put there. */
  readonly value: RecordedValue
  /** What a read looked at. */
  readonly look?: Look
  /** What an increase found. */
  readonly found?: RecordedValue
  /** The key that came or went. An object has the text that a reader calls it by. */
  readonly member?: RecordedValue
  /** How a promise was settled. */
  readonly as?: SettledAs
  /** Nothing is there from now on. */
  readonly isGone?: boolean
  /** What changes it, of what has no value that could be shown: `<li>.textContent = "b"`. */
  readonly doing?: string
  /** The async call whose code ran: the first part of a call runs within its caller's step. */
  readonly call: string | undefined
  /** The number of that call. */
  readonly within?: number | undefined
  /** Ordinal of the process that the call became, if it did. */
  readonly callProcess: number | undefined
  /** A number for the transaction that it is of. */
  readonly transaction?: number
  /** What was asked of a server, where it is of that. */
  readonly statement?: RecordedStatement
  /** The property that others read or assign by this: its accessor, or a trap of a Proxy, does it, of a package that they are not of. */
  readonly used?: { readonly place: SourcePlace | undefined; readonly key: RecordedKey; readonly number: number; readonly assigned?: RecordedValue }
  /** Code that is not instrumented does it, called at the place. */
  readonly isOfOpaque?: boolean
  /** Of code of a package: the call in the user's own code by which it runs, as far as that is known; and whether what is read is what that returns. */
  readonly calledAt?: SourcePlace | undefined
  readonly isAnswer?: boolean
  /** Of the user's own code: where code of another file, as of a package, has called it, or what it was called by. */
  readonly calledFrom?: SourcePlace | undefined
}

/** One step of a recorded execution. */
export interface RecordedStep {
  /** Ordinal of the process, as schedules count them. */
  readonly process: number
  /** Where the process went on: the `await`, the callback. */
  readonly place: SourcePlace | undefined
  /** The number of the call that went on. */
  readonly within?: number | undefined
  readonly accesses: readonly RecordedAccess[]
  /** Ordinals of the processes that this step created. */
  readonly spawned: readonly number[]
  /** How many of its accesses came before each of these. */
  readonly spawnedAfter: readonly number[]
  /** Virtual time advanced before this step, to this many milliseconds. */
  readonly time: number | undefined
  /** A statement was sent, or ended. */
  readonly statement?: RecordedStatement
}

/** A call of an async function. */
export interface RecordedCall {
  /** What its function is called. */
  readonly name: string
  /** The number of the call whose code called it. */
  readonly caller: number | undefined
  /** The step in which it began, and how many of its accesses came before. */
  readonly step: number
  readonly after: number
  /** Where the call is written, as far as that is known. */
  readonly place: SourcePlace | undefined
  /** Where its function is. */
  readonly code: SourcePlace | undefined
  /** Where code of another file has called it, or what it was called by, within the step. */
  readonly calledFrom?: SourcePlace | undefined
}

/** What was asked of a server. */
export interface RecordedStatement {
  /** In a transaction of this isolation level; of its own where there is none. */
  readonly level?: string | undefined
  /** With its values. */
  readonly text?: string
  /** Of a server that has words and codes of its own. */
  readonly dialect?: 'mysql' | 'sqlite'
  /** Of a store that has no statements: what was done, `get`. */
  readonly command?: string
}

/** What an explanation is made from. It survives JSON. */
export interface RecordedExecution {
  readonly steps: readonly RecordedStep[]
  /** Names of the processes, by ordinal. */
  readonly names: readonly string[]
  /** Where async calls were written that became processes, by ordinal, as far as that is known. */
  readonly begunAt: readonly (SourcePlace | undefined)[]
  /** What they were called with, by ordinal, as far as that is known: `80, "ann"`. */
  readonly begunWith: readonly (string | undefined)[]
  /** Whose calls they were, by ordinal, as far as that is known: the first part of a call runs within its caller's step, and so may what that calls. */
  readonly calledBy: readonly (number | undefined)[]
  /** The calls of async functions, by their numbers. */
  readonly calls: readonly RecordedCall[]
  /** By ordinal of a process: the number of the call that it is, as far as that is known. */
  readonly callOf: readonly (number | undefined)[]
  /** By ordinal of a process: the number of the call whose code has begun it. */
  readonly begunBy: readonly (number | undefined)[]
  /** Who had all connections of a pool, while somebody has waited for one for too long: one sentence. */
  readonly exhausted?: string
  /** Timers that were cleared before they fired, by the ordinals of their processes, in which step, and where. */
  readonly cleared?: readonly { readonly timer: number; readonly step: number; readonly place: SourcePlace | undefined }[]
  /** Steps in which a timer was to be cleared where there was none. */
  readonly clearedNothing?: readonly number[]
  /** Where the promise was made that was rejected, and that nothing handles. */
  readonly unheard?: SourcePlace | undefined
  /** Happens-before of the steps, as the engine saw it. */
  readonly order: ExecutionOrder
}
