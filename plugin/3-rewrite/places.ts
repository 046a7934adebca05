import type { Place } from '../../src/runtime/calls/emitted.ts'

const longestText = 60

/** The table of the places in a file that emitted code refers to by number. */
export class Places {
  readonly all: Place[] = []
  readonly #lineStarts: number[] = [0]

  constructor(source: string) {
    for (let i = source.indexOf('\n'); i !== -1; i = source.indexOf('\n', i + 1)) this.#lineStarts.push(i + 1)
  }

  /** @param name of an expression that makes an object: what it is made for */
  add(position: number, text: string, name?: string): number {
    const [line, column] = this.locate(position)
    const place: Place = name === undefined ? [line, column, shorten(text)] : [line, column, shorten(text), name]
    return this.all.push(place) - 1
  }

  /** Line and column, both from 1. */
  locate(position: number): [line: number, column: number] {
    let low = 0
    let high = this.#lineStarts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#lineStarts[middle]! <= position) low = middle
      else high = middle - 1
    }
    return [low + 1, position - this.#lineStarts[low]! + 1]
  }
}

export function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line
}
