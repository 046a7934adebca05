import { accessesOf, type Access } from './accesses.ts'
import { grouped } from './grouped.ts'
import type { InputRecording } from './input.ts'

/** An execution of another order as it was written down, with the numbers that processes and locations have in the failing one. */
export type OtherRecording = Pick<InputRecording, 'steps' | 'names'>

/** Where what the failing execution does comes in another order. */
export class OtherOrder {
  readonly recording: OtherRecording
  readonly accesses: readonly Access[]
  readonly #deedIn: (access: Access) => string
  readonly #failing: ReadonlyMap<string, readonly Access[]>
  readonly #here: ReadonlyMap<string, readonly Access[]>

  /** @param failing the accesses of the failing execution */
  constructor(recording: OtherRecording, failing: readonly Access[], { hasSameObjects }: SameObjects) {
    this.recording = recording
    this.accesses = accessesOf(recording)
    this.#deedIn = (access) => `${hasSameObjects ? access.location : nameOf(access)} ${doingOf(access)}`
    this.#failing = grouped(failing, this.#deedIn)
    this.#here = grouped(this.accesses, this.#deedIn)
  }

  /** The same access, as far as who does what at which line, and how often before, says it. */
  counterpart(access: Access): Access | undefined {
    const deed = this.#deedIn(access)
    const count = this.#failing.get(deed)!.findIndex(({ index }) => index === access.index)
    return this.#here.get(deed)?.[count]
  }

  /** Whether both happen, the first one in an earlier step. */
  comesBefore(first: Access, second: Access): boolean {
    const [one, other] = [this.counterpart(first), this.counterpart(second)]
    return one !== undefined && other !== undefined && one.step < other.step
  }
}

function doingOf({ process, kind, place }: Access): string {
  return `${process} ${kind} ${place ? `${place.file}:${place.line}:${place.column}` : ''}`
}

const nameOf = ({ owner, key }: Access): string => `${owner} ${JSON.stringify(key)}`

interface SameObjects {
  /** Objects and locations have the numbers that they have in the failing execution; otherwise they are known by their names. */
  readonly hasSameObjects: boolean
}

/** @param failing the failing execution */
export function otherOrder(recording: OtherRecording, failing: Pick<InputRecording, 'steps'>, same: SameObjects): OtherOrder {
  return new OtherOrder(recording, accessesOf(failing), same)
}
