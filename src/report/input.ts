import type { ExecutionOrder } from '../engine/index.ts'
import type { FailureKind } from '../engine/outcome.ts'
import type { Experiment } from './experiment.ts'

/** A place in a source file, lines from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The expression as written there. */
  readonly text: string
}

/** A value, as it was at the moment of an access. */
export interface InputValue {
  readonly type: 'undefined' | 'null' | 'boolean' | 'number' | 'string' | 'bigint' | 'symbol' | 'function' | 'object'
  /** The value on one short line. */
  readonly text: string
  /** More of it, where that line leaves something out. */
  readonly whole?: string | undefined
  /** Of an object that has one: two objects that look the same may be different ones. Below 0 it tells objects of this execution apart, and no other. */
  readonly identity?: number | undefined
}

/** What of an object an access is about. */
export type InputKey =
  | { readonly kind: 'property'; readonly name: string }
  /** A property whose name is a symbol. */
  | { readonly kind: 'symbol'; readonly description: string }
  | { readonly kind: 'element'; readonly index: number }
  /** The entry of a Map or Set for a primitive, */
  | { readonly kind: 'entry'; readonly key: InputValue }
  /** Who listens to an event: how many. */
  | { readonly kind: 'listeners'; readonly event: InputValue }
  /** or for an object, which is called so. */
  | { readonly kind: 'entry of object'; readonly object: number; readonly name: string }
  /** Which keys or entries there are, how many, and in which order; `size`: the property that says how many, if there is one. */
  | { readonly kind: 'order'; readonly size?: 'length' | 'size' }
  | { readonly kind: 'byte'; readonly offset: number }
  /** Whether properties can be added, changed and removed. */
  | { readonly kind: 'extensibility' }
  /** `setter`: the function that is called to give it a value, where a package keeps it: `const [text, setText] = useState('')`. */
  | { readonly kind: 'variable'; readonly name: string; readonly setter?: string }
  /** What a built-in keeps inside; what code keeps to itself that is not instrumented. */
  | { readonly kind: 'state' }
  | { readonly kind: 'opaque' }
  /** Of a promise: whether and how it is settled, and whether something will see its rejection. */
  | { readonly kind: 'settled' }
  | { readonly kind: 'handled' }
  /** In which order something waits for it; whether a part of a combinator has counted. */
  | { readonly kind: 'reactions' }
  | { readonly kind: 'part'; readonly index: number }
  /** How many ask for the moment in which it is settled. */
  | { readonly kind: 'watched' }
  /** Of a timer: whether it has fired or was cleared. */
  | { readonly kind: 'fired' }
  /** The virtual time. */
  | { readonly kind: 'clock' }
  | { readonly kind: 'resource'; readonly key?: string | number | undefined }
  /** Which rows a table has, and what is in them. */
  | { readonly kind: 'rows' }
  /** What a store has under one key, by which the object is called. */
  | { readonly kind: 'stored' }
  /** What a package keeps, and hands out when it is asked so: `store.getState()`. */
  | { readonly kind: 'answer'; readonly call: string }

/**
 * What an access does to its location. `assign` gives it a value whatever was there, `increase` adds a number; `append` puts something
 * at the end; `insert` and `remove` are of a key; `settle` is of a promise or a timer, and `wait` was enabled by that.
 */
export type InputAccessKind = 'read' | 'write' | 'assign' | 'increase' | 'append' | 'insert' | 'remove' | 'settle' | 'wait'

/** What a look at a location tells apart. */
export type InputLook = 'value' | 'presence' | 'integer' | 'size' | 'order'

/** One access of the execution to explain. */
export interface InputAccess {
  readonly kind: InputAccessKind
  readonly location: number
  readonly place: Place | undefined
  /** The object, */
  readonly object: number
  /** what a reader calls it (`account`, empty where it has no name), */
  readonly owner: string
  /** (where it is a package's own affair within that, the way to it: `` of `count.value_`, `list` of `cache.list[0]`) */
  readonly inside?: string | undefined
  /** and what of it was accessed. */
  readonly key: InputKey
  /** What was found there, or put there. */
  readonly value: InputValue
  /** What a read looked at. */
  readonly look?: InputLook | undefined
  /** The key that came or went. */
  readonly member?: InputValue | undefined
  /** What an increase found. */
  readonly found?: InputValue | undefined
  /** How a promise was settled; of a read, how it would have been, had this not come too late. */
  readonly as?: 'fulfilled' | 'rejected' | undefined
  /** It is taken away: `delete cart.total`. */
  readonly isGone?: boolean | undefined
  /** What changed it, where no value says that: `<li>.textContent = "b"`. */
  readonly doing?: string | undefined
  /** The async call whose code ran. */
  readonly call?: string | undefined
  /** The number of that call. */
  readonly within?: number | undefined
  /** Ordinal of the process that the call became: its first part runs within its caller's step. */
  readonly callProcess?: number | undefined
  /** A number for the transaction of a database that it is of. */
  readonly transaction?: number | undefined
  /** What was asked of a server, where it is of that. */
  readonly statement?: InputStatement | undefined
  /** The property of the object that is read or assigned by this, where its accessor, or a trap of a Proxy, does it; with a number for each time, and what it is assigned. */
  readonly used?: { readonly place: Place | undefined; readonly key: InputKey; readonly number: number; readonly assigned?: InputValue | undefined } | undefined
  /** Code that is not instrumented does it, called at the place. */
  readonly isOfOpaque?: boolean | undefined
  /** Of code of a package: the call in the user's own code by which it runs, as far as that is known; and whether what is read is what that returns. */
  readonly calledAt?: Place | undefined
  readonly isAnswer?: boolean | undefined
  /** Of the user's own code: where code of another file, as of a package, has called it, or what it was called by. */
  readonly calledFrom?: Place | undefined
}

