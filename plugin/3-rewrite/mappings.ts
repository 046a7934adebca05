const digits = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const [comma, semicolon, zero] = new TextEncoder().encode(',;A') as unknown as [number, number, number]
/** No segment is longer: four numbers of seven digits, and what stands before them. */
const longest = 32

/** The mappings of a source map with one source, written down as they come: of a large file there are so many that each had better be no object. */
export class Mappings {
  #text = new Uint8Array(1 << 12)
  #length = 0
  #isFirstOfLine = true
  #column = 0
  #sourceLine = 0
  #sourceColumn = 0

  /** From a column of the output on: nothing of the source. */
  nothing(column: number): void {
    this.#begin(column)
  }

  /** From a column of the output on: line and column of the source. All from 0. */
  source(column: number, line: number, sourceColumn: number): void {
    this.#begin(column)
    this.#text[this.#length++] = zero
    this.#write(line - this.#sourceLine)
    this.#write(sourceColumn - this.#sourceColumn)
    this.#sourceLine = line
    this.#sourceColumn = sourceColumn
  }

  endLine(): void {
    this.#reserve()
    this.#text[this.#length++] = semicolon
    this.#isFirstOfLine = true
    this.#column = 0
  }

  toString(): string {
    return new TextDecoder().decode(this.#text.subarray(0, this.#length))
  }

  #begin(column: number): void {
    this.#reserve()
    if (!this.#isFirstOfLine) this.#text[this.#length++] = comma
    this.#isFirstOfLine = false
    this.#write(column - this.#column)
    this.#column = column
  }

  /** In digits of five bits, the lowest first; the sign is the lowest bit, and all but the last say that another follows. */
  #write(value: number): void {
    let rest = value < 0 ? (-value << 1) | 1 : value << 1
    while (rest > 31) {
      this.#text[this.#length++] = digits[(rest & 31) | 32]!
      rest >>>= 5
    }
    this.#text[this.#length++] = digits[rest]!
  }

  #reserve(): void {
    if (this.#length + longest <= this.#text.length) return
    const larger = new Uint8Array(this.#text.length * 2)
    larger.set(this.#text)
    this.#text = larger
  }
}
