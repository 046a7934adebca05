import type { Call } from '../execution/process.ts'
import { DeadlockError, describePlace, LivelockError, type Waiting } from '../execution/errors.ts'
import type { Execution } from '../execution/execution.ts'
import { placeOf } from '../execution/sources.ts'

export function deadlock(execution: Execution): DeadlockError {
  return new DeadlockError(waitingCalls(execution))
}

export function livelock(execution: Execution): LivelockError {
  const loops = execution.loops.circling.map(({ site, call, sites }) => {
    const looks = new Set(sites.map((look) => placeOf(look)?.text).filter((text) => text !== undefined))
    return { process: call.process?.name ?? call.name, place: placeOf(site), looks: [...looks] }
  })
  return new LivelockError(loops)
}

/** Calls of which each waits for the next to end, the outermost first. */
type Line = readonly [Call, ...Call[]]

/** Each line of control that waits, those that wait for others of them last. */
function waitingCalls(execution: Execution): Waiting[] {
  const ofBody = [...execution.suspended].filter((call) => !execution.around.has(call))
  const waiting = ofBody.length > 0 ? ofBody : [...execution.suspended]
  const cut = endsInCircles(waiting)
  const inside = new Set(waiting.map((call) => (cut.has(call) ? undefined : innerOf(call))))
  const outermost = waiting.filter((call) => !inside.has(call))
  const [first, last] = [false, true].map((waits) => outermost.filter((call) => waitsForOthers(call) === waits))
  const lines = [...first!, ...last!].map((call) => lineFrom(call, cut))
  const reached = new Set(lines.flat())
  // Calls that wait for one another have none that is the outermost.
  const inCircle = waiting.filter((call) => !reached.has(call)).map((call): Line => [call])
  return toldLines([...lines, ...inCircle], cut)
}

/** Where calls wait for one another in a circle, those of them that wait for one that others have begun: there lines of control meet. One such is a line that waits for itself. */
function endsInCircles(waiting: readonly Call[]): ReadonlySet<Call> {
  const ends = new Set<Call>()
  for (const start of waiting) {
    const path: Call[] = []
    let next: Call | undefined = start
    for (; next && !path.includes(next); next = innerOf(next)) path.push(next)
    const meeting = next ? path.slice(path.indexOf(next)).filter((call) => innerOf(call)!.caller !== call) : []
    if (meeting.length > 1) for (const call of meeting) ends.add(call)
  }
  return ends
}

const nameOf = ({ process, name }: Call): string => process?.name ?? name

function toldLines(lines: readonly Line[], cut: ReadonlySet<Call>): Waiting[] {
  const outermost = lines.map(([call]) => nameOf(call))
  // Calls that are no processes may have one name.
  const isOfOne = (name: string): boolean => outermost.indexOf(name) === outermost.lastIndexOf(name)
  return lines.map((line) => {
    const [first, ...inner] = line
    const innermost = line.at(-1)!
    const blockers = cut.has(innermost) ? [innerOf(innermost)!] : (innermost.blockers?.() ?? [])
    const holders = new Set(blockers.flatMap((blocker) => lines.find((other) => other.includes(blocker))?.[0] ?? []).map(nameOf).filter(isOfOne))
    // What ran within this line has ended with a promise that others settle: that is no wait for the line itself.
    const last = innermost.awaits?.process
    const ended = last === innermost.process ? undefined : last?.name
    return {
      process: nameOf(first),
      place: placeOf(first.site),
      inner: inner.map(({ site }) => placeOf(site)),
      line: line.flatMap(({ process }) => (process ? [process.name] : [])),
      waitsFor: [...(holders.size === 0 && ended !== undefined ? [ended] : holders)],
    }
  })
}

function lineFrom(outermost: Call, cut: ReadonlySet<Call>): Line {
  const line: [Call, ...Call[]] = [outermost]
  for (let last = outermost; !cut.has(last); last = line.at(-1)!) {
    const next = innerOf(last)
    if (!next || line.includes(next)) break
    line.push(next)
  }
  return line
}

/** The call that keeps it waiting: also where that is the one to whose promise the awaited one was left. */
const innerOf = (call: Call): Call | undefined => call.delegate() ?? call.awaits?.delegate() ?? call.leftTo

function waitsForOthers(call: Call): boolean {
  return call.awaitsParts.some((part) => part.isSuspended)
}

export function waitingPlaces(execution: Execution): string {
  return waitingCalls(execution).map(({ place }) => describePlace(place)).join(', ')
}