/** One step: what a process does between two switch points. */
export interface InputStep {
  readonly process: number
  readonly place: Place | undefined
  /** The number of the call that went on. */
  readonly within?: number | undefined
  readonly accesses: readonly InputAccess[]
  /** Ordinals of the processes that this step created. */
  readonly spawned: readonly number[]
  /** How many of its accesses came before each of these, as far as that is known. */
  readonly spawnedAfter?: readonly number[]
  /** Virtual time advanced to this before the step. */
  readonly time: number | undefined
  /** A statement was sent, or ended. */
  readonly statement?: InputStatement
}

/** In a transaction of this isolation level, or of its own; or a command of a store that has no statements. */
export interface InputStatement {
  readonly level?: string | undefined
  readonly text?: string
  readonly dialect?: 'mysql' | 'sqlite'
  readonly command?: string
}

/** A call of an async function. */
export interface InputCall {
  /** What its function is called, as far as that is known. */
  readonly name?: string
  /** The number of the call whose code called it. */
  readonly caller: number | undefined
  /** The step in which it began, and how many of its accesses came before. */
  readonly step: number
  readonly after: number
  /** Where the call is written, as far as that is known. */
  readonly place: Place | undefined
  /** Where its function is. */
  readonly code: Place | undefined
  /** Where code of another file has called it, or what it was called by, within the step. */
  readonly calledFrom?: Place | undefined
}

/** The failing execution, as it was recorded. */
export interface InputRecording {
  readonly steps: readonly InputStep[]
  /** Names of the processes, by ordinal. */
  readonly names: readonly string[]
  /** Where async calls were written that became processes, by ordinal, as far as that is known. */
  readonly begunAt?: readonly (Place | undefined)[]
  /** What they were called with, by ordinal, as far as that is known: `80, "ann"`. */
  readonly begunWith?: readonly (string | undefined)[]
  /** Whose calls they were, by ordinal, as far as that is known. */
  readonly calledBy?: readonly (number | undefined)[]
  /** The calls of async functions, by their numbers, as far as they are known. */
  readonly calls?: readonly InputCall[]
  /** By ordinal of a process: the number of the call that it is, as far as that is known. */
  readonly callOf?: readonly (number | undefined)[]
  /** By ordinal of a process: the number of the call whose code has begun it. */
  readonly begunBy?: readonly (number | undefined)[]
  /** Who had all connections of a pool, while somebody has waited for one for too long: one sentence. */
  readonly exhausted?: string
  /** Timers that were cleared before they fired, by the ordinals of their processes, in which step, and where. */
  readonly cleared?: readonly InputCleared[]
  /** Steps in which a timer was to be cleared where there was none. */
  readonly clearedNothing?: readonly number[]
  /** Where the promise was made that was rejected, and that nothing handles. */
  readonly unheard?: Place | undefined
  /** Happens-before of the steps and their races, as the engine saw them. */
  readonly order: ExecutionOrder
}

/** A timer that was cleared before it fired. */
export interface InputCleared {
  /** Ordinal of its process. */
  readonly timer: number
  readonly step: number
  readonly place: Place | undefined
}

/** A process that waits for ever. */
export interface InputWaiting {
  readonly process: string
  /** The await of its outermost call. */
  readonly place: Place | undefined
  /** The awaits of the calls inside that. */
  readonly inner?: readonly (Place | undefined)[]
  /** Names of the processes of all these calls, the outermost one first. */
  readonly line?: readonly string[]
  /** Names of the processes that have to go on before it can, its own perhaps, where that is known for certain. */
  readonly waitsFor?: readonly string[] | undefined
}

export interface ExplainInput {
  readonly recording: InputRecording
  readonly failure: {
    readonly kind: FailureKind
    readonly error: unknown
    readonly schedule: string
    readonly execution: number
  }
  /** What the command line is given to replay the failure; where there is one. */
  readonly commandLineReplay?: string | undefined
  /** Of the random numbers, where a replay has to be given it. */
  readonly seed?: number | undefined
  /** It is a test of `test` or `it`, which has no option for a replay. */
  readonly isOrdinary?: boolean
  /** What running other orders has shown. */
  readonly experiment?: Experiment | undefined
  /** Complete executions so far. */
  readonly executions: number
  /** Whether `executions` is final; otherwise there may be more. */
  readonly complete: boolean
  /** Timers fire also before what they compete with. */
  readonly timersRace?: boolean
  /** Steps are events of the platform, such as answers. */
  readonly isByEvents?: boolean
  /** What stood for I/O then, by name: in the plain run it answers at once. */
  readonly standIns?: readonly string[] | undefined
  /** The execution has the order of a plain run: the test fails without this package as well. */
  readonly isPlain?: boolean
  /** It is the one schedule that was asked for: no other order was run, which could show what the failure comes from. */
  readonly isReplay?: boolean
  /** The plain run fails, whether this is it or not. */
  readonly plainFails?: boolean
  readonly waiting?: readonly InputWaiting[] | undefined
  /** Paths are shown relative to this directory. */
  readonly root: string
  /** Where in the source a place stands of a file that was made from it, and what a variable is called there that has another name now; undefined where nothing tells. */
  readonly original?: (place: Place) => (Place & { readonly name?: string }) | undefined
  /** Name of the test. */
  readonly name: string
  /** Its file. */
  readonly testFile?: string | undefined
}
