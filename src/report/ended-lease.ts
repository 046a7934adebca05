import { changes, isOfControl, isSamePlace, type Access } from './accesses.ts'
import { callsAround } from './calls-around.ts'
import { grouped } from './grouped.ts'
import type { InputRecording } from './input.ts'
import { labelOf } from './naming.ts'
import type { OtherOrder } from './other-order.ts'
import { isFiring } from './timeouts.ts'
import { areTwo, isAbsent, looksSame } from './values.ts'
import { isInside } from './words.ts'

/** What one has put somewhere for a time is gone, as that was over, while its call went on; and another one has put its own there. */
export interface EndedLease {
  readonly given: Access
  /** A timer takes it away; without one, whoever comes next writes over it. */
  readonly ended?: Access
  readonly taken: Access
  /** The first one comes back to it; without one, it would have, had the test not ended before. */
  readonly late?: Access
  /** The calls in which the two do that, by their numbers. */
  readonly calls: readonly [number, number]
}

/** The execution, and others in which calls do not overlap. */
interface Around extends Pick<InputRecording, 'calls' | 'steps'> {
  readonly accesses: readonly Access[]
  readonly others: readonly OtherOrder[]
}

export function endedLeaseIn(around: Around): EndedLease | undefined {
  for (const all of grouped(around.accesses, ({ location }) => location).values()) {
    const found = isOfControl(all[0]!) || all[0]!.key.kind === 'order' ? undefined : endedIn(all, around)
    if (found) return found
  }
  return undefined
}

function endedIn(all: readonly Access[], around: Around): EndedLease | undefined {
  const { calls = [], steps, others: orders } = around
  const changed = all.filter(changes)
  for (const [i, given] of changed.entries()) {
    const next = changed[i + 1]
    if (!next || isAbsent(given.value) || isInside(given)) continue
    const own = callsAround(given.within, calls)
    const isByTimer = isAbsent(next.value) && steps[next.step]!.accesses.some(isFiring) && steps[given.step]!.spawned.includes(next.process)
    const taken = isByTimer ? changed[i + 2] : next
    if (!taken || !isSamePlace(taken, given) || isAbsent(taken.value) || !(areTwo(taken.value, given.value) || !looksSame(taken.value, given.value))) continue
    const others = callsAround(taken.within, calls)
    const line = [...own].filter((call) => !others.has(call))
    // Who does both from within one call keeps nobody from anything.
    if (line.length === 0 || [...others].every((call) => own.has(call))) continue
    const isOf = (some: readonly number[]) => ({ within }: Access): boolean => [...callsAround(within, calls)].some((call) => some.includes(call))
    const theirs = [...others].filter((call) => !own.has(call))
    const between = all.filter(({ index }) => index > given.index && index < taken.index).filter(isOf(theirs))
    if (!isByTimer && !(isFoundBefore(between, taken) && hasPassed(given, taken, steps) && looksAtTime(given, taken, around.accesses))) continue
    const late = all.find((access) => access.index > taken.index && isOf(line)(access))
    if (late || orders.some(({ accesses }) => comesBack(given, accesses))) return { given, ...(isByTimer && { ended: next }), taken, ...(late && { late }), calls: [line.at(-1)!, theirs.at(-1)!] }
  }
  return undefined
}

/** Whoever comes next has looked there before, in vain, and looks again. */
const isFoundBefore = (own: readonly Access[], { step }: Access): boolean => own.some((access) => access.kind === 'read' && access.step === step) && own.some((access) => access.kind === 'read' && access.step !== step)

const hasPassed = (given: Access, taken: Access, steps: InputRecording['steps']): boolean => steps.slice(given.step + 1, taken.step + 1).some(({ time }) => time !== undefined)

/** What says since when, or until when, is a number in what was put there, or beside it. */
const looksAtTime = (given: Access, taken: Access, accesses: readonly Access[]): boolean =>
  accesses.some(({ step, process, index, kind, object, location, value }) => step === taken.step && process === taken.process && index < taken.index && kind === 'read' && value.type === 'number' && location !== given.location && (object === given.value.identity || object === given.object))

/** Who has put it there looks there again, or takes it away. Objects of another execution are others. */
function comesBack(given: Access, accesses: readonly Access[]): boolean {
  const own = accesses.filter((access) => access.process === given.process && labelOf(access) === labelOf(given))
  const put = own.find((access) => changes(access) && !isAbsent(access.value) && access.place?.line === given.place?.line && access.place?.file === given.place?.file)
  return put !== undefined && own.some(({ index, step }) => index > put.index && step !== put.step)
}
