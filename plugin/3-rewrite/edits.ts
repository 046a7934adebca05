import { MappedOutput, type SourceMap } from './source-map.ts'

/** A text put into the source. It may be filled in later, when what follows has been visited. */
export interface Insertion {
  readonly at: number
  text: string
  /** The position in the source that it stands for. */
  readonly origin: number
}

interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly origin: number
}

/**
 * Insertions and replacements in one source. At any position the order is: the replacement that
 * ends there, the insertions in the order they were made, the replacement that starts there.
 */
export class Edits {
  readonly #insertions: Insertion[] = []
  readonly #replacements: Replacement[] = []
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  insert(at: number, text: string, origin = at): Insertion {
    const insertion = { at, text, origin }
    this.#insertions.push(insertion)
    return insertion
  }

  /** Keeps the line breaks of what it replaces, so that every line stays where it is. */
  replace(start: number, end: number, text: string, origin = start): void {
    let lines = ''
    for (let i = this.#source.indexOf('\n', start); i !== -1 && i < end; i = this.#source.indexOf('\n', i + 1)) lines += '\n'
    this.#replacements.push({ start, end, text: text + lines, origin })
  }

  /** A mark for `firstCharacter`. */
  get mark(): readonly [number, number] {
    return [this.#insertions.length, this.#replacements.length]
  }

  /** The first character at `position` of what was written since `mark`, which is followed by the source. */
  firstCharacter(position: number, [insertions, replacements]: readonly [number, number]): string {
    for (let i = insertions; i < this.#insertions.length; i++) {
      const { at, text } = this.#insertions[i]!
      if (at === position && text) return text[0]!
    }
    const replacement = this.#replacements.slice(replacements).find(({ start }) => start === position)
    if (!replacement) return this.#source[position]!
    const text = replacement.text.trimStart()
    return text[0] ?? this.#source.slice(replacement.end).trimStart()[0] ?? ''
  }

  apply(file: string): { code: string; map: SourceMap } {
    const output = new MappedOutput(this.#source)
    const insertions = this.#insertions.toSorted((a, b) => a.at - b.at)
    const replacements = this.#replacements.toSorted((a, b) => a.start - b.start)
    let position = 0
    let next = 0
    const writeInsertions = (upTo: number): void => {
      for (let insertion = insertions[next]; insertion && insertion.at <= upTo; insertion = insertions[++next]) {
        if (!insertion.text) continue
        output.copy(position, insertion.at)
        position = insertion.at
        output.write(this.#apart(output, insertion.at, insertion.text), insertion.origin)
      }
    }
    for (const { start, end, text, origin } of replacements) {
      writeInsertions(start)
      output.copy(position, start)
      output.write(this.#apart(output, start, text), origin)
      position = end
    }
    writeInsertions(this.#source.length)
    output.copy(position, this.#source.length)
    return { code: output.code, map: output.map(file) }
  }

  /** In `return[x]` and `of[x]` a name must not grow together with the keyword. */
  #apart(output: MappedOutput, at: number, text: string): string {
    return /^[\w$]/.test(text) && at > 0 && /[\w$]/.test(this.#source[at - 1]!) && /[\w$]$/.test(output.code.slice(-1)) ? ` ${text}` : text
  }
}
