import { grown } from './columns.ts'

/** The steps that a step directly depends on through memory, to be taken latest first. */
export class Predecessors {
  count = 0
  #steps = new Int32Array(16)

  clear(): void {
    this.count = 0
  }

  add(step: number): void {
    this.#steps = grown(this.#steps, this.count + 1)
    this.#steps[this.count++] = step
  }

  step(i: number): number {
    return this.#steps[i] as number
  }

  /** Latest last. */
  sort(): void {
    const { count } = this
    const steps = this.#steps
    if (count > 32) {
      steps.subarray(0, count).sort()
      return
    }
    for (let i = 1; i < count; i++) {
      const step = steps[i] as number
      let j = i - 1
      for (; j >= 0 && (steps[j] as number) > step; j--) steps[j + 1] = steps[j] as number
      steps[j + 1] = step
    }
  }
}
