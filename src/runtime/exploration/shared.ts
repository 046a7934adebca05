import type { LocationId } from '../../engine/ids.ts'
import { linesOfControl } from '../execution/lines-of-control.ts'
import type { ToldAccess, Witness } from '../execution/told-access.ts'

/** Who accessed a location, by ordinals, and whether anybody changed it. */
interface Accessed {
  readonly processes: number[]
  isChanged: boolean
}

/** Whether a process of one execution changed what another one accessed. That a promise is settled, and that somebody waits for it, is not counted. */
export class SharedAccesses implements Witness {
  readonly #steps: { readonly process: number }[] = []
  readonly #names: string[] = []
  readonly #standsFor: (number | undefined)[] = []
  readonly #locations = new Map<LocationId, Accessed>()

  step(process: number): void {
    this.#steps.push({ process })
  }

  spawned(process: number, name: string, standsFor?: number): void {
    this.#names[process] = name
    this.#standsFor[process] = standsFor
  }

  access({ location, kind }: ToldAccess): void {
    if (kind === 'wait' || kind === 'settle') return
    const { process } = this.#steps.at(-1)!
    const found = this.#locations.get(location)
    if (!found) {
      this.#locations.set(location, { processes: [process], isChanged: kind !== 'read' })
      return
    }
    if (!found.processes.includes(process)) found.processes.push(process)
    found.isChanged ||= kind !== 'read'
  }

  /** To be asked once the execution has ended. */
  get isAnythingShared(): boolean {
    const { lines } = linesOfControl(this.#steps, this.#names, this.#standsFor)
    for (const { processes, isChanged } of this.#locations.values()) {
      if (isChanged && processes.some((process) => lines[process] !== lines[processes[0]!])) return true
    }
    return false
  }
}
