import { isTold, type Access } from './accesses.ts'
import { Descent } from './descent.ts'
import { grouped } from './grouped.ts'
import type { InputAccess, InputCall, InputRecording, Place } from './input.ts'
import { isOfPackage } from './places.ts'

/** Where code of a call, or of a process, was at a moment: the position of the access, or of the first one of a step. */
interface Stay {
  readonly index: number
  readonly process: number
  readonly within: number | undefined
  readonly place: Place
}

/** A moment of a call, or of a process, with what it has done itself. */
type Moment = Pick<Stay, 'index' | 'process' | 'within'>

/** From where in the user's own code something in a package was called. */
export class Callers {
  readonly #descent: Descent
  readonly #calls: readonly InputCall[]
  readonly #begunBy: readonly (number | undefined)[]
  /** By call, and by process for what is of none: where it was, in order. */
  readonly #stays: ReadonlyMap<string, readonly Stay[]>
  /** By step: the position of its first access. */
  readonly #firsts: readonly number[]

  constructor(recording: Pick<InputRecording, 'steps' | 'order' | 'calledBy' | 'calls' | 'begunBy'>, accesses: readonly Access[]) {
    const { steps, calls = [], begunBy = [] } = recording
    this.#descent = new Descent(recording)
    this.#calls = calls.map((call) => ({ ...call, after: toldOf(steps[call.step]!.accesses.slice(0, call.after)) }))
    this.#begunBy = begunBy
    this.#firsts = firstsOf(recording)
    const wentOn = steps.flatMap(({ process, place, within }, step) => ({ process, place, within, index: this.#firsts[step]! }))
    const placed = [...wentOn, ...accesses].filter((stay): stay is Stay => stay.place !== undefined).toSorted((one, other) => one.index - other.index)
    this.#stays = grouped(placed, keyOf)
  }

  /** The last place in the user's own code of the calls that this one is of. Undefined where the access itself is there. */
  of({ process, within, index, place, calledAt }: Access): Place | undefined {
    if (!place || !isOfPackage(place)) return undefined
    if (calledAt) return calledAt
    // The first process counts as begun by itself where something else has begun it.
    const seen = new Set<string>()
    for (let at: Moment | undefined = { process, within, index }; at !== undefined && !seen.has(momentOf(at)); at = this.#above(at)) {
      seen.add(momentOf(at))
      const found = this.#placeIn(at)
      if (found) return found
    }
    return undefined
  }

  /** Where a function of a package was called; of the user's own, where it was. What it has called itself, such as a callback, is not where it was called from. */
  #placeIn(at: Moment): Place | undefined {
    const { place, code } = (at.within === undefined ? undefined : this.#calls[at.within]) ?? {}
    if (code && isOfPackage(code)) return place && !isOfPackage(place) ? place : undefined
    const stays = this.#stays.get(keyOf(at)) ?? []
    const found = stays.findLast((one) => one.index <= at.index && !isOfPackage(one.place))
    return found && at.within === undefined && this.#isCallback(found, stays) ? undefined : found?.place
  }

  /** Where nobody knows whose code calls whose: a step that begins in a package has called the user's code from there. */
  #isCallback({ index }: Stay, stays: readonly Stay[]): boolean {
    const start = this.#firsts.findLast((first) => first <= index) ?? 0
    return isOfPackage(stays.find((one) => one.index >= start)!.place)
  }

  /** The call, or the process, by which it was begun. */
  #above({ process, within }: Moment): Moment | undefined {
    const call = within === undefined ? undefined : this.#calls[within]
    const birth = this.#descent.birthOf(process)
    if (call?.caller !== undefined) return { process, within: call.caller, index: this.#firsts[call.step]! + call.after - 1 }
    return birth && { process: birth.parent, within: this.#begunBy[process], index: (birth.index ?? this.#firsts[birth.step + 1]!) - 1 }
  }
}

const keyOf = ({ process, within }: Pick<Stay, 'process' | 'within'>): string => (within === undefined ? `process ${process}` : `call ${within}`)

const momentOf = ({ process, within }: Moment): string => `${process} ${within}`

const toldOf = (accesses: readonly InputAccess[]): number => accesses.filter(isTold).length

function firstsOf({ steps }: Pick<InputRecording, 'steps'>): number[] {
  const firsts = [0]
  for (const { accesses } of steps) firsts.push(firsts.at(-1)! + toldOf(accesses))
  return firsts
}

/** From where in the code under test, or in a package, a function of the test was called that stands in for something: a disk, a server. */
export function callerOfStandIn({ within, place, calledFrom }: Access, { recording, accesses, testFile }: { readonly recording: Pick<InputRecording, 'calls' | 'steps'>; readonly accesses: readonly Access[]; readonly testFile?: string | undefined }): Place | undefined {
  const { calls = [] } = recording
  if (testFile === undefined || place?.file !== testFile) return undefined
  if (calledFrom) return calledFrom
  // Of what came by JSON, null stands for undefined.
  for (let at = within ?? undefined; at !== undefined; at = calls[at]?.caller ?? undefined) {
    const call = calls[at]
    if (call?.code?.file !== testFile) return undefined
    const calledAt: Place | undefined = call.place ?? mockCalledAt(call, recording, accesses)
    if (calledAt && calledAt.file !== testFile) return calledAt
    if (call.calledFrom) return call.calledFrom
  }
  return undefined
}

/** A mock writes down that it is called right before it calls what it was given: it is called where its caller has come by it, and by no other mock since. */
function mockCalledAt(call: InputCall, { steps }: Pick<InputRecording, 'steps'>, accesses: readonly Access[]): Place | undefined {
  const before = accesses.filter(({ step }) => step === call.step).slice(0, toldOf(steps[call.step]!.accesses.slice(0, call.after)))
  const own = before.filter(({ within }) => (within ?? undefined) === (call.caller ?? undefined))
  const noted = own.at(-1)
  if (noted?.owner !== mock) return undefined
  const at = own.findLastIndex(({ kind, value }) => kind === 'read' && value.text === `[function ${mock}]`)
  return own.slice(at).find(({ owner }) => owner === mock)?.object === noted.object ? own[at]?.place : undefined
}

/** What Vitest calls its own. */
const mock = 'Mock'
