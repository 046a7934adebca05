import { Math } from '../intrinsics.ts'
import { piecesFor } from './claims.ts'
import type { Part, Share } from './share.ts'

/** What one of several workers explores if each has to find its own again another day: of those of the part each n-th piece. */
export class FixedPieces implements Share {
  readonly pieces: number
  readonly #worker: number
  readonly #workers: number
  readonly #part: Part

  constructor({ worker, workers, part }: { readonly worker: number; readonly workers: number; readonly part: Part }) {
    this.#worker = worker
    this.#workers = workers
    this.#part = part
    this.pieces = piecesFor(part)
  }

  owns(piece: number): boolean {
    return this.#part.owns(piece) && Math.floor(piece / this.#part.count) % this.#workers === this.#worker
  }

  left(piece: number, end: number): number {
    let ours = 0
    for (let i = piece; i < end; i++) if (this.owns(i)) ours++
    return ours
  }
}
