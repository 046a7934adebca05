/** A source map of one file, version 3. */
export interface SourceMap {
  version: 3
  sources: string[]
  sourcesContent: string[]
  names: string[]
  mappings: string
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** A number as a variable-length quantity in base 64: five bits a digit, the lowest first, the sign in the lowest bit. */
function encode(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1
  let text = ''
  do {
    const digit = rest & 31
    rest >>>= 5
    text += digits[rest > 0 ? digit | 32 : digit]!
  } while (rest > 0)
  return text
}

/** Builds the output of a rewriting together with the map that leads back to the source. */
export class MappedOutput {
  code = ''
  #mappings = ''
  #column = 0
  #isFirstInLine = true
  #lastColumn = 0
  #lastSourceLine = 0
  #lastSourceColumn = 0
  readonly #source: string
  readonly #lineStarts: number[] = [0]

  constructor(source: string) {
    this.#source = source
    for (let i = source.indexOf('\n'); i !== -1; i = source.indexOf('\n', i + 1)) this.#lineStarts.push(i + 1)
  }

  /** Copies the source between two positions; each word is mapped. */
  copy(start: number, end: number): void {
    if (start === end) return
    const text = this.#source.slice(start, end)
    let line = this.#lineOf(start)
    for (const token of text.matchAll(/[\w$]+|\n|[^\w$\n]/g)) {
      if (token[0] === ' ' && token.index > 0) {
        this.#column++
        continue
      }
      this.#segment(line, start + token.index - this.#lineStarts[line]!)
      this.#advance(token[0])
      if (token[0] === '\n') line++
    }
    this.code += text
  }

  /** Writes text of our own that stands for the source at `origin`. */
  write(text: string, origin: number): void {
    if (!text) return
    const line = this.#lineOf(origin)
    this.#segment(line, origin - this.#lineStarts[line]!)
    this.code += text
    for (let i = text.indexOf('\n'), from = 0; ; i = text.indexOf('\n', from)) {
      if (i === -1) return this.#advance(text.slice(from))
      this.#advance('\n')
      from = i + 1
    }
  }

  map(file: string): SourceMap {
    return { version: 3, sources: [file], sourcesContent: [this.#source], names: [], mappings: this.#mappings }
  }

  #advance(text: string): void {
    if (text !== '\n') {
      this.#column += text.length
      return
    }
    this.#mappings += ';'
    this.#column = 0
    this.#lastColumn = 0
    this.#isFirstInLine = true
  }

  #segment(line: number, column: number): void {
    const separator = this.#isFirstInLine ? '' : ','
    this.#mappings += `${separator}${encode(this.#column - this.#lastColumn)}A${encode(line - this.#lastSourceLine)}${encode(column - this.#lastSourceColumn)}`
    this.#isFirstInLine = false
    this.#lastColumn = this.#column
    this.#lastSourceLine = line
    this.#lastSourceColumn = column
  }

  #lineOf(position: number): number {
    let low = 0
    let high = this.#lineStarts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#lineStarts[middle]! <= position) low = middle
      else high = middle - 1
    }
    return low
  }
}
