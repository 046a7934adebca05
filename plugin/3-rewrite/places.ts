import type { Place } from '../../src/runtime/calls/emitted.ts'
import type { Lines } from './lines.ts'

/** Line and column of the file, all from 1. Undefined: nobody knows. */
export type Original = (line: number, column: number) => [line: number, column: number] | undefined

const longestText = 60

/** The table of the places in a file that emitted code refers to by number. */
export class Places {
  readonly all: Place[] = []
  readonly #lines: Lines
  readonly #original: Original | undefined

  /** @param original where in the file stands what others have made of it */
  constructor(lines: Lines, original?: Original) {
    this.#lines = lines
    this.#original = original
  }

  /** @param name of an expression that makes an object: what it is made for */
  add(position: number, text: string, name?: string): number {
    const [line, column] = this.locate(position)
    const place: Place = name === undefined ? [line, column, shorten(text)] : [line, column, shorten(text), name]
    return this.all.push(place) - 1
  }

  /** Line and column, both from 1. */
  locate(position: number): [line: number, column: number] {
    const line = this.#lines.lineOf(position)
    const column = position - this.#lines.startOf(line) + 1
    return this.#original?.(line + 1, column) ?? [line + 1, column]
  }
}

export function shorten(text: string): string {
  // Most of a whole file would be looked at in vain, unless it begins with spaces.
  for (let length = 2 * longestText; ; length *= 2) {
    const line = text.slice(0, length).replaceAll(/\s+/g, ' ')
    if (line.length > longestText) return `${line.slice(0, longestText - 1)}…`
    if (length >= text.length) return line
  }
}
