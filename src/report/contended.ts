import { accessesOf, isOfControl, sharedLocations } from './accesses.ts'
import { otherOf, raceName, subjectOf, type Finding } from './finding.ts'
import { grouped } from './grouped.ts'
import type { InputRecording, Place } from './input.ts'
import { Places } from './places.ts'
import { unorderedFindings } from './unordered.ts'

/** What calls race on in an execution, and how much: each race may come the other way round, so orders are as many as two to their number. */
export interface Contended {
  /** `account.balance` */
  readonly name: string
  /** Pairs of accesses that came next to one another and could have come the other way round. */
  readonly races: number
  /** `account.ts:8`: where most of them are. */
  readonly places: readonly string[]
}

/** Names, and places of each, at most. */
const mostNamed = 3

/** What has the most races comes first. */
export function contended(recording: InputRecording, original?: (place: Place) => Place | undefined): Contended[] {
  const races = unorderedFindings(sharedLocations(accessesOf(recording)), recording.order).filter((race) => !isOfControl(subjectOf(race)))
  const byName = [...grouped(races, raceName)].toSorted(([, one], [, other]) => other.length - one.length).slice(0, mostNamed)
  const found = byName.map(([name, same]) => ({ name, races: same.length, most: mostFrequent(same) }))
  const shown = new Places('', found.flatMap(({ most }) => most), original)
  return found.map(({ name, races: count, most }) => ({ name, races: count, places: most.map((place) => shown.show(place).shown) }))
}

/** `Races in one execution: 12 on account.balance (account.ts:8), 3 on log (log.ts:4). ...`; empty where there are none. */
export function contendedText(all: readonly Contended[]): string {
  const placed = ({ races, name, places }: Contended): string => `${races} on ${name}${places.length === 0 ? '' : ` (${places.join(', ')})`}`
  return all.length === 0 ? '' : `Races in one execution: ${all.map(placed).join(', ')}. Each may double the orders: fewer calls that share this make far fewer.`
}

/** Of the lines of these races the ones that most are at. */
function mostFrequent(races: readonly Finding[]): Place[] {
  const places = races.flatMap((race) => [subjectOf(race).place, otherOf(race).place]).filter((place) => place !== undefined)
  const byLine = [...grouped(places, ({ file, line }) => `${file}:${line}`).values()]
  return byLine.toSorted((one, other) => other.length - one.length).slice(0, mostNamed).map(([place]) => place!)
}
