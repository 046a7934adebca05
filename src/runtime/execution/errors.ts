import type { Divergence } from '../../engine/errors.ts'
import { placeOf, type SourcePlace } from './sources.ts'

/** Where something waits for what never comes. */
export interface Waiting {
  readonly process: string
  /** The await of the outermost call. */
  readonly place: SourcePlace | undefined
  /** The awaits of the calls inside that, down to the one that nothing settles. */
  readonly inner: readonly (SourcePlace | undefined)[]
  /** Names of the processes of these calls, the outermost first. */
  readonly line: readonly string[]
  /** The lines of control that have to go on before it can, itself perhaps, where that is known for certain. */
  readonly waitsFor: readonly string[]
}

/** Nothing can run, and something is not finished. */
export class DeadlockError extends Error {
  override readonly name = 'DeadlockError'
  readonly waiting: readonly Waiting[]

  constructor(waiting: readonly Waiting[]) {
    const list = waiting.map(({ process, place, inner }) => `${process} at ${[place, ...inner].map(describePlace).join(', inside at ')}`)
    super(`nothing can run any more, and this waits for ever: ${list.join('; ')}`)
    this.waiting = waiting
  }
}

/** A loop that waits by asking again. */
export interface Asking {
  readonly process: string
  readonly place: SourcePlace | undefined
  /** What it looks at, as the source has it. */
  readonly looks: readonly string[]
}

/** Nothing can run any more but loops that ask again and again what nobody can change. */
export class LivelockError extends Error {
  override readonly name = 'LivelockError'
  readonly asking: readonly Asking[]

  constructor(asking: readonly Asking[]) {
    const list = asking.map(({ process, place, looks }) => `${process} at ${describePlace(place)}${looks.length > 0 ? `, which looks at ${looks.join(', ')}` : ''}`)
    super(`nobody can change any more what this asks for again and again: ${list.join('; ')}`)
    this.asking = asking
  }
}

/** An execution was given up, as it would not have ended in time. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime'

  /** Whether this is such an error, or what a test framework shows of one. */
  static is(error: unknown): boolean {
    if (error instanceof OutOfTime) return true
    const shown = error as Partial<Error> | null | undefined
    return typeof shown === 'object' && shown?.name === 'OutOfTime' && shown.message === ''
  }
}

/** A body does something to the platform with which nothing can be explored any more. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'

  /** @param advice what to do instead */
  constructor(what: string, place: SourcePlace | undefined, advice: string) {
    super(`the body cannot be explored: at ${describePlace(place)} ${what}. ${advice}, or call the code in question without an exploration, in a plain test.`)
  }
}

/** The same schedule led to different steps: something that the tool does not control decides what the body does. */
export class NondeterminismError extends Error {
  override readonly name = 'NondeterminismError'
  readonly place: SourcePlace | undefined
  /** What is said of it where files, rows or servers outside may be why: their state is not put back, so this is no fault of the body's. */
  readonly ofOutside: string | undefined
  /** Vitest points its code frame there. */
  readonly stacks: readonly { file: string; line: number; column: number; method: string }[]

  constructor(what: string, place: SourcePlace | undefined, opaque: Opaque = { names: [], packages: [], outside: [] }) {
    super(
      `the execution diverged at ${describePlace(place)}: ${what}. The same schedule must lead to the same steps, ` +
        'so no verdict is given. Usual causes: random numbers or time from a module that is not instrumented, real I/O, ' +
        'state in such a module that outlives an execution. Replace it by a fake, or reset it at the start of the body.' +
        (opaque.reachesOutside ? ` ${outsideStays}.` : '') +
        adviceOn(opaque),
    )
    this.place = place
    const cause = opaque.lost === undefined ? `${outsideStays}: reset them at the start of the body` : `A connection to a server was lost meanwhile: ${opaque.lost}`
    this.ofOutside = opaque.reachesOutside ? `what the body does outside was not the same another time, at ${describePlace(place)}: ${what}. ${cause}` : undefined
    this.stacks = place ? [{ file: place.file, line: place.line, column: place.column, method: '' }] : []
    this.stack = `${this.name}: ${this.message}${place ? `\n    at ${place.file}:${place.line}:${place.column}` : ''}`
  }
}

const outsideStays = 'What servers keep, or code that is not seen has left in files, is not put back after an execution, nor are rows and keys, but for those of databases for tests (options io.postgres.reset and io.redis.reset)'

/** What an execution called that is not instrumented, and the packages that it is of, or may be of. */
export interface Opaque {
  readonly names: readonly string[]
  readonly packages: readonly string[]
  /** Async functions that such code called outside of any step. */
  readonly outside: readonly string[]
  /** The execution has done something outside: what it left there is not put back. */
  readonly reachesOutside?: boolean
  /** Why a connection to a server was lost meanwhile. */
  readonly lost?: string | undefined
}

function adviceOn({ names, packages, outside }: Opaque): string {
  const ran = outside.length > 0 ? ` Called by such code outside of any step, so that nothing is put back: ${outside.slice(0, 5).join(', ')}.` : ''
  if (names.length === 0) return ran
  const called = ` Called here and not instrumented: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ' and others' : ''}.${ran}`
  if (packages.length === 0) return called
  return `${called} What a package keeps is seen, and put back after each execution, with dpor({ inline: ['auto', ${packages.slice(0, 5).map((name) => `'${name}'`).join(', ')}] }).`
}

export function describePlace(place: SourcePlace | undefined): string {
  if (!place) return 'a place that is not instrumented'
  return `${relative(place.file)}:${place.line}:${place.column}${place.text ? ` (${place.text})` : ''}`
}

function relative(file: string): string {
  const base = `${globalThis.process?.cwd?.() ?? ''}/`
  return file.startsWith(base) ? file.slice(base.length) : file
}

/** The first access in which two runs of one step differ. */
export function placeOfDivergence({ expected, actual }: Pick<Divergence, 'expected' | 'actual'>): SourcePlace | undefined {
  const index = actual.findIndex((access, i) => {
    const other = expected[i]
    return !other || other.location !== access.location || other.kind !== access.kind
  })
  const access = index >= 0 ? actual[index] : expected[actual.length]
  return placeOf(access?.site ?? 0)
}
