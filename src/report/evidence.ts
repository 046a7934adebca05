import type { ExecutionOrder } from '../engine/index.ts'
import type { FailureKind } from '../engine/outcome.ts'
import { changes, type Access } from './accesses.ts'
import { assertedIn, type Asserted } from './asserted.ts'
import { Callers } from './callers.ts'
import { Descent } from './descent.ts'
import { grouped } from './grouped.ts'
import type { ExplainInput, InputRecording, Place } from './input.ts'
import { isFiring } from './timeouts.ts'

/** What tells which of several findings a failure comes from. */
export interface Evidence {
  /** Names of the processes, by ordinal. */
  readonly names: readonly string[]
  readonly failure: FailureKind
  readonly order: ExecutionOrder
  /** The file of the test. */
  readonly testFile: string | undefined
  /** Locations at which code looks that others than the test have called, and not only to count: what stands in for a server has such, what the test collects has not. */
  readonly lookedAt: ReadonlySet<number>
  /** Where the error was thrown is known. */
  readonly isThrowKnown: boolean
  /** Locations that the line which threw looks at. */
  readonly atThrow: ReadonlySet<number>
  /** Locations that the last step reads. */
  readonly atEnd: ReadonlySet<number>
  /** Places at which code is called that is not instrumented. */
  readonly opaqueAt: ReadonlySet<string>
  /** Steps in which somebody gives up: a promise is rejected. */
  readonly givingUp: ReadonlySet<number>
  /** What the assertion that failed has found, and missed. */
  readonly asserted: Asserted
  /** Steps of timers that fire, with those in which they were set. */
  readonly firing: ReadonlyMap<number, number>
  /** Whether a process is another one, or comes from it. */
  readonly isFrom: (process: number, other: number) => boolean
  /** From where in the user's own code what a package has done was asked for. */
  readonly callerOf: (access: Access) => Place | undefined
}

export function evidenceOf({ failure: { kind, error }, recording, testFile }: Pick<ExplainInput, 'failure' | 'recording' | 'testFile'>, accesses: readonly Access[]): Evidence {
  const { names, steps } = recording
  const thrown = throwingLine(error, accesses)
  const end = accesses.at(-1)?.step
  let callers: Callers | undefined
  let descent: Descent | undefined
  return {
    isFrom: (process, other) => (descent ??= new Descent(recording)).isFrom(process, other),
    callerOf: (access) => (callers ??= new Callers(recording, accesses)).of(access),
    names,
    failure: kind,
    order: recording.order,
    testFile,
    lookedAt: lookedAtIn(accesses.filter((access) => access.process !== 0 && access.place?.file === testFile && isCalledFromElsewhere(access, recording))),
    asserted: assertedIn(error),
    isThrowKnown: thrown !== undefined,
    atThrow: new Set(onLine(thrown, accesses).map(({ location }) => location)),
    atEnd: new Set(accesses.filter((access) => access.step === end && access.kind === 'read').map(({ location }) => location)),
    opaqueAt: new Set(accesses.flatMap(({ key, place }) => (key.kind === 'opaque' && place ? [placeId(place)] : []))),
    firing: new Map(accesses.filter(isFiring).map(({ step, process }) => [step, steps.findIndex(({ spawned }) => spawned.includes(process))])),
    givingUp: new Set(accesses.filter((access) => access.kind === 'settle' && access.key.kind === 'settled' && access.as === 'rejected').map(({ step }) => step)),
  }
}

export const placeId = ({ file, line, column }: Place): string => `${file}:${line}:${column}`

/** Whether code of another file has a part in that it runs, as far as that is known: what the test does itself it does by calls of its own alone. */
function isCalledFromElsewhere({ within, process, place }: Access, { calls = [], begunBy = [] }: Pick<InputRecording, 'calls' | 'begunBy'>): boolean {
  let call = within ?? begunBy[process]
  if (call === undefined) return true
  for (; call !== undefined; call = calls[call]?.caller) {
    const isElsewhere = (one: Place | undefined): boolean => one !== undefined && one.file !== place?.file
    if (isElsewhere(calls[call]?.code) || isElsewhere(calls[call]?.place)) return true
  }
  return false
}

/** Where a step looks that does not change what is there. */
function lookedAtIn(accesses: readonly Access[]): Set<number> {
  const deeds = grouped(accesses, ({ step, process, location }) => `${step} ${process} ${location}`)
  return new Set([...deeds.values()].filter((own) => !own.some(changes)).map(([access]) => access!.location))
}

/** Locations that the failing line looks at, or the last step. */
export const seenAtFailure = ({ atThrow, atEnd }: Evidence): ReadonlySet<number> => new Set([...atThrow, ...atEnd])

/** What the line that threw does. */
export const doneAtThrow = (error: unknown, accesses: readonly Access[]): readonly Access[] => onLine(throwingLine(error, accesses), accesses)

const onLine = (line: { file: string; line: number } | undefined, accesses: readonly Access[]): Access[] => accesses.filter(({ place }) => line !== undefined && place?.file === line.file && place.line === line.line)

/** Where an error was thrown: the first line of its stack that lies in a recorded file. */
function throwingLine(error: unknown, accesses: readonly Access[]): { file: string; line: number } | undefined {
  const stack: unknown = typeof error === 'object' && error !== null && 'stack' in error ? error.stack : undefined
  if (typeof stack !== 'string') return undefined
  const files = [...new Set(accesses.flatMap(({ place }) => (place ? [place.file] : [])))]
  for (const line of stack.split('\n')) {
    for (const file of files) {
      const start = line.indexOf(`${file}:`)
      const number = start < 0 ? NaN : Number.parseInt(line.slice(start + file.length + 1), 10)
      if (number > 0) return { file, line: number }
    }
  }
  return undefined
}
