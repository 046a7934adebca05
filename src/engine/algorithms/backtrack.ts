import { column, grown } from '../trace/columns.ts'
import type { Ordinal } from '../ids.ts'
import { NONE } from '../trace/processes.ts'
import type { SleepSets } from './sleep.ts'

/** By node of the search stack: the processes still to be explored there. Chains of cells that are used again. */
export class BacktrackSets {
  #head = new Int32Array(64).fill(NONE)
  #process = column<Ordinal>(64)
  #next = new Int32Array(64)
  #cells = 0
  #free = NONE
  /** Of all nodes together. */
  total = 0

  /** An empty set for a new node. */
  open(node: number): void {
    if (node >= this.#head.length) this.#head = grown(this.#head, node + 1)
    this.#head[node] = NONE
  }

  add(node: number, process: Ordinal): void {
    const cell = this.#cell()
    this.total++
    this.#process[cell] = process
    this.#next[cell] = this.#head[node] as number
    this.#head[node] = cell
  }

  /** Takes the process added last out of the set; NONE if it is empty. */
  take(node: number): Ordinal | typeof NONE {
    const cell = this.#head[node] as number
    if (cell === NONE) return NONE
    this.#head[node] = this.#next[cell] as number
    this.#next[cell] = this.#free
    this.#free = cell
    this.total--
    return this.#process[cell] as Ordinal
  }

  /** The processes of the set, that which is taken next first. */
  list(node: number): Ordinal[] {
    const processes: Ordinal[] = []
    for (let cell = this.#head[node] as number; cell !== NONE; cell = this.#next[cell] as number) processes.push(this.#process[cell] as Ordinal)
    return processes
  }

  /** Marks the processes of the set along with those asleep. */
  mark(node: number, sleep: SleepSets): void {
    for (let cell = this.#head[node] as number; cell !== NONE; cell = this.#next[cell] as number) {
      sleep.markAlso(this.#process[cell] as Ordinal)
    }
  }

  #cell(): number {
    const cell = this.#free
    if (cell !== NONE) {
      this.#free = this.#next[cell] as number
      return cell
    }
    this.#process = grown(this.#process, this.#cells + 1)
    this.#next = grown(this.#next, this.#cells + 1)
    return this.#cells++
  }
}
