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

/** Each line of control that waits, those that wait for others of them last. */
function waitingCalls(execution: Execution): Waiting[] {
  const ofBody = [...execution.suspended].filter((call) => !execution.around.has(call))
  const waiting = ofBody.length > 0 ? ofBody : [...execution.suspended]
  const inside = new Set(waiting.map(innerOf))
  const outermost = waiting.filter((call) => !inside.has(call))
  const [first, last] = [false, true].map((waits) => outermost.filter((call) => waitsForOthers(call) === waits))
  return [...first!, ...last!].map((call) => {
    const inner = []
    const line = call.process ? [call.process.name] : []
    let innermost = call
    for (let next = innerOf(call); next; next = innerOf(next)) {
      inner.push(placeOf(next.site))
      if (next.process) line.push(next.process.name)
      innermost = next
    }
    const waitsFor = innermost.awaits?.process?.name
    return { process: call.process?.name ?? call.name, place: placeOf(call.site), inner, line, waitsFor }
  })
}

/** The call that keeps it waiting: also where that is the one to whose promise the awaited one was left. */
const innerOf = (call: Call): Call | undefined => call.delegate() ?? call.awaits?.delegate()

function waitsForOthers(call: Call): boolean {
  return call.awaitsParts.some((part) => part.isSuspended)
}

export function waitingPlaces(execution: Execution): string {
  return waitingCalls(execution).map(({ place }) => describePlace(place)).join(', ')
}
