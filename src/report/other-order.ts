import { accessesOf, changes, isOfControl, type Access } from './accesses.ts'
import { grouped } from './grouped.ts'
import type { InputRecording } from './input.ts'
import { areUnnamed, looksSame } from './values.ts'

/** An execution of another order as it was written down, with the numbers that processes and locations have in the failing one. */
export type OtherRecording = Pick<InputRecording, 'steps' | 'names'>

type Deeds = ReadonlyMap<string, readonly Access[]>

/** Where what the failing execution does comes in another order. */
export class OtherOrder {
  readonly recording: OtherRecording
  readonly accesses: readonly Access[]
  readonly #all: readonly Access[]
  readonly #failing: Begun
  readonly #deedIn: (access: Access) => string
  readonly #hasSameObjects: boolean
  /** By what is done, in this order and in the failing execution, once somebody asks. */
  #deeds: { readonly here: Deeds; readonly failing: Deeds } | undefined

  constructor(recording: OtherRecording, failing: Begun & { readonly accesses: readonly Access[] }, { hasSameObjects }: SameObjects) {
    this.recording = recording
    this.accesses = accessesOf(recording)
    this.#all = failing.accesses
    this.#failing = failing
    this.#hasSameObjects = hasSameObjects
    this.#deedIn = (access) => `${hasSameObjects ? access.location : nameOf(access)} ${doingOf(access)}`
  }

