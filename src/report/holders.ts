import type { ExecutionOrder } from '../engine/index.ts'
import { changes, isOfControl, type Access } from './accesses.ts'
import type { Finding } from './finding.ts'
import { isAbsent } from './values.ts'

/**
 * Who holds something is written down, and taken away by another one who held it before: the holder then finds that nobody does. It was
 * written by the holder, or for it, by whoever woke it.
 */
export function wrongHolderFindings(shared: ReadonlyMap<number, readonly Access[]>, order: ExecutionOrder): Finding[] {
  return [...shared.values()].flatMap((accesses) => (isOfControl(accesses[0]!) || accesses[0]!.key.kind === 'order' ? [] : findingsIn(accesses, order)))
}

function findingsIn(accesses: readonly Access[], order: ExecutionOrder): Finding[] {
  const found: Finding[] = []
  const written = accesses.filter(changes)
  for (const [i, cleared] of written.entries()) {
    const given = written[i - 1]
    if (!given || !isAbsent(cleared.value) || isAbsent(given.value) || !isHeldBefore(accesses, given, cleared)) continue
    const missed = accesses.find(({ index, kind }) => index > cleared.index && kind === 'read')
    const next = written[i + 1]
    if (!missed || missed.process === cleared.process || (next && next.index < missed.index)) continue
    if (given.process === missed.process || (given.step === cleared.step && isWokenBy(missed, given, order))) found.push({ pattern: 'wrong-holder-release', given, cleared, missed })
  }
  return found
}

/** Who takes it away has written it before, or has found it written. */
function isHeldBefore(accesses: readonly Access[], given: Access, cleared: Access): boolean {
  const own = accesses.findLast(({ index, process }) => index < given.index && process === cleared.process)
  return own !== undefined && !isAbsent(own.value)
}

/** The process went on because of the step. */
function isWokenBy({ process, step }: Access, { step: waking }: Access, { steps }: ExecutionOrder): boolean {
  return steps.some((one, at) => one.process === process && at <= step && one.after.some((before) => before.step === waking && before.reason === 'wait'))
}
