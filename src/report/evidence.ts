import type { ExecutionOrder } from '../engine/index.ts'
import type { FailureKind } from '../engine/outcome.ts'
import { changes, type Access } from './accesses.ts'
import { assertedIn, type Asserted } from './asserted.ts'
import { Callers } from './callers.ts'
import { Descent, type Birth } from './descent.ts'
import { grouped } from './grouped.ts'
import type { ExplainInput, InputRecording, Place } from './input.ts'
import { testCodeIn } from './test-code.ts'
import { packageOf } from './places.ts'
import { isFiring } from './timeouts.ts'

/** What tells which of several findings a failure comes from. */
export interface Evidence {
  /** Names of the processes, by ordinal. */
  readonly names: readonly string[]
  readonly failure: FailureKind
  readonly order: ExecutionOrder
  /** The file of the test. */
  readonly testFile: string | undefined
  /** Whether a place is the test's own code, and not that under test. */
  readonly isTestCode: (place: Pick<Place, 'file' | 'line'> | undefined) => boolean
  /** Locations at which code looks that others than the test have called, and not only to count: what stands in for a server has such, what the test collects has not. */
  readonly lookedAt: ReadonlySet<number>
  /** Where the error was thrown is known. */
  readonly isThrowKnown: boolean
  /** Locations that the line which threw looks at. */
  readonly atThrow: ReadonlySet<number>
  /** Steps in which what is there was changed. */
  readonly changedAtThrow: ReadonlySet<number>
  /** Of code under test that has thrown: locations that it has looked at right before, with how many lines before. */
  readonly guards: ReadonlyMap<number, number>
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
  readonly birthOf: (process: number) => Birth | undefined
  /** Whether a process is another one, or comes from it. */
  readonly isFrom: (process: number, other: number) => boolean
  /** It is of a package that other packages alone have called. */
  readonly isOfInner: (place: Pick<Place, 'file'> | undefined) => boolean
  /** From where in the user's own code what a package has done was asked for. */
  readonly callerOf: (access: Access) => Place | undefined
}

export function evidenceOf({ failure: { kind, error }, recording, testFile }: Pick<ExplainInput, 'failure' | 'recording' | 'testFile'>, accesses: readonly Access[]): Evidence {
  const { names, steps } = recording
  const thrown = throwingLine(error, accesses)
  const isTestCode = testCodeIn({ recording, testFile }, accesses)
  const guards = guardsOf(error, accesses, isTestCode)
  const end = accesses.at(-1)?.step
  let callers: Callers | undefined
  let descent: Descent | undefined
  const callerOf = (access: Access): Place | undefined => (callers ??= new Callers(recording, accesses)).of(access)
  // What a package looks at for the failing line.
  const askedForAt = (line: Line | undefined): Access[] => (line === undefined ? [] : accesses.filter((access) => access.step === end && access.kind === 'read' && access.place?.file !== line.file && isOn(line, callerOf(access))))
  const atThrow = new Set([...onLine(thrown, accesses), ...askedForAt(thrown)].map(({ location }) => location))
  return {
    birthOf: (process) => (descent ??= new Descent(recording)).birthOf(process),
    isFrom: (process, other) => (descent ??= new Descent(recording)).isFrom(process, other),
    callerOf,
    isOfInner: innerPackagesOf(recording),
    names,
    failure: kind,
    order: recording.order,
    testFile,
    isTestCode,
    lookedAt: lookedAtIn(accesses.filter((access) => access.process !== 0 && access.place?.file === testFile && isCalledFromElsewhere(access, recording))),
    asserted: assertedIn(error),
    isThrowKnown: thrown !== undefined,
    atThrow,
    changedAtThrow: new Set(accesses.flatMap((access) => (changes(access) && atThrow.has(access.location) ? [access.step] : []))),
    guards: new Map(guards.map(({ access: { location }, before }) => [location, before])),
    atEnd: new Set(accesses.filter((access) => access.step === end && access.kind === 'read').map(({ location }) => location)),
    opaqueAt: new Set(accesses.flatMap(({ key, place }) => (key.kind === 'opaque' && place ? [placeId(place)] : []))),
    firing: new Map(accesses.filter(isFiring).map(({ step, process }) => [step, steps.findIndex(({ spawned }) => spawned.includes(process))])),
    givingUp: new Set(accesses.filter((access) => access.kind === 'settle' && access.key.kind === 'settled' && access.as === 'rejected').map(({ step }) => step)),
  }
}

function innerPackagesOf({ calls = [] }: Pick<InputRecording, 'calls'>): Evidence['isOfInner'] {
  const [inner, outer] = [new Set<string>(), new Set<string>()]
  for (const { code, place } of calls) {
    const called = code && packageOf(code)
    const by = place && packageOf(place)
    if (called === undefined || place === undefined || called === by) continue
    if (by === undefined) outer.add(called)
    else inner.add(called)
  }
  return (place) => {
    const of = place && packageOf(place)
    return of !== undefined && inner.has(of) && !outer.has(of)
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

const onLine = (line: Line | undefined, accesses: readonly Access[]): Access[] => (line === undefined ? [] : accesses.filter(({ place }) => isOn(line, place)))

const isOn = (line: Line, place: Place | undefined): boolean => place?.file === line.file && place.line === line.line

interface Line {
  readonly file: string
  readonly line: number
}

/** Where an error was thrown: the first line of its stack that lies in a recorded file. */
const throwingLine = (error: unknown, accesses: readonly Access[]): Line | undefined => linesOf(error, accesses)[0]

/** The lines of its stack that lie in recorded files. */
function linesOf(error: unknown, accesses: readonly Access[]): Line[] {
  const stack: unknown = typeof error === 'object' && error !== null && 'stack' in error ? error.stack : undefined
  if (typeof stack !== 'string') return []
  const files = [...new Set(accesses.flatMap(({ place }) => (place ? [place.file] : [])))]
  return stack.split('\n').flatMap((text) => {
    for (const file of files) {
      const start = text.indexOf(`${file}:`)
      const line = start < 0 ? NaN : Number.parseInt(text.slice(start + file.length + 1), 10)
      if (line > 0) return [{ file, line }]
    }
    return []
  })
}

interface Guard {
  readonly access: Access
  /** By how many lines. */
  readonly before: number
}

/** Of an error that code under test throws: what it looks at there and right before, in the step in which it does. The constructor of an error looks at nothing, and then it is who calls that. */
function guardsOf(error: unknown, accesses: readonly Access[], isTestCode: Evidence['isTestCode']): Guard[] {
  for (const { file, line } of linesOf(error, accesses).slice(0, mostLines)) {
    if (isTestCode({ file, line })) break
    const guards = accesses.flatMap((access): Guard[] => {
      const before = access.kind === 'read' && access.place?.file === file ? line - access.place.line : -1
      return before >= 0 && before < mostLines ? [{ access, before }] : []
    })
    const step = guards.at(-1)?.access.step
    if (step !== undefined) return guards.filter(({ access }) => access.step === step)
  }
  return []
}

/** Between a check and what is thrown by it, and of a stack. */
const mostLines = 4
