import { MagicString, type SourceMap } from 'magic-string'

/**
 * Writes the result of edits from start to end.
 *
 * magic-string maps source that was overwritten, not text that was inserted. So text takes the place
 * of one character of the source: of the one after it, or of one that is replaced, which is moved to it.
 * Where one text is followed by a moved one, there is no character for it: the one before it stands for it.
 */
export class Output {
  readonly #text: MagicString
  readonly #source: string
  readonly #moves: { from: number; to: number }[] = []
  #position = 0
  /** Text to be written before the next piece of the source. */
  #pending = ''
  #last = ''

  constructor(source: string) {
    this.#source = source
    this.#text = new MagicString(source)
  }

  /** Copies the source up to a position. */
  keep(end: number): void {
    if (end === this.#position) return
    const first = this.#source[this.#position]!
    if (this.#pending && first !== '\n' && first !== '\r') {
      this.#text.update(this.#position, this.#position + 1, this.#pending + first)
      this.#pending = ''
    }
    this.#attachPending(this.#position)
    this.#last = this.#source[end - 1]!
    this.#position = end
  }

  insert(text: string): void {
    this.#pending += this.#apart(text)
    this.#last = text.at(-1)!
  }

  /** Inserts text that stands for the character at `origin`, which is replaced. */
  insertFrom(origin: number, text: string): void {
    this.#text.update(origin, origin + 1, this.#apart(text))
    this.#attachPending(origin)
    this.#moves.push({ from: origin, to: this.#position })
    this.#last = text.at(-1)!
  }

  /** Writes text instead of the source up to a position, without the character that stands in `origins`. */
  replace(end: number, text: string, origins: ReadonlySet<number>): void {
    const start = this.#position
    let origin = start
    while (origin < end && !origins.has(origin)) origin++
    const written = text && this.#apart(text)
    this.#pending += written
    if (written) this.#last = written.at(-1)!
    this.#overwrite(start, origin)
    if (origin < end) this.#overwrite(origin + 1, end)
    this.#position = end
  }

  finish(file: string): { code: string; map: SourceMap } {
    this.keep(this.#source.length)
    this.#text.append(this.#pending)
    for (const { from, to } of this.#moves) this.#text.move(from, from + 1, to)
    return { code: this.#text.toString(), map: this.#text.generateMap({ source: file, includeContent: true, hires: 'boundary' }) }
  }

  #overwrite(start: number, end: number): void {
    if (start >= end) return
    if (this.#pending) this.#text.update(start, end, this.#pending)
    else this.#text.remove(start, end)
    this.#pending = ''
  }

  #attachPending(position: number): void {
    if (this.#pending) this.#text.appendRight(position, this.#pending)
    this.#pending = ''
  }

  /** In `return[x]` and `of[x]` a name must not grow together with the keyword. */
  #apart(text: string): string {
    const before = this.#source[this.#position - 1]
    return before && /[\w$]/.test(before) && /^[\w$]/.test(text) && /[\w$]/.test(this.#last) ? ` ${text}` : text
  }
}
