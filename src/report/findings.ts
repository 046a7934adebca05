import { distantFindings, lookedBeforeFindings, overlapFindings, type LateTimer } from './apart.ts'
import { isOfControl, isOfKeptValue, sharedLocations, type Access } from './accesses.ts'
import { Descent } from './descent.ts'
import { isDecidedBy } from './decided.ts'
import { causeIn, isOfOverlap, type Experiment } from './experiment.ts'
import { actOf, otherOf, subjectOf, type Finding } from './finding.ts'
import { grouped } from './grouped.ts'
import { withHeld, type Around } from './held-before.ts'
import { wrongHolderFindings } from './holders.ts'
import type { InputRecording } from './input.ts'
import { writtenAgain } from './made-of-look.ts'
import type { OtherOrder } from './other-order.ts'
import { overwrittenFindings } from './overwritten.ts'
import { replacedFindings } from './replaced.ts'
import { isScratch } from './scratch.ts'
import { staleFindings } from './stale.ts'
import { takenAwayFindings } from './taken-away.ts'
import { pairsIn, unorderedFindings } from './unordered.ts'

/** The platform brings what it tells in every order. */
export const isFixed = (finding: Finding): boolean => 'isFixed' in finding && finding.isFixed

type Locations = ReadonlyMap<number, readonly Access[]>

/** What an execution shows that may explain its failure. */
export interface Findings {
  readonly findings: readonly Finding[]
  /** What may be told if the test passes without it. */
  readonly distant: readonly Finding[]
  /** Looks that are stale in whatever order, as the platform has it: what such a look has led to may be told by it. */
  readonly fixed: readonly Finding[]
  /** The accesses of each location that may be the reason. */
  readonly telling: Locations
}

/** What changed and changed back is not stale, unless it is known that what came of the look would not have come of one in between. */
const isStale = (finding: Finding, experiment: Experiment | undefined): boolean => !('isBack' in finding && finding.isBack) || isDecidedBy(finding.looked, finding.act, experiment)

/** What was written down of orders in which the test passes. */
export function ordersIn(experiment: Experiment | undefined): OtherOrder[] {
  return experiment ? [...experiment.reversals.flatMap(({ order }) => (order ? [order] : [])), ...experiment.serial] : []
}

/** @param seen the locations that matter where the test fails */
export function findingsIn(recording: InputRecording, { accesses, seen, experiment }: { readonly accesses: readonly Access[]; readonly seen: ReadonlySet<number>; readonly experiment: Experiment | undefined }): Findings {
  const { order } = recording
  const descent = new Descent(recording)
  const shared = sharedLocations(accesses.filter(({ isOfAssignment }) => !isOfAssignment))
  const telling = new Map([...shared].filter(([, list]) => !isScratch(list)))
  const stale = staleFindings(telling, recording).filter((finding) => isStale(finding, experiment)).map((finding) => writtenAgain(finding, experiment))
  const fixed = stale.filter(isFixed)
  const unordered = unorderedFindings(telling, order)
  const around: Around = { accesses, descent, recording }
  const overwritten = overwrittenFindings(telling, descent)
  const told = [...overwritten, ...unordered]
  const takenAway = takenAwayFindings(telling, around).filter((finding) => !told.some((other) => isSameDeed(finding, other)))
  // Where it is known that the test passes if calls do not overlap, that is what matters.
  const findings = [...(isOfOverlap(experiment) ? stale : stale.filter((finding) => !isFixed(finding))), ...wrongHolderFindings(telling, recording, ordersIn(experiment)), ...overwritten, ...takenAway, ...replacedFindings(telling, order), ...unordered]
  const kept = [...telling].filter(([, [access]]) => isOfKeptValue(access!)).map(([location]) => location)
  // What a package does to keep it, and to show it, comes between who gives it one value and who gives it another one.
  const distant = [...distantFindings(telling, findings.length > 0 ? new Set([...seen, ...kept]) : new Set(telling.keys()), order), ...lookedBeforeFindings(unordered, telling, order)]
  const heldIn = (all: readonly Finding[]): Finding[] => all.map((finding) => withHeld(finding, around))
  if (!experiment) return { findings: heldIn(findings), distant: heldIn(distant), fixed, telling }
  const found = [...findings, ...onlyInOtherOrders(telling, { distant, experiment, timer: lateTimerIn(recording, { descent, experiment }) })]
  return { findings: heldIn([...found, ...othersThatMatter(accesses, shared, { found, experiment })]), distant, fixed, telling }
}

/** Of two that nothing orders it is known without whoever finds it. */
const isSameDeed = (one: Finding, other: Finding): boolean => subjectOf(one) === subjectOf(other) && [actOf(one), otherOf(one)].includes(actOf(other))

function lateTimerIn({ names }: InputRecording, { descent, experiment: { failing } }: { readonly descent: Descent; readonly experiment: Experiment }): LateTimer | undefined {
  const process = failing?.timer === undefined ? -1 : names.indexOf(failing.timer)
  const birth = descent.birthOf(process)
  return birth && { process, set: birth.step }
}

function onlyInOtherOrders(telling: Locations, { distant, experiment, timer }: { readonly distant: readonly Finding[]; readonly experiment: Experiment; readonly timer: LateTimer | undefined }): Finding[] {
  const sequence = experiment.failing?.sequence
  return [...distant.filter((finding) => causeIn(finding, experiment)), ...(sequence ? overlapFindings(telling, sequence, timer) : [])]
}

/** Races that look harmless, and without which the test passes; or, where steps are events, one line of control goes on in both. */
function othersThatMatter(accesses: readonly Access[], shared: Locations, { found, experiment }: { readonly found: readonly Finding[]; readonly experiment: Experiment }): Finding[] {
  if (found.some((finding) => causeIn(finding, experiment))) return []
  const races = experiment.reversals.flatMap((reversal) => (reversal.passes ? reversal.races : []))
  const others = races.flatMap((race) => pairsIn(shared, race))
  return others.length > 0 ? others : races.flatMap((race) => pairsIn(grouped(accesses.filter((access) => !isOfControl(access)), ({ location }) => location), race, { isOfOne: true }))
}
