import type { Part, Share } from './share.ts'
import type { SharedMemory } from './shared-memory.ts'

/** The same for any number of workers, so that they give up the same executions between them. */
const piecesOfAll = 64

export function piecesFor(part: Part): number {
  return part.isWhole ? piecesOfAll : part.pieces
}

/** What one of several workers explores: each takes the next piece that nobody has. */
export class Claims implements Share {
  readonly pieces: number
  readonly #memory: SharedMemory
  readonly #worker: number
  readonly #workers: number
  /** Of which the workers divide the pieces among themselves. */
  readonly #part: Part

  constructor(memory: SharedMemory, { worker, workers, part }: { readonly worker: number; readonly workers: number; readonly part: Part }) {
    this.#memory = memory
    this.#worker = worker
    this.#workers = workers
    this.#part = part
    this.pieces = piecesFor(part)
  }

  owns(piece: number): boolean {
    return this.#part.owns(piece) && this.#memory.claim(piece, this.#worker)
  }

  /** Others take pieces at any time: it may be less the next time. */
  left(piece: number, end: number): number {
    let free = 0
    for (let i = piece; i < end; i++) {
      if (this.#part.owns(i) && this.#memory.isFree(i, this.#worker)) free++
    }
    return free / this.#workers
  }
}
