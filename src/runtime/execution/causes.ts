/**
 * What comes from outside may be due to all that had been done there by then. When a step is taken again it may come earlier or later: what
 * it was due to is what it was the first time.
 */
export class Causes {
  /** By step, for each time that something was taken in it. */
  readonly #known = new Map<number, number[]>()
  #step = 0
  #taken = 0

  beginStep(step: number): void {
    this.#step = step
    this.#taken = 0
  }

  /** How many of the steps that were outside come before what is taken now. */
  of(count: number, { isRecorded }: { readonly isRecorded: boolean }): number {
    let ofStep = this.#known.get(this.#step)
    if (!ofStep) this.#known.set(this.#step, (ofStep = []))
    const at = this.#taken++
    if (!isRecorded || ofStep[at] === undefined) ofStep[at] = count
    return ofStep[at]!
  }
}
