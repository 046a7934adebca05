/** Pieces with a flag of their own; those beyond share the flags, in turn. */
const flags = 1 << 14

const [STOPPED, EXECUTIONS, CLAIMS] = [0, 1, 2]

/** Nobody has ended the exploration for all, or who did: */
export const RUNNING = 0
/** a failure was found, and one is enough; */
export const FAILED = 1
/** or the time is over. */
export const LATE = 2

/** What the threads that explore one program together have in common. */
export class SharedMemory {
  readonly buffer: SharedArrayBuffer
  readonly #cells: Int32Array

  constructor(buffer = new SharedArrayBuffer((CLAIMS + flags) * 4)) {
    this.buffer = buffer
    this.#cells = new Int32Array(buffer)
  }

  /** RUNNING, FAILED or LATE. */
  get stopped(): number {
    return Atomics.load(this.#cells, STOPPED)
  }

  /** Ends the exploration for all; the first reason stays. */
  stop(reason: number): void {
    Atomics.compareExchange(this.#cells, STOPPED, RUNNING, reason)
  }

  /** Counts an execution; how many there were before it. */
  countExecution(): number {
    return Atomics.add(this.#cells, EXECUTIONS, 1)
  }

  /** Whether the piece is now, or was already, the worker's (numbered from 0). Nobody else has it then. */
  claim(piece: number, worker: number): boolean {
    const owner = Atomics.compareExchange(this.#cells, CLAIMS + (piece % flags), 0, worker + 1)
    return owner === 0 || owner === worker + 1
  }

  /** Whether the worker could claim the piece. */
  isFree(piece: number, worker: number): boolean {
    const owner = Atomics.load(this.#cells, CLAIMS + (piece % flags))
    return owner === 0 || owner === worker + 1
  }
}
