const digits = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const comma = 44
const semicolon = 59
/** The most bytes that one segment takes. */
const longest = 32

/** The mappings of a source map, in the order of the text that they are of. */
export class Mappings {
  #bytes = new Uint8Array(1 << 16)
  #length = 0
  #isFirst = true
  #column = 0
  #sourceLine = 0
  #sourceColumn = 0

  /** The line ends. */
  endLine(): void {
    this.#reserve()
    this.#bytes[this.#length++] = semicolon
    this.#isFirst = true
    this.#column = 0
  }

  /** From a column of the line on, the text is that of a place in the source. */
  add(column: number, sourceLine: number, sourceColumn: number): void {
    this.#begin(column)
    this.#bytes[this.#length++] = digits[0]!
    this.#write(sourceLine - this.#sourceLine)
    this.#write(sourceColumn - this.#sourceColumn)
    this.#sourceLine = sourceLine
    this.#sourceColumn = sourceColumn
  }

  /** From a column of the line on, the text is of nothing in the source. */
  addNone(column: number): void {
    this.#begin(column)
  }

  toString(): string {
    return Buffer.from(this.#bytes.buffer, 0, this.#length).toString('latin1')
  }

  #begin(column: number): void {
    this.#reserve()
    if (this.#isFirst) this.#isFirst = false
    else this.#bytes[this.#length++] = comma
    this.#write(column - this.#column)
    this.#column = column
  }

  #write(value: number): void {
    let rest = value < 0 ? (-value << 1) | 1 : value << 1
    while (rest >= 32) {
      this.#bytes[this.#length++] = digits[(rest & 31) | 32]!
      rest >>>= 5
    }
    this.#bytes[this.#length++] = digits[rest]!
  }

  #reserve(): void {
    if (this.#length + longest < this.#bytes.length) return
    const longer = new Uint8Array(this.#bytes.length * 2)
    longer.set(this.#bytes)
    this.#bytes = longer
  }
}
