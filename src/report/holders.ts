import type { ExecutionOrder } from '../engine/index.ts'
import { changes, isOfControl, isSamePlace, type Access } from './accesses.ts'
import { Descent } from './descent.ts'
import type { Finding } from './finding.ts'
import type { InputRecording } from './input.ts'
import type { OtherOrder } from './other-order.ts'
import { isAbsent } from './values.ts'
import { isRemoval } from './words.ts'

/**
 * Who holds something is written down, and taken away by another one who held it before: the holder then finds that nobody does, or another one
 * does while the holder still goes on. It was written by the holder, or for it, by whoever woke it.
 */
export function wrongHolderFindings(shared: ReadonlyMap<number, readonly Access[]>, recording: Pick<InputRecording, 'steps' | 'order' | 'calledBy' | 'calls' | 'callOf'>, others: readonly OtherOrder[] = []): Finding[] {
  const { order } = recording
  const descent = new Descent(recording)
  return [...shared.values()].flatMap((accesses) => (isOfControl(accesses[0]!) || accesses[0]!.key.kind === 'order' ? [] : [...findingsIn(accesses, order, descent), ...sharedFindings(accesses, recording, others)]))
}

/**
 * An entry is removed by one of two calls of one function that both hold it, and remove it in the end: a third one finds nothing while the other still goes on.
 *
 * @param others executions of other orders, in which the other call may come as far as that
 */
function sharedFindings(accesses: readonly Access[], { calls = [], callOf = [] }: Pick<InputRecording, 'calls' | 'callOf'>, others: readonly OtherOrder[]): Finding[] {
  const codeOf = ({ within }: Access): string | undefined => {
    const { file, line, column } = (within === undefined ? undefined : calls[within]?.code) ?? {}
    return file && `${file}:${line}:${column}`
  }
  return accesses.flatMap((cleared): Finding[] => {
    if (!isRemoval(cleared) || codeOf(cleared) === undefined) return []
    const given = accesses.findLast((access) => access.index < cleared.index && changes(access))
    const missed = accesses.find(({ index }) => index > cleared.index)
    if (!given || given.value.identity === undefined || missed?.kind !== 'read' || !isAbsent(missed.value) || missed.within === cleared.within) return []
    const removes = (shared: Access): boolean => {
      const own = shared.process === 0 ? callOf.indexOf(shared.within) : shared.process
      return own > 0 && own !== cleared.process && [accesses, ...others.map((order) => order.accesses)].some((all) => all.some((access) => access.process === own && isSamePlace(access, cleared)))
    }
    const shared = accesses.find((access) => access.index > given.index && access.index < cleared.index && access.kind === 'read' && access.value.identity === given.value.identity && access.within !== cleared.within && access.within !== missed.within && codeOf(access) === codeOf(cleared) && removes(access))
    const isOver = shared !== undefined && accesses.some((access) => access.within === shared.within && access.index < missed.index && isRemoval(access))
    return shared && !isOver ? [{ pattern: 'wrong-holder-release', given, cleared, missed, shared }] : []
  })
}

function findingsIn(accesses: readonly Access[], order: ExecutionOrder, descent: Descent): Finding[] {
  const found: Finding[] = []
  const written = accesses.filter(changes)
  for (const [i, cleared] of written.entries()) {
    const given = written[i - 1]
    if (!given || !isAbsent(cleared.value) || isAbsent(given.value)) continue
    const next = written[i + 1]
    if (next && isReleaseOfAnothers(accesses, given, cleared) && isTaking(next)) {
      found.push({ pattern: 'wrong-holder-release', given, cleared, missed: next })
      continue
    }
    const missed = accesses.find(({ index, kind }) => index > cleared.index && kind === 'read')
    if (!missed || missed.process === cleared.process || (next && next.index < missed.index) || isTakenOut(cleared, accesses)) continue
    const isHolders = given.process === missed.process || (given.step === cleared.step && isWokenBy(missed, given, order))
    const isWrong = isHolders ? isHeldBefore(accesses, given, cleared) : isReleasedAgain(given, missed, written) && wasHeldBefore(written, given, cleared, descent)
    if (isWrong) found.push({ pattern: 'wrong-holder-release', given, cleared, missed })
  }
  return found
}

/** Who has just found what it removes has taken it for its own use, as from a queue or a directory. */
const isTakenOut = (cleared: Access, accesses: readonly Access[]): boolean =>
  isRemoval(cleared) && accesses.some(({ kind, step, process, index, look }) => kind === 'read' && look !== 'presence' && step === cleared.step && process === cleared.process && index < cleared.index)

/** Who takes it away has written it before, or has found it written; who finds a flag has not set it. */
function isHeldBefore(accesses: readonly Access[], given: Access, cleared: Access): boolean {
  const own = accesses.findLast(({ index, process }) => index < given.index && process === cleared.process)
  return own !== undefined && !isAbsent(own.value) && (changes(own) || own.value.type !== 'boolean')
}

/** A lock under a key: who takes it away could not take it just before, as another one had it. */
function isReleaseOfAnothers(accesses: readonly Access[], given: Access, cleared: Access): boolean {
  const own = accesses.findLast(({ index, process }) => index < cleared.index && process === cleared.process)
  return own?.kind === 'read' && own.index > given.index && isTaking(own) && isTaking(given) && given.process !== cleared.process
}

/** What sets a key, unless it is there. */
const isTaking = ({ command }: Access): boolean => command === 'setnx' || command === 'set'

/** The holder takes it away itself in the end. */
const isReleasedAgain = (given: Access, missed: Access, written: readonly Access[]): boolean =>
  written.some(({ index, process, value }) => index > missed.index && process === given.process && isAbsent(value))

/** Who takes it away, or whoever has begun that, held it before: as a timer that was set then. */
function wasHeldBefore(written: readonly Access[], given: Access, cleared: Access, descent: Descent): boolean {
  if (descent.isFrom(cleared.process, given.process)) return false
  return written.some(({ index, process, value }) => index < given.index && !isAbsent(value) && descent.isFrom(cleared.process, process))
}

/** The process went on because of the step. */
function isWokenBy({ process, step }: Access, { step: waking }: Access, { steps }: ExecutionOrder): boolean {
  return steps.some((one, at) => one.process === process && at <= step && one.after.some((before) => before.step === waking && before.reason === 'wait'))
}
