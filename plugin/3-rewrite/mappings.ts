const letters = Uint8Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', (letter) => letter.charCodeAt(0))
const [semicolon, comma] = [59, 44]
/** A segment has at most four numbers of seven letters, and a comma. */
const longest = 29

/** Where each part of the output is in the source, in the form in which a source map says it: written while the output is, as it may be several times as long. */
export class Mappings {
  #bytes = new Uint8Array(1 << 12)
  #length = 0
  #isFirst = true
  #column = 0
  #sourceLine = 0
  #sourceColumn = 0

  endLine(): void {
    this.#reserve()
    this.#bytes[this.#length++] = semicolon
    this.#isFirst = true
    this.#column = 0
  }

  /** From a column of the output on it is nothing of the source. */
  addNone(column: number): void {
    this.#begin(column)
  }

  /** From a column of the output on it is this line and column of the source, all from 0. */
  add(column: number, sourceLine: number, sourceColumn: number): void {
    this.#begin(column)
    // There is one source.
    this.#write(0)
    this.#write(sourceLine - this.#sourceLine)
    this.#write(sourceColumn - this.#sourceColumn)
    this.#sourceLine = sourceLine
    this.#sourceColumn = sourceColumn
  }

  toString(): string {
    return Buffer.from(this.#bytes.buffer, 0, this.#length).toString('latin1')
  }

  #begin(column: number): void {
    this.#reserve()
    if (!this.#isFirst) this.#bytes[this.#length++] = comma
    this.#isFirst = false
    this.#write(column - this.#column)
    this.#column = column
  }

  /** A number in digits of five bits, the smallest first, behind its sign. */
  #write(value: number): void {
    let rest = value < 0 ? (-value << 1) | 1 : value << 1
    for (; rest > 31; rest >>>= 5) this.#bytes[this.#length++] = letters[(rest & 31) | 32]!
    this.#bytes[this.#length++] = letters[rest]!
  }

  #reserve(): void {
    if (this.#length + longest <= this.#bytes.length) return
    const bytes = new Uint8Array(this.#bytes.length * 2)
    bytes.set(this.#bytes)
    this.#bytes = bytes
  }
}

/** Says where each part of a file is in the source that it was made from. */
export class SourceMap {
  readonly version = 3
  readonly names: readonly string[] = []
  readonly sources: readonly string[]
  readonly sourcesContent: readonly string[]
  readonly mappings: string

  constructor(file: string, source: string, mappings: string) {
    this.sources = [file]
    this.sourcesContent = [source]
    this.mappings = mappings
  }

  toString(): string {
    return JSON.stringify(this)
  }
}
