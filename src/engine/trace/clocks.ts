import { Math } from '../intrinsics.ts'
import { grown } from './columns.ts'

/**
 * One vector clock for each step: component p is how many steps of the process with ordinal p happen
 * before it, itself included. Rows of one flat column, `width` apart.
 */
export class Clocks {
  width = 8
  rows = new Int32Array(8 * 8)

  /** Makes room for `steps` rows of `processes` components. */
  reserve(steps: number, processes: number): void {
    if (processes > this.width) this.#widen(Math.max(processes, this.width * 2))
    if (steps * this.width > this.rows.length) this.rows = grown(this.rows, steps * this.width)
  }

  /** Row of `step` becomes a copy of the row of `from`, or of no step at all where `from` is negative. */
  start(step: number, from: number): void {
    const { width, rows } = this
    const row = step * width
    if (from < 0) rows.fill(0, row, row + width)
    else rows.copyWithin(row, from * width, (from + 1) * width)
  }

  /** Everything before `other`, and `other`, is now before `step`. */
  join(step: number, other: number): void {
    const { width, rows } = this
    const row = step * width
    const otherRow = other * width
    for (let i = 0; i < width; i++) {
      const component = rows[otherRow + i] as number
      if (component > (rows[row + i] as number)) rows[row + i] = component
    }
  }

  joinAll(step: number, components: Int32Array, count: number): void {
    const { width, rows } = this
    const row = step * width
    for (let i = 0; i < count; i++) {
      const component = components[i] as number
      if (component > (rows[row + i] as number)) rows[row + i] = component
    }
  }

  /** Everything before `step`, and `step`, is now in a clock that is none of the rows. */
  addTo(components: Int32Array, step: number): void {
    const { width, rows } = this
    const row = step * width
    const count = Math.min(width, components.length)
    for (let i = 0; i < count; i++) {
      const component = rows[row + i] as number
      if (component > (components[i] as number)) components[i] = component
    }
  }

  set(step: number, process: number, component: number): void {
    this.rows[step * this.width + process] = component
  }

  get(step: number, process: number): number {
    return this.rows[step * this.width + process] as number
  }

  #widen(width: number): void {
    const steps = Math.floor(this.rows.length / this.width)
    const wider = new Int32Array(steps * width)
    for (let i = 0; i < steps; i++) {
      wider.set(this.rows.subarray(i * this.width, (i + 1) * this.width), i * width)
    }
    this.rows = wider
    this.width = width
  }
}
