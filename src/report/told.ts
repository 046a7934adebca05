import type { Access } from './accesses.ts'
import type { Begin } from './begins.ts'
import { waitText, type Waiter } from './deadlock.ts'
import type { Pair } from './experiment.ts'
import type { Explanation } from './explanation.ts'
import type { Place } from './input.ts'
import type { Labels } from './labels.ts'
import type { NumberOf } from './notes.ts'
import type { Scene } from './story.ts'
import { rowText } from './words.ts'

/** A row is of an access, of a process that waits for ever, or of a call that nobody waits for. */
type Subject = Access | Waiter | Begin

/** A row before it has a number. */
export interface Line {
  readonly process: number
  readonly step: number
  readonly place: Place | undefined
  /** From where in the user's own code that was called, where it is in a package. */
  readonly via?: Place | undefined
  readonly text: string
  readonly subject: Subject
}

/** A line of another order, with the number that it has in the failing one. */
export interface NumberedLine extends Line {
  /** What it is in the failing execution. */
  readonly original: Access
}

/** What an explanation says besides the facts of the failure itself. */
export type Told = Pick<Explanation, 'kind' | 'headline'> & {
  readonly lines: readonly Line[]
  /** The process that a process is to a reader. */
  readonly requestOf?: (process: number) => number
  /** What the body is to a reader, where that is not the test. */
  readonly bodyIs?: string
  readonly notes?: (numberOf: NumberOf) => Map<Subject, string>
  readonly racing?: { readonly first: Place | undefined; readonly second: Place | undefined }
  readonly focus?: Place | undefined
  /** Where code under test, or a package, calls those whose code is the test's own. */
  readonly runBy?: readonly { readonly name: string; readonly place: Place }[]
  /** What would mend it. */
  readonly remedy?: string | undefined
  /** Without this order of the two the test passes. */
  readonly passesWith?: Pair | undefined
  /** The same lines in the passing order. */
  readonly passing?: readonly NumberedLine[] | undefined
  readonly alsoWaiting?: readonly Waiter[]
}

export function lineOf({ access, from }: Scene, labels: Labels): Line {
  const { process, step, place } = access
  return { process, step, place, text: rowText(access, { from, labels }), subject: access }
}

export function beginLine(begin: Begin, names: readonly string[]): Line {
  return { process: begin.process, step: begin.step, place: begin.place, text: `call ${names[begin.begun]}`, subject: begin }
}

export function waitLine(waiter: Waiter): Line {
  return { process: waiter.process, step: waiter.lastStep, place: waiter.waiting.place, text: waitText(waiter), subject: waiter }
}
