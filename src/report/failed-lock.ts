import { changes, type Access } from './accesses.ts'
import type { Evidence } from './evidence.ts'
import { causeIn, type Experiment } from './experiment.ts'
import { actOf, otherOf, subjectOf, type Finding } from './finding.ts'
import { isOfPackages, isOfTest } from './origin.ts'

/**
 * What two do to one another in the test, each from within a call that should keep them apart, follows from why it has let both in: one of them has acted by an old look
 * at what it writes down before it lets somebody in, and takes back after that.
 */
export function failedLocksOf(best: Finding, all: readonly Finding[], { evidence, telling, experiment }: { readonly evidence: Evidence; readonly telling: ReadonlyMap<number, readonly Access[]>; readonly experiment: Experiment | undefined }): Finding[] {
  const { testFile } = evidence
  const inside = [subjectOf(best), otherOf(best), actOf(best)]
  if (testFile === undefined || inside.some(({ place }) => place?.file !== testFile)) return []
  const both = new Set(inside.map(({ process }) => process))
  return all.flatMap((lock) => {
    if (!isActByOldLook(lock) || isOfTest(lock, evidence) || isOfPackages(lock) || lock.act.place?.file === testFile || !both.has(lock.act.process)) return []
    const [first, ...more] = lock.changed.filter(({ process }) => process !== lock.act.process && both.has(process))
    if (!first || ![...both].some((process) => isAround(inside.filter((access) => access.process === process), telling.get(lock.looked.location) ?? []))) return []
    // Who else has gone out before does not matter, unless the test is known to pass without that.
    const ofBoth: Finding = { ...lock, changed: [first, ...more] }
    return experiment && causeIn(lock, experiment) && !causeIn(ofBoth, experiment) ? [lock] : [ofBoth]
  })
}

const isActByOldLook = (finding: Finding): finding is Extract<Finding, { pattern: 'lost-update' | 'check-then-act' }> =>
  finding.pattern === 'lost-update' || (finding.pattern === 'check-then-act' && finding.how === 'write')

/** The process has changed it before all of these, and does so again after them. */
function isAround(inside: readonly Access[], accesses: readonly Access[]): boolean {
  const [first, last] = [inside.toSorted((one, other) => one.index - other.index)[0], inside.toSorted((one, other) => other.index - one.index)[0]]
  if (!first || !last) return false
  const own = accesses.filter((access) => access.process === first.process && changes(access))
  return own.some(({ index }) => index < first.index) && own.some(({ index }) => index > last.index)
}
