import { changes, isOfControl, isSamePlace, replaces, type Access } from './accesses.ts'
import { callsAround } from './calls-around.ts'
import { Descent } from './descent.ts'
import type { Finding } from './finding.ts'
import type { InputRecording } from './input.ts'
import { isFiring } from './timeouts.ts'
import { areTwo, isAbsent, looksSame } from './values.ts'
import { isInside } from './words.ts'

/** The execution in which something is taken away. */
export interface Around {
  readonly accesses: readonly Access[]
  readonly descent: Descent
  readonly recording: Pick<InputRecording, 'steps' | 'calls' | 'begunBy'>
}

/**
 * Who takes away what another one has put there has to do with something else that was there before: it has put that there itself, as the owner of a lock of which
 * the lease has ended, or it is about that, as what a socket does when it is closed.
 */
export function withHeld(finding: Finding, around: Around): Finding {
  if (finding.pattern !== 'order-violation' && finding.pattern !== 'overwritten') return finding
  const [given, cleared] = finding.pattern === 'overwritten' ? [finding.looked, finding.changed.at(-1)!] : [finding.first, finding.second]
  const held = heldIn(given, cleared, around)
  return held ? { ...finding, held } : finding
}

/** The same of one that had looked there, put there what is its own, and takes away what it finds later: that it has looked tells least of it. */
export function asRelease(finding: Finding, accesses: readonly Access[], recording: InputRecording): Finding {
  if (finding.pattern !== 'check-then-act' || finding.how !== 'write') return finding
  const { act, changed } = finding
  const first = changed.at(-1)!
  const held = heldIn(first, act, { accesses, descent: new Descent(recording), recording })
  return held ? { pattern: 'order-violation', first, second: act, isOverlap: true, held } : finding
}

export const heldIn = (given: Access, cleared: Access, around: Around): Access | undefined => (isTakenAway(given, cleared) ? heldBefore(given, cleared, around) : undefined)

/** What shows no value may be anything. */
function isTakenAway(given: Access, cleared: Access): boolean {
  if (isOfControl(given) || isInside(given) || isInside(cleared) || given.key.kind === 'order' || !changes(given) || isAbsent(given.value)) return false
  return changes(cleared) && cleared.kind !== 'increase' && isAbsent(cleared.value)
}

function heldBefore(given: Access, cleared: Access, { accesses, descent, recording }: Around): Access | undefined {
  const before = accesses.filter((access) => access.index < given.index && access.location === given.location && changes(access) && !isAbsent(access.value))
  // Of two texts that are the same each has put its own there.
  const isPutByBoth = (access: Access): boolean => access.process === cleared.process && given.process !== cleared.process && replaces(access) && replaces(given) && given.value.type === 'string'
  const others = before.filter((access) => areTwo(access.value, given.value) || !looksSame(access.value, given.value) || isPutByBoth(access))
  const isOwn = (access: Access): boolean => (access.process !== given.process && !descent.isFrom(given.process, access.process) && descent.isFrom(cleared.process, access.process)) || isOfOneCall(access, { cleared, given }, recording)
  const isAbout = ({ value: { identity } }: Access): boolean => identity !== undefined && accesses.some(({ step, process, object }) => step === cleared.step && process === cleared.process && object === identity)
  // One line puts both there, each with what is to take it away again; by a timer, it is only forgotten.
  const isOfOneLine = (access: Access): boolean => access.process === given.process && isSamePlace(access, given) && isObject(access) && (access.step === given.step ? isBegunBefore(access) : comesOf(access) && !comesOf(given))
  const isForgotten = recording.steps[cleared.step]!.accesses.some(isFiring)
  const births = descent.ancestorsOf(cleared.process)
  const comesOf = ({ step }: Access): boolean => births.some((birth) => birth.step === step)
  const isBegunBefore = ({ step, index }: Access): boolean => births.some((birth) => birth.step === step && birth.index !== undefined && birth.index <= index)
  return others.findLast((access) => isOwn(access) || isAbout(access) || (!isForgotten && isOfOneLine(access)))
}

/** Both are done within one call, or by a callback of it, with which the third has nothing to do. */
function isOfOneCall(access: Access, { cleared, given }: { readonly cleared: Access; readonly given: Access }, { calls = [], begunBy = [] }: Around['recording']): boolean {
  const callsOf = ({ within, process }: Access): Set<number> => callsAround(within ?? begunBy[process], calls)
  const [own, others] = [callsOf(cleared), callsOf(given)]
  return [...callsOf(access)].some((call) => own.has(call) && !others.has(call))
}

const isObject = ({ value: { type } }: Access): boolean => type === 'object' || type === 'function'
