import type { FailureKind } from '../engine/outcome.ts'

/** A place in a source file, lines from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The expression as written there. */
  readonly text: string
}

/** One access of the execution to explain. */
export interface InputAccess {
  /** `add` commutes with other adds; `settle` and `wait` are of a promise. */
  readonly kind: 'read' | 'write' | 'add' | 'wait' | 'settle'
  readonly location: number
  readonly place: Place | undefined
  /** What a reader calls the location: `account.balance`. */
  readonly label: string
  readonly value: string
  /** The async call whose code ran. */
  readonly call?: string | undefined
  /** Ordinal of the process that the call became: its first part runs within its caller's step. */
  readonly callProcess?: number | undefined
}

/** One step: what a process does between two switch points. */
export interface InputStep {
  readonly process: number
  readonly place: Place | undefined
  readonly accesses: readonly InputAccess[]
  /** Ordinals of the processes that this step created. */
  readonly spawned: readonly number[]
  /** Virtual time advanced to this before the step. */
  readonly time: number | undefined
}

/** The failing execution, as it was recorded. */
export interface InputRecording {
  readonly steps: readonly InputStep[]
  /** Names of the processes, by ordinal. */
  readonly names: readonly string[]
}

/** A process that waits for ever. */
export interface InputWaiting {
  readonly process: string
  /** The await of its outermost call. */
  readonly place: Place | undefined
  /** The awaits of the calls inside that. */
  readonly inner?: readonly (Place | undefined)[]
  /** Name of the process it waits for, where that is known for certain. */
  readonly waitsFor?: string | undefined
}

export interface ExplainInput {
  readonly recording: InputRecording
  readonly failure: {
    readonly kind: FailureKind
    readonly error: unknown
    readonly schedule: string
    readonly execution: number
  }
  /** Complete executions so far. */
  readonly executions: number
  /** Whether `executions` is final; otherwise there may be more. */
  readonly complete: boolean
  readonly waiting?: readonly InputWaiting[] | undefined
  /** Paths are shown relative to this directory. */
  readonly root: string
  /** Name of the test. */
  readonly name: string
}
