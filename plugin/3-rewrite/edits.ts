import { MagicString, type SourceMap } from 'magic-string'

/** A text put into the source. It may be filled in later, when what follows has been visited. */
export interface Insertion {
  readonly at: number
  text: string
}

interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
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

  get count(): number {
    return this.#insertions.length + this.#replacements.length
  }

  insert(at: number, text: string): Insertion {
    const insertion = { at, text }
    this.#insertions.push(insertion)
    return insertion
  }

  /** Keeps the line breaks of what it replaces, so that every line stays where it is. */
  replace(start: number, end: number, text: string): void {
    let lines = ''
    for (let i = this.#source.indexOf('\n', start); i !== -1 && i < end; i = this.#source.indexOf('\n', i + 1)) lines += '\n'
    this.#replacements.push({ start, end, text: text + lines })
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
    const output = new MagicString(this.#source)
    const replacements = this.#replacements.toSorted((a, b) => a.start - b.start)
    for (const { start, end, text } of replacements) {
      if (text) output.update(start, end, text)
      else output.remove(start, end)
    }
    const insertions = this.#insertions.toSorted((a, b) => a.at - b.at)
    for (let i = 0; i < insertions.length;) {
      const at = insertions[i]!.at
      let text = ''
      while (i < insertions.length && insertions[i]!.at === at) text += insertions[i++]!.text
      if (text) output.appendLeft(at, text)
    }
    return { code: output.toString(), map: output.generateMap({ source: file, includeContent: true, hires: 'boundary' }) }
  }
}
