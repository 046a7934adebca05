import type { Finding, Found } from './finding.ts'

/** One ordinary test of a run in which those are explored. */
export interface FoundTest {
  readonly name: string
  readonly finding: Finding
  /** How many executions, and what else is to be told. */
  readonly counts?: string | undefined
}

/** In the order in which they are told. */
const words: readonly (readonly [found: Found, one: string, many: string])[] = [
  ['race', 'race', 'races'],
  ['holds', 'holds', 'hold'],
  ['alone', 'has no concurrency', 'have no concurrency'],
  ['inconclusive', 'inconclusive', 'inconclusive'],
  ['fails', 'fails without it', 'fail without it'],
  ['unexplored', 'not explored', 'not explored'],
]

/** `212 tests: 3 races, 41 hold, 160 have no concurrency, 8 not explored`. */
export function totals(tests: readonly FoundTest[]): string {
  const counts = words.flatMap(([found, one, many]) => {
    const count = tests.filter(({ finding }) => finding.found === found).length
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
  })
  return `${tests.length} ${tests.length === 1 ? 'test' : 'tests'}: ${counts.join(', ')}`
}

/** A line of what was found, and about what. `waits`: what was found rests on how long timers take. */
export interface SummaryLine {
  readonly found: Found | 'waits'
  readonly text: string
  readonly remark: string
}

/** Names in one line, at most. */
const mostNamed = 3

/** What is to be said of single tests: of races and of what is inconclusive each, of what was not explored by the reason, of those that wait together. */
export function linesOf(tests: readonly FoundTest[]): SummaryLine[] {
  const each = (wanted: Found): SummaryLine[] =>
    tests.flatMap(({ name, finding: { found, reason }, counts = '' }) => (found === wanted ? [{ found, text: name, remark: reason === undefined ? counts : `${counts}; ${reason}` }] : []))
  return [...each('race'), ...each('inconclusive'), ...byReason(tests.filter(({ finding }) => finding.found === 'unexplored')), ...waiting(tests.filter(({ finding }) => finding.waits))]
}

function waiting(tests: readonly FoundTest[]): SummaryLine[] {
  if (tests.length === 0) return []
  const what = tests.length === 1 ? '1 test waits' : `${tests.length} tests wait`
  return [{ found: 'waits', text: `${what} for timers, which fire in the order of their lengths; with --dpor.time=race what competes with them may take longer`, remark: namesOf(tests.map(({ name }) => name)) }]
}

/** The first ones, and how many more. */
function namesOf(all: readonly string[]): string {
  return all.length > mostNamed ? `${all.slice(0, mostNamed).join(', ')} and ${all.length - mostNamed} more` : all.join(', ')
}

function byReason(tests: readonly FoundTest[]): SummaryLine[] {
  const names = new Map<string, string[]>()
  for (const { name, finding: { reason = 'unknown' } } of tests) names.set(reason, [...(names.get(reason) ?? []), name])
  return [...names]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([reason, all]) => ({ found: 'unexplored', text: reason, remark: namesOf(all) }))
}
