import type { ExecutionOrder } from '../engine/index.ts'

/** Where a process comes from. */
export interface Birth {
  /** The step that created it. */
  readonly step: number
  /** Whose step that was. */
  readonly parent: number
}

/** Which processes come from which: what a callback or a call does later, it does for whoever has begun it. */
export class Descent {
  readonly #births = new Map<number, Birth>()

  constructor({ steps }: ExecutionOrder) {
    for (const { process, after } of steps) {
      const spawn = after.find(({ reason }) => reason === 'spawn')
      if (spawn && !this.#births.has(process)) this.#births.set(process, { step: spawn.step, parent: steps[spawn.step]!.process })
    }
  }

  birthOf(process: number): Birth | undefined {
    return this.#births.get(process)
  }

  /** Whether it is the other one, or comes from it. */
  isFrom(process: number, other: number): boolean {
    return process === other || this.#ancestorsOf(process).some(({ parent }) => parent === other)
  }

  /** The births of the process, of its parent and so on, up to that which has a part in what the other one comes from. */
  *apartFrom(process: number, other: number): Generator<Birth> {
    for (const birth of this.#ancestorsOf(process)) {
      if (this.isFrom(other, birth.parent)) return
      yield birth
    }
  }

  #ancestorsOf(process: number): Birth[] {
    const births: Birth[] = []
    for (let birth = this.#births.get(process); birth && births.length < this.#births.size; birth = this.#births.get(birth.parent)) births.push(birth)
    return births
  }
}
