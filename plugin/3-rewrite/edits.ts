import type { Lines } from './lines.ts'
import type { SourceMap } from 'magic-string'
import type { Range } from '../1-parse/ranges.ts'
import { Output, type Hole } from './output.ts'

/** A text put into the source. It may be filled in later, when what follows has been visited. */
export interface Insertion {
  readonly at: number
  text: string
  /** The position in the source that it stands for; undefined if there is none. */
  readonly origin: number | undefined
  /** What follows it: more text, and parts of the source that are moved here. */
  parts?: (string | Fragment)[]
}

/** A part of the source that stands elsewhere in the result, with all that was written into it. */
export interface Fragment extends Range {
  readonly insertions: readonly (Insertion | Copy)[]
  readonly replacements: readonly Replacement[]
}

/** A part of the source that is put into it once more, as it is. */
interface Copy extends Range {
  readonly at: number
  readonly holes: readonly Hole[]
}

export interface Replacement extends Range {
  text: string
}

/** How much had been written. */
export type Mark = readonly [insertions: number, replacements: number]

/**
 * Insertions and replacements in one source. At any position the order is: the replacement that
 * ends there, the insertions in the order they were made, the replacement that starts there.
 */
export class Edits {
  readonly #insertions: (Insertion | Copy)[] = []
  readonly #replacements: Replacement[] = []
  readonly #source: string
  /** How many texts call the runtime. */
  calls = 0
  /** How many texts name what they make. */
  names = 0

  constructor(source: string) {
    this.#source = source
  }

  insert(at: number, text: string, origin: number | undefined = at): Insertion {
    this.#count(text)
    const insertion = { at, text, origin }
    this.#insertions.push(insertion)
    return insertion
  }

  /** Text that stands for nothing of the source, unless it is what an error is said to come from: then for what is at `origin`. */
  insertOwn(at: number, text: string, origin?: number): Insertion {
    const insertion = { at, text, origin }
    this.#insertions.push(insertion)
    return insertion
  }

  copy(at: number, { start, end }: Range, holes: readonly Hole[]): void {
    this.#insertions.push({ at, start, end, holes })
  }

  /** Takes out what was written into a part of the source since `mark`, and writes a name in its place. */
  cut({ start, end, name }: Hole, [insertions, replacements]: Mark): Fragment {
    const fragment = { start, end, insertions: this.#insertions.splice(insertions), replacements: this.#replacements.splice(replacements) }
    this.#replacements.push({ start, end, text: name })
    return fragment
  }

  /** Undoes that. Of several the last one goes first. */
  putBack(fragment: Fragment, [insertions, replacements]: Mark): void {
    this.#insertions.splice(insertions, 0, ...fragment.insertions)
    this.#replacements.splice(replacements, 1, ...fragment.replacements)
  }

  /** Keeps the line breaks of what it replaces, so that every line stays where it is. */
  replace(start: number, end: number, text: string): Replacement {
    this.#count(text)
    // Only what is replaced is looked at: the next line of a bundle may be far.
    const replacement = { start, end, text: text + '\n'.repeat(this.#source.slice(start, end).split('\n').length - 1) }
    this.#replacements.push(replacement)
    return replacement
  }

  #count(text: string): void {
    if (!text.includes('__dpor')) return
    this.calls++
    if (text.includes('__dpor.made(') || text.includes('__dpor.construct(')) this.names++
  }

  /** A mark for `firstCharacter` and `cut`. */
  get mark(): Mark {
    return [this.#insertions.length, this.#replacements.length]
  }

  /** The first character at `position` of what was written since `mark`, which is followed by the source. */
  firstCharacter(position: number, [insertions, replacements]: Mark): string {
    for (let i = insertions; i < this.#insertions.length; i++) {
      const insertion = this.#insertions[i]!
      if (insertion.at === position && 'text' in insertion && insertion.text) return insertion.text[0]!
    }
    const replacement = this.#replacements.slice(replacements).find(({ start }) => start === position)
    if (!replacement) return this.#source[position]!
    const text = replacement.text.trimStart()
    return text[0] ?? this.#source.slice(replacement.end).trimStart()[0] ?? ''
  }

  /** @param commentsIn the comments between two positions */
  apply(file: string, lines: Lines, commentsIn: (range: Range) => Iterable<Range>): { code: string; map: SourceMap } {
    const output = new Output(this.#source, lines, commentsIn)
    write(output, { start: 0, end: this.#source.length, insertions: this.#insertions, replacements: this.#replacements })
    return output.finish(file)
  }
}

/** Writes a part of the source with all that was written into it. */
function write(output: Output, fragment: Fragment): void {
  const insertions = fragment.insertions.filter((insertion) => !('text' in insertion) || insertion.text !== '').toSorted((a, b) => a.at - b.at)
  const replacements = fragment.replacements.toSorted((a, b) => a.start - b.start)
  const position = output.moveTo(fragment.start)
  let next = 0
  const writeInsertions = (upTo: number): void => {
    for (let insertion = insertions[next]; insertion && insertion.at <= upTo; insertion = insertions[++next]) {
      output.keep(insertion.at)
      if ('text' in insertion) writeInsertion(output, insertion)
      else output.copy(insertion, insertion.holes)
    }
  }
  for (const { start, end, text } of replacements) {
    writeInsertions(start)
    output.keep(start)
    output.replace(end, text)
  }
  writeInsertions(fragment.end)
  output.keep(fragment.end)
  output.moveTo(position)
}

function writeInsertion(output: Output, { text, origin, parts = [] }: Insertion): void {
  output.insert(text, origin)
  for (const part of parts) {
    if (typeof part === 'string') output.insert(part, undefined)
    else write(output, part)
  }
}
