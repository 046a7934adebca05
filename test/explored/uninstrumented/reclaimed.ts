import v8 from 'node:v8'
import vm from 'node:vm'

v8.setFlagsFromString('--expose-gc')
const reclaim = vm.runInNewContext('gc') as () => void
const Reference = WeakRef

/** What is looked at is not kept by that. */
export class Watched {
  readonly #references: WeakRef<object>[] = []

  add(object: object): void {
    this.#references.push(new Reference(object))
  }

  /** How many there are, and how many of them are still there when memory has been reclaimed. */
  async counts(): Promise<{ readonly all: number; readonly left: number }> {
    for (let turn = 0; turn < 5; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      reclaim()
    }
    return { all: this.#references.length, left: this.#references.filter((reference) => reference.deref() !== undefined).length }
  }
}
