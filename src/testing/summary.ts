import type { Contended } from '../report/index.ts'
import { few } from '../report/lists.ts'
import type { Finding, Found } from './finding.ts'
import { keyOf, nameOf } from './race.ts'

/** One ordinary test of a run in which those are explored. */
export interface FoundTest {
  readonly name: string
  readonly finding: Finding
  /** How many executions, and what else is to be told. */
  readonly counts?: string | undefined
}

/** Where time decides, one order is not all that there may be. */
type Counted = Found | 'alone in time'

const countedAs = ({ found, waits }: Finding): Counted => (found === 'alone' && waits ? 'alone in time' : found)

/** In the order in which they are told. */
const words: readonly (readonly [counted: Counted, one: string, many: string])[] = [
  ['race', 'race', 'races'],
  ['known', 'known race', 'known races'],
  ['holds', 'holds', 'hold'],
  ['held', 'holds as last time', 'hold as last time'],
  ['alone', 'has no concurrency', 'have no concurrency'],
  ['alone in time', 'has one order in time', 'have one order in time'],
  ['inconclusive', 'inconclusive', 'inconclusive'],
  ['fails', 'fails in the plain order', 'fail in the plain order'],
  ['unexplored', 'not explored', 'not explored'],
]

/** `212 tests: 3 races at 2 places, 41 hold, 160 have no concurrency, 8 not explored`. */
export function totals(tests: readonly FoundTest[]): string {
  const counts = words.flatMap(([counted, one, many]) => {
    const those = tests.filter(({ finding }) => countedAs(finding) === counted)
    const places = bySite(those).length
    const where = places === those.length ? '' : ` at ${places} ${places === 1 ? 'place' : 'places'}`
    return those.length === 0 ? [] : [`${those.length} ${those.length === 1 ? one : many}${where}`]
  })
  return `${tests.length} ${tests.length === 1 ? 'test' : 'tests'}: ${counts.join(', ')}`
}

/** A line of what was found, and about what. `waits`: what was found rests on how long timers take. `fakes`: on fakes that take no time. */
export interface SummaryLine {
  readonly found: Found | 'waits' | 'fakes'
  readonly text: string
  readonly remark: string
}

const labels: Partial<Record<SummaryLine['found'], string>> = { known: 'known race', waits: 'in time', fakes: 'at once', unexplored: 'not explored' }

/** What stands before the text of a line. */
export const labelOf = (found: SummaryLine['found']): string => labels[found] ?? found

/** Names in one line, at most. */
const mostNamed = 3

/** What a user asks for. */
interface Asking {
  /** That timers take longer. */
  readonly timeRace: string
  /** A run that explores no ordinary tests. */
  readonly unexplored: string
}

/** What is to be said: of races by their places, of what is inconclusive each, of those that fail together, of what was not explored by the reason, of those that wait together. */
export function linesOf(tests: readonly FoundTest[], asking: Asking = { timeRace: '--dpor.time=race', unexplored: 'a run without --dpor' }): SummaryLine[] {
  const those = (wanted: Found): FoundTest[] => tests.filter(({ finding }) => finding.found === wanted)
  return [...byRace(those('race')), ...byRace(those('known')), ...those('inconclusive').map(ofOne), ...failing(those('fails'), asking), ...byReason(those('unexplored')), ...waiting(tests.filter(({ finding }) => finding.waits === true), asking), ...withFakeClock(tests.filter(({ finding }) => finding.waits === 'fake clock')), ...withFakes(tests.filter(({ finding }) => finding.fakes))]
}

function ofOne({ name, finding: { found, reason, race, contended = [] }, counts }: FoundTest): SummaryLine {
  return { found, text: name, remark: [counts, reason, race && nameOf(race), mostRacesOn(contended)].filter((part) => part !== undefined).join('; ') }
}

function mostRacesOn([most]: readonly Contended[]): string | undefined {
  return most && `most races on ${most.name}${most.places.length === 0 ? '' : ` (${most.places.join(', ')})`}`
}

/** Tests that have found the same. */
function bySite(tests: readonly FoundTest[]): FoundTest[][] {
  const sites = new Map<unknown, FoundTest[]>()
  for (const test of tests) {
    const site = test.finding.race ? keyOf(test.finding.race) : test
    sites.set(site, [...(sites.get(site) ?? []), test])
  }
  return [...sites.values()]
}

function byRace(tests: readonly FoundTest[]): SummaryLine[] {
  return bySite(tests).map((same) => {
    const [first] = same as [FoundTest, ...FoundTest[]]
    if (same.length === 1) return ofOne(first)
    return { found: first.finding.found, text: namesOf(same.map(({ name }) => name)), remark: `${same.length} tests; ${nameOf(first.finding.race!)}` }
  })
}

/** It is run under control, and made of other code than without: how it would end there nobody may have seen. */
function failing(tests: readonly FoundTest[], { unexplored }: Asking): SummaryLine[] {
  const lineOf = (those: readonly FoundTest[], text: string): SummaryLine[] => (those.length === 0 ? [] : [{ found: 'fails', text, remark: namesOf(those.map(({ name }) => name)) }])
  return [
    ...lineOf(tests.filter(({ finding }) => finding.isSure), 'in the plain order, without exploration as well'),
    ...lineOf(tests.filter(({ finding }) => !finding.isSure), `in the plain order; whether without exploration as well, ${unexplored} tells`),
  ]
}

function waiting(tests: readonly FoundTest[], { timeRace }: Asking): SummaryLine[] {
  if (tests.length === 0) return []
  const what = tests.length === 1 ? '1 test waits' : `${tests.length} tests wait`
  return [{ found: 'waits', text: `${what} for timers, which fire in the order of their lengths; with ${timeRace} what competes with them may take longer`, remark: namesOf(tests.map(({ name }) => name)) }]
}

function withFakeClock(tests: readonly FoundTest[]): SummaryLine[] {
  if (tests.length === 0) return []
  const what = tests.length === 1 ? '1 test moves a fake clock by what waits' : `${tests.length} tests move fake clocks by what waits`
  const text = `${what} (advanceTimersByTimeAsync, runAllTimersAsync, ...): by then all answers have come; with advanceTimersByTime, and a wait for what the test is about, they may come later`
  return [{ found: 'waits', text, remark: namesOf(tests.map(({ name }) => name)) }]
}

function withFakes(tests: readonly FoundTest[]): SummaryLine[] {
  if (tests.length === 0) return []
  const fakes = [...new Set(tests.flatMap(({ finding }) => finding.fakes ?? []))]
  const text = `${tests.length === 1 ? '1 test calls' : `${tests.length} tests call`} ${namesOf(fakes)}, which ${fakes.length === 1 ? 'answers' : 'answer'} at once; what stands for I/O takes its time as vi.fn(), or where io() is around what it returns`
  return [{ found: 'fakes', text, remark: namesOf(tests.map(({ name }) => name)) }]
}

const namesOf = (all: readonly string[]): string => few(all, mostNamed)

function byReason(tests: readonly FoundTest[]): SummaryLine[] {
  const names = new Map<string, string[]>()
  for (const { name, finding: { reason = 'unknown' } } of tests) names.set(reason, [...(names.get(reason) ?? []), name])
  return [...names]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([reason, all]) => ({ found: 'unexplored', text: reason, remark: namesOf(all) }))
}
