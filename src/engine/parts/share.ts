import { Math } from '../intrinsics.ts'
import { EngineError } from '../errors.ts'

/**
 * What one exploration does of all there is: the executions are divided into pieces, numbered from 0, the same ones
 * whoever divides them.
 */
export interface Share {
  /** How many pieces there have to be at least, if the program has as many executions. */
  readonly pieces: number
  /** Whether this piece is ours. Asked once for each, in ascending order. */
  owns(piece: number): boolean
  /** How many of the pieces from `piece` on, and before `end`, are likely to be ours; 0 only if none can be. */
  left(piece: number, end: number): number
}

/** Choices above which no frontier lies, even if there are few pieces: each costs a round of executions. */
export const mostChoices = 32

/** Pieces for each part: enough that parts are of about one size, and few enough that little is explored in vain. */
const piecesPerPart = 16

/** Part `index` (from 0) of `count`: every `count`-th piece. */
export class Part implements Share {
  readonly #index: number
  readonly count: number
  readonly pieces: number

  constructor({ index, count, pieces = piecesPerPart * count }: { readonly index: number; readonly count: number; readonly pieces?: number }) {
    this.#index = index
    this.count = count
    this.pieces = pieces
  }

  /** Whether there is no other part. */
  get isWhole(): boolean {
    return this.count === 1
  }

  owns(piece: number): boolean {
    return piece % this.count === this.#index
  }

  left(piece: number, end: number): number {
    const first = piece + ((this.#index - (piece % this.count) + this.count) % this.count)
    return first >= end ? 0 : Math.ceil((end - first) / this.count)
  }
}

/** Of `'2/4'`: the second of four parts; without a text, the only one. */
export function partNamed(name = '1/1'): Part {
  const numbers = partNumbers(name)
  if (numbers === undefined) throw new EngineError(`'${name}' was taken for a part`)
  return new Part(numbers)
}

export function isPartName(name: string): boolean {
  return partNumbers(name) !== undefined
}

function partNumbers(name: string): { readonly index: number; readonly count: number } | undefined {
  const match = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(name)
  const [index, count] = [Number(match?.[1]), Number(match?.[2])]
  return match === null || index > count ? undefined : { index: index - 1, count }
}
