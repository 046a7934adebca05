import { changes, isOfControl, replaces, type Access } from './accesses.ts'
import type { Evidence } from './evidence.ts'
import { causeIn, type Experiment } from './experiment.ts'
import { actOf, otherOf, subjectOf, type Finding } from './finding.ts'
import { isOfPackages, isOfTest } from './origin.ts'
import { isAbsent } from './values.ts'

/**
 * What two do to one another in the test, each from within a call that should keep them apart, follows from why it has let both in: one of them has acted by an old look
 * at what it writes down before it lets somebody in, and takes back after that.
 */
export function failedLocksOf(best: Finding, all: readonly Finding[], { evidence, telling, experiment }: { readonly evidence: Evidence; readonly telling: ReadonlyMap<number, readonly Access[]>; readonly experiment: Experiment | undefined }): Finding[] {
  const { isTestCode } = evidence
  const inside = [subjectOf(best), otherOf(best), actOf(best)]
  if (inside.some(({ place }) => !isTestCode(place))) return []
  const both = new Set(inside.map(({ process }) => process))
  return all.flatMap((lock) => {
    if (!isActByOldLook(lock) || isOfTest(lock, evidence) || isOfPackages(lock) || isTestCode(lock.act.place) || !both.has(lock.act.process)) return []
    const [first, ...more] = lock.changed.filter(({ process }) => process !== lock.act.process && both.has(process))
    if (!first || ![...both].some((process) => isAround(inside.filter((access) => access.process === process), telling.get(lock.looked.location) ?? []))) return []
    // Who else has gone out before does not matter, unless the test is known to pass without that.
    const ofBoth: Finding = { ...lock, changed: [first, ...more] }
    return experiment && causeIn(lock, experiment) && !causeIn(ofBoth, experiment) ? [lock] : [ofBoth]
  })
}

/**
 * The flag by which one of the two should have been kept from all that: it has found it unset before, has set it though the other one had by then, and takes it back after that. What
 * both do under it follows.
 */
export function flagsAround(best: Finding, all: readonly Finding[], { evidence, telling, experiment }: { readonly evidence: Evidence; readonly telling: ReadonlyMap<number, readonly Access[]>; readonly experiment: Experiment | undefined }): Finding[] {
  const both = new Set([subjectOf(best), otherOf(best), actOf(best)].map(({ process }) => process))
  const own = (process: number): Access[] => [subjectOf(best), otherOf(best), actOf(best)].filter((access) => access.process === process).toSorted((one, other) => one.index - other.index)
  return all.filter((flag): flag is Extract<Finding, { pattern: 'check-then-act' }> => {
    if (flag.pattern !== 'check-then-act' || flag.how !== 'write' || isOfTest(flag, evidence) || isOfPackages(flag) || isOfControl(flag.looked)) return false
    const { looked, changed, act } = flag
    const [first, last] = [own(act.process)[0], own(act.process).at(-1)]
    if (!first || !last || looked.location === subjectOf(best).location || !isAbsent(looked.value) || isAbsent(act.value) || !replaces(act)) return false
    if (!changed.some(({ process }) => process !== act.process && both.has(process)) || !((experiment && causeIn(flag, experiment)) || (act.index < first.index && isSetByBoth(flag)))) return false
    const isTakenBack = telling.get(looked.location)!.some((access) => access.process === act.process && access.index > last.index && replaces(access) && isAbsent(access.value))
    return looked.index < first.index && act.index < last.index && isTakenBack
  })
}

/** Both have found it unset by one line, and do all of that under it: where both look as they begin, no other order can show that it is the reason. */
const isSetByBoth = ({ looked, act, rival }: Extract<Finding, { pattern: 'check-then-act' }>): boolean => rival !== undefined && looked.value.type === 'boolean' && act.value.type === 'boolean' && isAbsent(rival.value)

const isActByOldLook = (finding: Finding): finding is Extract<Finding, { pattern: 'lost-update' | 'check-then-act' }> =>
  finding.pattern === 'lost-update' || (finding.pattern === 'check-then-act' && finding.how === 'write')

/** The process has changed it before all of these, and does so again after them. */
function isAround(inside: readonly Access[], accesses: readonly Access[]): boolean {
  const [first, last] = [inside.toSorted((one, other) => one.index - other.index)[0], inside.toSorted((one, other) => other.index - one.index)[0]]
  if (!first || !last) return false
  const own = accesses.filter((access) => access.process === first.process && changes(access))
  return own.some(({ index }) => index < first.index) && own.some(({ index }) => index > last.index)
}
