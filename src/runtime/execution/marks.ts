import { Math } from '../../engine/intrinsics.ts'

/** A small number for each of many; 0 where none was set. */
export class Marks {
  #marks = new Uint8Array(64)

  get(index: number): number {
    return index < this.#marks.length ? this.#marks[index]! : 0
  }

  set(index: number, mark: number): void {
    if (index >= this.#marks.length) {
      const larger = new Uint8Array(Math.max(index + 1, this.#marks.length * 2))
      larger.set(this.#marks)
      this.#marks = larger
    }
    this.#marks[index] = mark
  }

  clear(): void {
    this.#marks.fill(0)
  }
}
