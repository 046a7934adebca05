import type { SourceMap } from 'magic-string'
import { Output } from './output.ts'

/** A text put into the source. It may be filled in later, when what follows has been visited. */
export interface Insertion {
  readonly at: number
  text: string
  /** The position in the source that it stands for: its own, or one in a range that is replaced. */
  readonly origin: number
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
  /** How many texts call the runtime. */
  calls = 0

  constructor(source: string) {
    this.#source = source
  }

  insert(at: number, text: string, origin = at): Insertion {
    this.#count(text)
    const insertion = { at, text, origin }
    this.#insertions.push(insertion)
    return insertion
  }

  /** Keeps the line breaks of what it replaces, so that every line stays where it is. */
  replace(start: number, end: number, text: string): void {
    let lines = ''
    for (let i = this.#source.indexOf('\n', start); i !== -1 && i < end; i = this.#source.indexOf('\n', i + 1)) lines += '\n'
    this.#count(text)
    this.#replacements.push({ start, end, text: text + lines })
  }

  #count(text: string): void {
    if (text.includes('__dpor')) this.calls++
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
    const insertions = this.#insertions.filter(({ text }) => text !== '').toSorted((a, b) => a.at - b.at)
    const replacements = this.#replacements.toSorted((a, b) => a.start - b.start)
    const origins = originsInside(replacements, insertions)
    const output = new Output(this.#source)
    let next = 0
    const writeInsertions = (upTo: number): void => {
      for (let insertion = insertions[next]; insertion && insertion.at <= upTo; insertion = insertions[++next]) {
        const { at, text, origin } = insertion
        output.keep(at)
        if (origins.has(origin) && origin !== at) output.insertFrom(origin, text)
        else output.insert(text)
      }
    }
    for (const { start, end, text } of replacements) {
      writeInsertions(start)
      output.keep(start)
      output.replace(end, text, origins)
    }
    writeInsertions(this.#source.length)
    return output.finish(file)
  }
}

/** The origins of insertions that stand in a range that is replaced: one in each. */
function originsInside(replacements: readonly Replacement[], insertions: readonly Insertion[]): Set<number> {
  const origins = insertions.filter(({ at, origin }) => origin !== at).map(({ origin }) => origin).toSorted((a, b) => a - b)
  const inside = new Set<number>()
  let next = 0
  for (const { start, end } of replacements) {
    while (origins[next]! < start) next++
    if (origins[next]! < end) inside.add(origins[next]!)
  }
  return inside
}
