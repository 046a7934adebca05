import type { RacedPlaces, SourcePlace } from '../runtime/index.ts'
import { originalPlace } from './original-places.ts'

/** One line of the user's code, or of a package. */
export interface RacingLine {
  readonly file: string
  readonly line: number
  /** What is accessed there, as it is written. */
  readonly text: string
}

/** Two lines that access the same, and in which orders two calls came there. */
export interface RacingLines {
  readonly lines: readonly [RacingLine, RacingLine]
  /**
   * `both`: in both orders. `one`: in one, and the other one was not run. `same`: in one, as nobody can tell the other one from it. `never`: one always
   * had to come before the other, as by a lock.
   */
  readonly seen: 'both' | 'one' | 'same' | 'never'
}

/** Lines of one test that are told, at most. */
const most = 200

/** What is to be looked at comes first. */
const byNeed = ['one', 'never', 'same', 'both'] as const

/** Of places the lines. Of two lines with several places it is told what is known of the least. */
export function racingLines(places: readonly RacedPlaces[], { isComplete }: { /** No order was left out that somebody could tell from others. */ readonly isComplete: boolean }): RacingLines[] {
  const told = places.map(({ first, second, seen }) => ({ lines: inOrder(lineOf(first), lineOf(second)), seen: seen === 'one' && isComplete ? ('same' as const) : seen }))
  return merged(told, (one, other) => (one === 'never' || (other !== 'never' && byNeed.indexOf(other) < byNeed.indexOf(one)) ? other : one)).slice(0, most)
}

/** Those of all tests: what one test has seen is seen. */
export function racingLinesOfAll(tests: readonly (readonly RacingLines[])[]): (RacingLines & { readonly tests: number })[] {
  const counts = new Map<string, number>()
  for (const lines of tests) for (const one of lines) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
  const known = ['both', 'same', 'one', 'never'] as const
  const all = merged(tests.flat(), (one, other) => (known.indexOf(other) < known.indexOf(one) ? other : one))
  return all.map((one) => ({ ...one, tests: counts.get(keyOf(one))! }))
}

/** One of each two lines, those first that are to be looked at. */
function merged(all: readonly RacingLines[], choose: (one: RacingLines['seen'], other: RacingLines['seen']) => RacingLines['seen']): RacingLines[] {
  const found = new Map<string, RacingLines>()
  for (const one of all) {
    const known = found.get(keyOf(one))
    found.set(keyOf(one), known ? { ...known, seen: choose(known.seen, one.seen) } : one)
  }
  return [...found.values()].toSorted((one, other) => byNeed.indexOf(one.seen) - byNeed.indexOf(other.seen))
}

function lineOf(place: SourcePlace): RacingLine {
  const { file, line, text } = originalPlace(place) ?? place
  return { file, line, text }
}

function inOrder(one: RacingLine, other: RacingLine): RacingLines['lines'] {
  const isFirst = one.file === other.file ? one.line <= other.line : one.file < other.file
  return isFirst ? [one, other] : [other, one]
}

const keyOf = ({ lines }: Pick<RacingLines, 'lines'>): string => lines.map(({ file, line }) => `${file}:${line}`).join(' ')
