import { SourceMap } from 'magic-string'
import type { Range } from '../1-parse/ranges.ts'
import type { Lines } from './lines.ts'
import { Mappings } from './mappings.ts'

/** A part of the source in whose place a name is written. */
export interface Hole extends Range {
  readonly name: string
}

const newline = 10

/** A letter, digit, `_` or `$`, or what stands for a letter outside ASCII. */
function isOfWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 36 || code > 127
}

const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 13

/** Writes the result of edits from start to end, and where each word of it is in the source. */
export class Output {
  readonly #source: string
  readonly #lines: Lines
  readonly #commentsIn: (range: Range) => Iterable<Range>
  readonly #mappings = new Mappings()
  readonly #pieces: string[] = []
  #position = 0
  #column = 0
  #last = 0

  /** @param commentsIn the comments between two positions, in the order of the source */
  constructor(source: string, lines: Lines, commentsIn: (range: Range) => Iterable<Range>) {
    this.#source = source
    this.#lines = lines
    this.#commentsIn = commentsIn
  }

  /** Goes on with the source from another position. Returns where it was. */
  moveTo(position: number): number {
    const before = this.#position
    this.#position = position
    return before
  }

  /** Copies the source up to a position. */
  keep(end: number): void {
    if (end <= this.#position) return
    this.#write(this.#position, end)
    this.#position = end
  }

  /** Inserts text that stands for what is at `origin`; undefined for nothing of the source. */
  insert(text: string, origin: number | undefined): void {
    const written = this.#apart(text)
    if (origin === undefined) this.#mappings.nothing(this.#column)
    else this.#map(origin)
    this.#push(written)
    for (let i = written.indexOf('\n'); i !== -1; i = written.indexOf('\n', i + 1)) {
      this.#mappings.endLine()
      this.#column = written.length - i - 1
    }
    if (!written.includes('\n')) this.#column += written.length
  }

  /** Writes text instead of the source up to a position. */
  replace(end: number, text: string): void {
    if (text) this.insert(text, this.#position)
    this.#position = end
  }

  /** Copies a part of the source once more, on one line and without comments. */
  copy({ start, end }: Range, holes: readonly Hole[]): void {
    let from = start
    for (const hole of holes) {
      this.#copyPart({ start: from, end: hole.start })
      this.insert(hole.name, undefined)
      from = hole.end
    }
    this.#copyPart({ start: from, end })
  }

  #copyPart({ start, end }: Range): void {
    let from = start
    for (const comment of this.#commentsIn({ start, end })) {
      this.#copyLines(from, comment.start)
      this.#space()
      from = comment.end
    }
    this.#copyLines(from, end)
  }

  #copyLines(start: number, end: number): void {
    let from = start
    for (let i = this.#source.indexOf('\n', from); i !== -1 && i < end; i = this.#source.indexOf('\n', from)) {
      this.#write(from, i)
      this.#space()
      from = i + 1
      while (isSpace(this.#source.charCodeAt(from))) from++
    }
    this.#write(from, end)
  }

  #space(): void {
    this.#push(' ')
    this.#column++
  }

  finish(file: string): { code: string; map: SourceMap } {
    const map = new SourceMap({ sources: [file], sourcesContent: [this.#source], names: [], mappings: String(this.#mappings) })
    return { code: this.#pieces.join(''), map }
  }

  #push(text: string): void {
    if (text === '') return
    this.#pieces.push(text)
    this.#last = text.charCodeAt(text.length - 1)
  }

  #map(position: number): void {
    const line = this.#lines.lineOf(position)
    this.#mappings.source(this.#column, line, position - this.#lines.startOf(line))
  }

  #write(start: number, end: number): void {
    if (start >= end) return
    const source = this.#source
    const mappings = this.#mappings
    let line = this.#lines.lineOf(start)
    let lineStart = this.#lines.startOf(line)
    let isInWord = false
    let column = this.#column
    for (let i = start; i < end; i++, column++) {
      const code = source.charCodeAt(i)
      if (code === newline) {
        mappings.endLine()
        column = -1
        line++
        lineStart = i + 1
        isInWord = false
      } else if (isOfWord(code)) {
        if (!isInWord) mappings.source(column, line, i - lineStart)
        isInWord = true
      } else {
        if (!isSpace(code) || i === start) mappings.source(column, line, i - lineStart)
        isInWord = false
      }
    }
    this.#column = column
    this.#push(source.slice(start, end))
  }

  /** In `return[x]` and `of[x]` a name must not grow together with the keyword. */
  #apart(text: string): string {
    const before = this.#source.charCodeAt(this.#position - 1)
    return text !== '' && isOfWord(before) && isOfWord(text.charCodeAt(0)) && isOfWord(this.#last) ? ` ${text}` : text
  }
}