  /** The same access, as far as who does what at which line, and how often before, says it. */
  counterpart(access: Access): Access | undefined {
    const { here, failing } = (this.#deeds ??= { here: grouped(this.accesses, this.#deedIn), failing: grouped(this.#all, this.#deedIn) })
    const deed = this.#deedIn(access)
    const count = failing.get(deed)!.findIndex(({ index }) => index === access.index)
    return here.get(deed)?.[count]
  }

  /** What some process does at the same line, after as many others, if this one never does it here. */
  #like(access: Access): Access | undefined {
    if (this.#hasSameObjects || this.#deeds!.here.has(this.#deedIn(access))) return undefined
    return this.accesses.filter(isLike(access))[this.#all.filter(isLike(access)).findIndex(({ index }) => index === access.index)]
  }

  /** The same line does so at that location less often here, whoever it is for. */
  isDoneLess(access: Access): boolean {
    const count = this.accesses.filter(isLike(access)).length
    return count > 0 && count < this.#all.filter(isLike(access)).length
  }

  /** Whether something else is found, or put, there. Undefined where it is not done here. */
  differs(access: Access): boolean | undefined {
    return this.#differsFrom(access, this.counterpart(access))
  }

  /** The same of what another process does at the same line where this one does not: where calls do not overlap it may be of that. */
  differsForAnybody(access: Access): boolean | undefined {
    return this.#differsFrom(access, this.counterpart(access) ?? this.#like(access))
  }

  #differsFrom(access: Access, other: Access | undefined): boolean | undefined {
    if (!other) return undefined
    return areUnnamed(access.value, other.value) ? this.#isPutByOther(access, other) : !looksSame(access.value, other.value)
  }

  /** Of two objects of which nothing is known, such as promises: whether something else has put the one there than the other. */
  #isPutByOther(access: Access, other: Access): boolean {
    const putHere = lastPut(other, this.accesses)
    const put = lastPut(access, this.#all)
    return put === undefined ? putHere !== undefined : this.counterpart(put)?.index !== putHere?.index
  }

  /** Nothing that its step looks at there tells this order apart, or nobody acts by it. */
  findsTheSame(look: Access): boolean {
    const looks = this.#all.filter(({ step, process, location, kind }) => kind === 'read' && step === look.step && process === look.process && location === look.location)
    return looks.every((one) => this.differs(one) === false || this.isIdle(one))
  }

  /** It is not done here, as the same step has found something else before it. */
  hasTurned(access: Access): boolean {
    if (this.counterpart(access)) return false
    return this.#all.some((other) => other.step === access.step && other.process === access.process && other.index < access.index && other.kind === 'read' && this.differs(other) === true)
  }

  /** Whatever is found by it, its process does the same after that, and begins nothing: nobody acts by what it has found. */
  isIdle(look: Access): boolean {
    const here = this.counterpart(look)
    if (!here || beginsAfter(look, this.#failing) || beginsAfter(here, this.recording)) return false
    const deedsAfter = ({ process, index }: Access, all: readonly Access[]): string[] => all.filter((access) => access.process === process && access.index > index && changes(access)).map((access) => `${this.#deedIn(access)} ${access.value.text}`)
    return deedsAfter(look, this.#all).join('\n') === deedsAfter(here, this.accesses).join('\n')
  }

  /** Whatever is found by it, its process changes the same things after that, if not to the same values, and begins nothing. */
  leadsToTheSame(look: Access): boolean {
    const here = this.counterpart(look)
    if (!here || beginsAfter(look, this.#failing) || beginsAfter(here, this.recording)) return false
    const deedsAfter = ({ process, index }: Access, all: readonly Access[]): string => all.flatMap((access) => (access.process === process && access.index > index && changes(access) ? [this.#deedIn(access)] : [])).join('\n')
    return deedsAfter(look, this.#all) === deedsAfter(here, this.accesses)
  }

  /** What it finds decides at which place the step goes on. */
  leadsElsewhere(look: Access): boolean {
    const here = this.counterpart(look)
    return here !== undefined && this.differs(look) === true && nextPlace(look, this.#all) !== nextPlace(here, this.accesses)
  }

  /** Nothing comes between the two at their location. */
  areNeighbours(one: Access, other: Access): boolean {
    const [here, there] = [this.counterpart(one), this.counterpart(other)]
    if (!here || !there) return false
    const [from, to] = [Math.min(here.index, there.index), Math.max(here.index, there.index)]
    return !this.accesses.some((access) => access.index > from && access.index < to && access.location === here.location && changes(access))
  }

  /** The same step of the failing execution, as far as anything that it does is done here too. */
  stepLike(step: number): number | undefined {
    for (const access of this.#all) {
      const here = access.step === step ? this.counterpart(access) : undefined
      if (here) return here.step
    }
    return undefined
  }

  /** Whether all of them are done here too, one after the other. */
  hasInOrder(...accesses: readonly Access[]): boolean {
    const here = accesses.map((access) => this.counterpart(access)?.index)
    return here.every((index, i) => index !== undefined && (i === 0 || here[i - 1]! < index))
  }

  /** Whether both happen, the first one in an earlier step. Where calls do not overlap, another process may do that at the same line. */
  comesBefore(first: Access, second: Access): boolean {
    const [one, other] = [this.counterpart(first) ?? this.#like(first), this.counterpart(second) ?? this.#like(second)]
    return one !== undefined && other !== undefined && one.step < other.step
  }
}

/** The last change there, this one included. */
const lastPut = ({ location, index }: Access, all: readonly Access[]): Access | undefined => all.findLast((access) => access.location === location && access.index <= index && changes(access))

/** What the steps of an execution have begun. */
type Begun = Pick<InputRecording, 'steps'>

const beginsAfter = ({ step, process }: Access, { steps }: Begun): boolean => steps.some((one, at) => at >= step && one.process === process && one.spawned.length > 0)

function doingOf({ process, kind, place }: Access): string {
  return `${process} ${kind} ${place ? `${place.file}:${place.line}:${place.column}` : ''}`
}

const isAtPlaceOf = ({ place: one }: Access, { place: other }: Access): boolean => one !== undefined && one.file === other?.file && one.line === other.line && one.column === other.column

/** The same line does the same at a location of that name. */
const isLike = (access: Access): ((other: Access) => boolean) => (other) => other.kind === access.kind && nameOf(other) === nameOf(access) && isAtPlaceOf(other, access)

const nameOf = ({ owner, key }: Access): string => `${owner} ${JSON.stringify(key)}`

interface SameObjects {
  /** Objects and locations have the numbers that they have in the failing execution; otherwise they are known by their names. */
  readonly hasSameObjects: boolean
}

/** @param failing the failing execution */
export function otherOrder(recording: OtherRecording, failing: Pick<InputRecording, 'steps'>, same: SameObjects): OtherOrder {
  return new OtherOrder(recording, { steps: failing.steps, accesses: accessesOf(failing) }, same)
}

/** Where the step goes on after a look. */
function nextPlace({ step, process, index }: Access, all: readonly Access[]): string {
  const place = all.find((access) => access.index > index && access.step === step && access.process === process && !isOfControl(access))?.place
  return place ? `${place.file}:${place.line}:${place.column}` : ''
}
