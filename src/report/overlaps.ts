import { changes, isOfServers, type Access } from './accesses.ts'
import type { Evidence } from './evidence.ts'
import { isOfOverlap, type Experiment } from './experiment.ts'
import { actOf, type Finding } from './finding.ts'
import type { Findings } from './findings.ts'
import { isMadeOfLook } from './made-of-look.ts'
import { isOfPackages } from './origin.ts'
import type { OtherOrder } from './other-order.ts'
import { isReadTooEarly } from './read-too-early.ts'
import { isLoss, isStaleAct } from './stale-acts.ts'
import { withoutUpkeep } from './upkeep.ts'
import { mayDecide } from './usual-in-packages.ts'
import { isAbsent, isNothing, looksSame } from './values.ts'

/** What comes of calls that overlap, where the test passes without that: first what is lost outside of packages, then what is looked at that is something else then, as what a server keeps may be. */
export function overlapsAmong({ findings, telling: locations }: Pick<Findings, 'findings' | 'telling'>, evidence: Evidence, experiment: Experiment | undefined): Finding[][] {
  if (!isOfOverlap(experiment)) return []
  const sequence = experiment?.failing?.sequence
  // A flag that the timer finds tells more than what others find that it has done.
  const isFoundByTimer = (finding: Finding): boolean => finding.pattern === 'order-violation' && finding.isOverlap === true && finding.second.kind === 'read' && experiment?.failing?.timer !== undefined && evidence.names[finding.second.process] === experiment.failing.timer
  const telling = withoutUpkeep(findings).filter((finding) => (mayDecide(finding, evidence, experiment) || isTooEarly(finding) || isFoundByTimer(finding)) && !(sequence && (isThereToo(finding, sequence) || isIdleUse(finding, sequence))))
  const turned = telling.filter((finding) => 'isOverlap' in finding && finding.isOverlap)
  // An older answer over a newer one.
  const isOverwriting = (finding: Finding): boolean => finding.pattern === 'check-then-act' && finding.how === 'elsewhere' && !isUpdate(finding.act, locations) && turned.some((loss) => isLoss(loss) && isOneDeed(actOf(loss), finding.act))
  // Where it is a timer that comes too soon, who finds what that has done is told by the order of the two.
  const isOnlyFound = (finding: Finding): boolean => experiment?.failing?.sequentially === 'timer' && (finding.pattern === 'overwritten' || (finding.pattern === 'check-then-act' && finding.how === 'use'))
  const overlaps = telling.filter((finding) => finding.pattern !== 'order-violation' && !isOverwriting(finding) && !isOnlyFound(finding) && !(sequence && isDoneAnyhow(finding, sequence, locations)))
  const different = sequence ? overlaps.filter((finding) => (finding.pattern === 'wrong-holder-release' && sequence.counterpart(finding.missed) === undefined) || looksOf(finding).some((look) => isOfServers(look) || (sequence.differs(look) && !sequence.isIdle(look)) || sequence.hasTurned(look))) : overlaps
  // What a package does in a call that takes another way altogether follows from what that has looked at before.
  const isConsequence = (finding: Finding): boolean => isOfPackages(finding) && !looksOf(finding).some((look) => sequence?.differs(look))
  const early = different.length > 0 && different.every(isConsequence) ? turned.filter((finding) => isTooEarly(finding) && !isOfPackages(finding)) : []
  return [different.filter((finding) => !isOfPackages(finding) && (isLoss(finding) || isMadeOfLook(finding, experiment))), early, different, overlaps.filter((finding) => !isUnchanged(finding) && !overlaps.some((other) => isOriginOf(other, finding))), overlaps, turned.filter(isFoundByTimer), turned.filter((finding) => isReadTooEarly(finding, evidence)), turned, sequence ? withoutUpkeep(findings).filter((finding) => isTurnedAside(finding, sequence)) : []]
}

/** What was put there is what had been found there: who looks again finds the same. */
const isUnchanged = (finding: Finding): boolean => isStaleAct(finding) && looksSame(finding.changed.at(-1)!.value, finding.looked.value)

/** What the other one has made stale it has done by an old look itself, and not to the same effect. */
function isOriginOf(origin: Finding, finding: Finding): boolean {
  if (!isStaleAct(origin) || !isStaleAct(finding) || looksSame(origin.act.value, origin.changed.at(-1)!.value)) return false
  const [change] = finding.changed
  return origin.act.step === change.step && origin.act.process === change.process && origin.changed[0].process === finding.act.process && origin.changed[0].index < finding.looked.index
}

/** Who looks there before another call has come as far has found nothing yet; where calls do not overlap it finds what is there, and does something else by that. */
const isTurnedAside = (finding: Finding, sequence: OtherOrder): boolean =>
  finding.pattern === 'order-violation' && finding.isOverlap === true && finding.first.kind === 'read' && isNothing(finding.first.value) && sequence.differs(finding.first) === true && !sequence.isIdle(finding.first) && !sequence.leadsToTheSame(finding.first)

/** It would come after what the same code does for another call, and find that, if there is anything. */
const isTooEarly = (finding: Finding): boolean => finding.pattern === 'order-violation' && finding.isOverlap === true && finding.rival !== undefined && !(isAbsent(finding.first.value) && isAbsent(finding.second.value))

/** An entry that is set may be one that comes as well. */
const isOneDeed = (one: Access, other: Access): boolean => one.step === other.step && one.process === other.process && one.object === other.object

/** It is made of what the same step has found there, and nothing of that is lost. */
const isUpdate = (access: Access, locations: Findings['telling']): boolean =>
  locations.get(access.location)?.some(({ kind, step, process, index }) => kind === 'read' && step === access.step && process === access.process && index < access.index) === true

/** What was looked at changes before the act where calls do not overlap as well. */
export const isThereToo = (finding: Finding, sequence: OtherOrder): boolean => 'looked' in finding && sequence.hasInOrder(finding.looked, ...finding.changed, finding.act)

/** What it does elsewhere it does there as well, to the same effect, and nobody has changed that since it has looked: it is not what it has found that decides it. */
function isDoneAnyhow(finding: Finding, sequence: OtherOrder, locations: Findings['telling']): boolean {
  if (finding.pattern !== 'check-then-act' || finding.how !== 'elsewhere' || finding.led || sequence.differs(finding.act) !== false) return false
  const { looked, act } = finding
  return !locations.get(act.location)!.some((access) => access.process !== act.process && access.process !== looked.process && access.index > looked.index && access.index < act.index && changes(access))
}

/** Who has found something else then has done the same by it. */
const isIdleUse = (finding: Finding, sequence: OtherOrder): boolean => finding.pattern === 'check-then-act' && finding.how === 'use' && sequence.isIdle(finding.act)

/** What a process looked at that another one has changed. */
function looksOf(finding: Finding): Access[] {
  if (finding.pattern === 'overwritten') return [finding.act]
  if (finding.pattern === 'wrong-holder-release') return [finding.missed]
  if (finding.pattern === 'check-then-act' && finding.how === 'use') return [finding.looked, finding.act]
  if (!('looked' in finding)) return []
  // Which of the two that both look comes first is by chance.
  return finding.rival ? [finding.looked, finding.rival] : [finding.looked]
}
