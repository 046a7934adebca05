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
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= position) low = middle
      else high = middle - 1
    }
    return (this.#last = low)
  }

  startOf(line: number): number {
    return this.#starts[line]!
  }
}
