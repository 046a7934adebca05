import { firstFrom } from '../1-parse/ranges.ts'

/** Where the lines of a source begin. */
export class Lines {
  readonly #starts: number[] = [0]
  /** The line that was asked for last. */
  #last = 0

  constructor(source: string) {
    for (let i = source.indexOf('\n'); i !== -1; i = source.indexOf('\n', i + 1)) this.#starts.push(i + 1)
  }

  /** The number of the line that a position is in, from 0. */
  lineOf(position: number): number {
    const starts = this.#starts
    // Who asks mostly asks for the same line or the next one.
    const last = this.#last
    if (starts[last]! <= position && (last + 1 === starts.length || position < starts[last + 1]!)) return last
    return (this.#last = firstFrom(starts, position + 1, (start) => start) - 1)
  }

  startOf(line: number): number {
    return this.#starts[line]!
  }
}
