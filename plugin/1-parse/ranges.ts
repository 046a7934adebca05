/** A part of the source. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** The index of the first of a sorted list that stands at a position or behind it; the length of the list if there is none. */
export function firstFrom<T>(list: readonly T[], position: number, positionOf: (item: T) => number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (positionOf(list[middle]!) < position) low = middle + 1
    else high = middle
  }
  return low
}

export const startOf = ({ start }: Range): number => start
