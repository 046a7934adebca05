import type { Access } from './accesses.ts'
import { Descent } from './descent.ts'
import { grouped } from './grouped.ts'
import type { InputRecording, Place } from './input.ts'
import { isOfPackage } from './places.ts'

/** Where a process was at a moment: the position of the access, or of the first one of a step. */
interface Stay {
  readonly index: number
  readonly place: Place
}

/** From where in the user's own code something in a package was called. */
export class Callers {
  readonly #descent: Descent
  /** By process: where it was in the user's own code, in order. */
  readonly #stays: ReadonlyMap<number, readonly Stay[]>

  constructor(recording: Pick<InputRecording, 'steps' | 'order' | 'calledBy'>, accesses: readonly Access[]) {
    const { steps } = recording
    this.#descent = new Descent(recording)
    const firsts = grouped(accesses, ({ step }) => step)
    const wentOn = steps.flatMap(({ process, place }, step) => ({ process, place, index: firsts.get(step)?.[0]?.index ?? -1 }))
    const own = [...wentOn, ...accesses].filter(({ place }) => place !== undefined && !isOfPackage(place)).toSorted((one, other) => one.index - other.index)
    this.#stays = grouped(own as (Stay & { readonly process: number })[], ({ process }) => process)
  }

  /** The last place of its process in the user's own code, or of those that this one comes from. Undefined where the access itself is there. */
  of({ process, index, place }: Access): Place | undefined {
    if (!place || !isOfPackage(place)) return undefined
    for (let at: number | undefined = process; at !== undefined; at = this.#descent.birthOf(at)?.parent) {
      const stay = this.#stays.get(at)?.findLast((one) => one.index <= index)
      if (stay) return stay.place
    }
    return undefined
  }
}
