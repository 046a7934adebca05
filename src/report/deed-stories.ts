import { changes, type Access } from './accesses.ts'
import { callsAround } from './calls-around.ts'
import { isStaleWrite } from './stale-acts.ts'
import { endedLeaseIn, type EndedLease } from './ended-lease.ts'
import type { Evidence } from './evidence.ts'
import { actOf, otherOf, subjectOf, type Finding } from './finding.ts'
import { ordersIn } from './findings.ts'
import { givenBackTwiceIn } from './given-back.ts'
import { everyOrder, plainHeadline } from './headline.ts'
import type { ExplainInput } from './input.ts'
import { titles } from './kinds.ts'
import { Labels } from './labels.ts'
import { leftRunningIn } from './left-running.ts'
import { olderAnswerIn } from './older-answer.ts'
import { olderTimerOf } from './older-timer.ts'
import { clearedForGoodIn } from './cleared-for-good.ts'
import { clearedTooEarlyIn, takenByOlderIn } from './outlived-timers.ts'
import { isOfMocks, isOfTest } from './origin.ts'
import { putBackIn } from './put-back.ts'
import { toScenes } from './story.ts'
import { timedOutIn } from './timed-out.ts'
import { isFiring } from './timeouts.ts'
import { beginLine, lineOf, type Line, type Told } from './told.ts'
import { unfinishedIn } from './unfinished.ts'
import { times } from './wait-texts.ts'
import { waitedInVainIn } from './waited-in-vain.ts'
import { deedElsewhere, deedOf, isRemoval } from './words.ts'

/** Stories of what one call does wrong whatever comes first: what two do to one another after that only shows it. */
export class DeedStories {
  readonly #input: ExplainInput
  readonly #accesses: readonly Access[]
  readonly #evidence: Evidence

  constructor(input: ExplainInput, accesses: readonly Access[], evidence: Evidence) {
    this.#input = input
    this.#accesses = accesses
    this.#evidence = evidence
  }

  /** @param found what would be told otherwise; `isDecisive`: the test passes without that */
  tell(found: Finding | undefined, { isDecisive }: { readonly isDecisive: boolean }): Told | undefined {
    // That some access comes after a timer tells less than what has led to that.
    const isOnlyTimed = this.#input.experiment?.failing?.sequentially === 'timer' && found?.pattern === 'order-violation'
    const finding = isOnlyTimed ? undefined : found
    // Where nothing but one call after the other fails as well, it is none of that.
    if (this.#input.experiment?.failing?.sequentially === 'fails') return undefined
    const fact = this.#tellGivenBack(finding) ?? this.#tellEndedLease(finding)
    return fact ?? (isDecisive ? undefined : (this.#tellClearedForGood() ?? this.#tellOlderTimer() ?? this.#tellLeftRunning(found) ?? this.#tellTakenByOlder() ?? this.#tellWaitedInVain() ?? (finding ? undefined : (this.#tellOlderAnswer() ?? this.#tellPutBack() ?? this.#tellClearedTooEarly() ?? this.#tellUnfinished()))))
  }

  #tellGivenBack(finding: Finding | undefined): Told | undefined {
    const back = givenBackTwiceIn(this.#accesses, this.#input.recording)
    const last = back?.given.at(-1)
    if (!back || !last) return undefined
    // What has led to that comes before.
    if (finding && subjectOf(finding).location !== last.location && actOf(finding).index <= last.index) return undefined
    const { taken, given, call, isOfFree } = back
    const told = [taken, ...given.slice(-2)]
    const labels = new Labels(told)
    const [less, more] = [`decreased it ${times(isOfFree ? 1 : given.length)}`, `increased it ${times(isOfFree ? given.length : 1)}`]
    const deeds = isOfFree ? `${less} and ${more}` : `${more} and ${less}`
    return this.#told('double-release', `${titles['double-release']} on ${labels.titled(last)}: ${this.#nameOf(call, last)} ${deeds}, to ${labels.value(last)}, which is ${isOfFree ? 'more' : 'less'} than before anybody had taken any.`, { told, labels, focus: last })
  }

  #tellEndedLease(finding: Finding | undefined): Told | undefined {
    const lease = endedLeaseIn({ ...this.#input.recording, accesses: this.#accesses, others: ordersIn(this.#input.experiment) })
    if (!lease || (finding && !this.#isOfLease(finding, lease))) return undefined
    const { given, ended, taken, late, calls } = lease
    const told = [given, ...(ended ? [ended] : []), taken, ...(late ? [late] : [])]
    const labels = new Labels(told)
    const { names } = this.#input.recording
    const [holder, name] = [this.#nameOf(calls[0], given), this.#nameOf(calls[1], taken)]
    const next = name === holder ? `another ${name}` : name
    const what = `the ${labels.value(given)} of ${holder}`
    const deeds = ended
      ? `${names[ended.process]} ${isRemoval(ended) ? 'removed' : `wrote ${labels.value(ended)} over`} ${what} while that was still at work, then ${next} ${deedOf(taken, labels)}`
      : `${next} wrote ${labels.value(taken)} over ${what}, for which the time was over, while that was still at work`
    return this.#told('timeout-wins', `${titles['timeout-wins']} on ${labels.titled(given)}: ${deeds}.`, { told, labels, focus: given })
  }

  /** It is about what those two do, and nothing that comes before; who takes away what the other one holds since then is told so. */
  #isOfLease(finding: Finding, { given, ended, taken }: EndedLease): boolean {
    if (!ended && isStaleWrite(finding) && subjectOf(finding).location === given.location) return false
    if (finding.pattern === 'wrong-holder-release' || ('held' in finding && finding.held) || isOfMocks(finding)) return false
    const { recording: { calls = [] } } = this.#input
    const [mine, theirs] = [callsAround(given.within, calls), callsAround(taken.within, calls)]
    const isOfEither = (access: Access): boolean => [...callsAround(access.within, calls)].some((call) => mine.has(call) !== theirs.has(call))
    return actOf(finding).index > given.index && [subjectOf(finding), otherOf(finding), actOf(finding)].every((access) => access.location === given.location || isOfEither(access))
  }

  #tellOlderTimer(): Told | undefined {
    const timedOut = timedOutIn(this.#input, this.#accesses)
    const older = timedOut && olderTimerOf(timedOut, this.#accesses, this.#input.recording)
    if (!older) return undefined
    const { put, fired, found } = older
    const told = [put, fired, found]
    const labels = new Labels(told)
    const { names } = this.#input.recording
    return this.#told('timeout-wins', `${titles['timeout-wins']} on ${labels.titled(put)}: ${names[put.process]} ${deedOf(put, labels)} after ${names[timedOut.timer]} had been set for something else, which then fired and found it there.`, { told, labels, focus: found, isShown: true })
  }

  /** What the test counts shows only that the timer has fired. */
  #tellLeftRunning(finding: Finding | undefined): Told | undefined {
    const { experiment, recording } = this.#input
    const { timer = finding && this.#timerOf(finding) } = experiment?.failing ?? {}
    if (timer === undefined || (finding && !isOfTest(finding, this.#evidence))) return undefined
    const left = leftRunningIn(this.#accesses, { timer, deeds: finding ? [subjectOf(finding), otherOf(finding), actOf(finding)] : this.#accesses.filter((access) => changes(access) && this.#evidence.atThrow.has(access.location)), recording, isTestCode: this.#evidence.isTestCode })
    if (!left) return undefined
    const { set, since, fired, deed } = left
    const told = [set, since, fired, deed]
    const labels = new Labels(told)
    const { names } = recording
    const isCall = since.kind === 'read'
    const turned = isCall ? `called ${labels.full(since)}` : deedElsewhere(since, labels)
    const instead = new Map<Access, Partial<Line>>([[set, { text: `set ${timer}` }], [fired, { text: `${timer} fires`, place: set.place }], ...(isCall ? [[since, { text: `call ${labels.full(since)}` }] as const] : [])])
    return this.#told('order-violation', `${titles['order-violation']} on ${timer}: it fired after ${names[since.process]} ${turned}, and ${deedElsewhere(deed, labels)}. Nobody had cleared it.`, { told, labels, focus: set, instead })
  }

  /** The timer by which what is told has come last, if calls that come one after the other do not have it. */
  #timerOf(finding: Finding): string | undefined {
    const { experiment, recording: { steps, names } } = this.#input
    if (experiment?.failing?.sequentially !== 'passes') return undefined
    const late = [otherOf(finding), actOf(finding)].find(({ step, process }) => steps[step]!.process === process && steps[step]!.accesses.some(isFiring))
    return late && names[late.process]
  }

  #tellWaitedInVain(): Told | undefined {
    const waited = waitedInVainIn(this.#accesses, { recording: this.#input.recording, asserted: this.#evidence.asserted, testFile: this.#input.testFile })
    if (!waited) return undefined
    const { fired, found, late } = waited
    const told = [fired, found, late]
    const labels = new Labels(told)
    const { names } = this.#input.recording
    return this.#told('timeout-wins', `${titles['timeout-wins']} on ${labels.titled(found)}: ${names[found.process]} waited only for ${fired.owner.replace(/^timer /, '')} and ${deedOf(found, labels)}, before ${names[late.process]} ${deedOf(late, labels)}.`, { told, labels, focus: found, isShown: true })
  }

  #tellTakenByOlder(): Told | undefined {
    const found = takenByOlderIn(this.#accesses, { recording: this.#input.recording, asserted: this.#evidence.asserted })
    if (!found) return undefined
    const { old, put, taken, found: late } = found
    const told = [old, put, taken, late]
    const labels = new Labels(told)
    const { names } = this.#input.recording
    return this.#told('timeout-wins', `${titles['timeout-wins']} on ${labels.titled(taken)}: ${names[taken.process]}, set when ${names[old.process]} ${deedOf(old, labels)}, ${deedOf(taken, labels)} after ${names[put.process]} ${labels.value(old) === labels.value(put) ? 'had put another one there' : `had put ${labels.value(put)} there`}, and ${names[late.process]} then ${deedOf(late, labels)}.`, { told, labels, focus: taken, isShown: true })
  }

  #tellClearedTooEarly(): Told | undefined {
    const early = clearedTooEarlyIn(this.#accesses, this.#input.recording)
    if (!early) return undefined
    const { timer, found, set, next } = early
    const told = [found, set]
    const labels = new Labels(told)
    const { names } = this.#input.recording
    const setter = names[set.process]
    const [cleared, who] =
      timer === undefined
        ? ['was to clear a timer there before there was one', setter]
        : [`cleared ${timer} once that had fired`, setter === timer ? 'what it had begun' : `${setter}, which it had begun,`]
    return this.#told('order-violation', `${titles['order-violation']} on ${labels.titled(set)}: ${names[found.process]} ${cleared}, and ${who} set ${next} after that: nobody cleared it.`, { told, labels, focus: set })
  }

  #tellClearedForGood(): Told | undefined {
    const { experiment, recording } = this.#input
    const sequence = experiment?.failing?.sequence
    const cleared = sequence && clearedForGoodIn(this.#accesses, { recording, seen: this.#evidence.atThrow, sequence })
    if (!cleared) return undefined
    const { set, found, timer, missed, undone } = cleared
    const told = [set, found, missed]
    const labels = new Labels(told, [undone])
    const { names } = recording
    const instead = new Map<Access, Partial<Line>>([[set, { text: `set ${timer}` }], [found, { text: `clear ${timer}` }]])
    return this.#told('order-violation', `${titles['order-violation']} on ${labels.titled(found)}: ${names[found.process]} cleared ${timer}, which ${names[set.process]} had set, and nobody has set it again; ${names[missed.process]} ${deedElsewhere(missed, labels)}, which it would have made ${labels.value(undone)}.`, { told, labels, focus: found, instead, isShown: true })
  }

  #tellOlderAnswer(): Told | undefined {
    const answer = olderAnswerIn(this.#accesses, { recording: this.#input.recording, asserted: this.#evidence.asserted })
    if (!answer) return undefined
    const { newer, older } = answer
    const told = [newer, older]
    const labels = new Labels(told)
    const { names } = this.#input.recording
    return this.#told('last-write-wins', `${titles['last-write-wins']} on ${labels.titled(older)}: ${names[older.process]}, which began first, wrote ${labels.value(older)} over the ${labels.value(newer)} of ${names[newer.process]}.`, { told, labels, focus: older, isShown: true })
  }

  #tellPutBack(): Told | undefined {
    const found = putBackIn(this.#accesses, this.#input.recording)
    if (!found) return undefined
    const { set, back, found: late } = found
    const told = [set, back, late]
    const labels = new Labels(told)
    const { names } = this.#input.recording
    return this.#told('order-violation', `${titles['order-violation']} on ${labels.titled(set)}: ${names[set.process]} ${deedOf(set, labels)}, and ${labels.value(back)} again in the same step; ${names[late.process]}, which it had begun between the two, ${deedOf(late, labels)}.`, { told, labels, focus: back })
  }

  #tellUnfinished(): Told | undefined {
    const { experiment, recording } = this.#input
    // Where nobody knows how it ends if the call that begins first goes first, it may be known of the other way round.
    const sequence = experiment?.failing?.sequence ?? (experiment?.failing?.sequentially === 'unknown' ? experiment.serial.at(-1) : undefined)
    const found = sequence && unfinishedIn(this.#accesses, { recording, seen: this.#evidence.atThrow, sequence })
    if (!found) return undefined
    const { look, change, call, begin } = found
    const labels = new Labels([look], [change])
    const { names } = recording
    const [reader, other] = [names[look.process], names[call]]
    const told = this.#told('order-violation', `${titles['order-violation']} on ${labels.titled(look)}: ${reader} ${deedOf(look, labels)}, while ${other} was still at work, which would have made it ${labels.value(change)}. Nothing makes ${reader} wait for ${other}.`, { told: [look], labels, focus: look, isShown: true })
    return begin ? { ...told, lines: [beginLine(begin, names), ...told.lines].toSorted((one, next) => one.step - next.step), focus: begin.place } : told
  }

  #told(kind: Told['kind'], text: string, { told, labels, focus, isShown = false, instead }: { readonly told: readonly Access[]; readonly labels: Labels; readonly focus: Access; /** The failure itself shows that. */ readonly isShown?: boolean; /** What is done by some of them, and where, if the access alone does not tell. */ readonly instead?: ReadonlyMap<Access, Partial<Line>> }): Told {
    const { experiment, failure } = this.#input
    const failing = experiment?.failing?.sequentially === 'unknown' ? experiment.failing : undefined
    const headline = failing === undefined ? text : isShown ? `${text} ${everyOrder(failing)}` : `${plainHeadline(failure.kind, { hasRaces: true, failing })} Perhaps: ${text}`
    const lines = toScenes(told.toSorted((one, other) => one.index - other.index), this.#accesses).map((scene) => ({ ...lineOf(scene, labels), ...instead?.get(scene.access) }))
    return { kind, headline, lines, focus: focus.place }
  }

  /** What a reader calls it. */
  #nameOf(call: number, { process }: Access): string {
    const { names, callOf = [], steps } = this.#input.recording
    return names[callOf.indexOf(call)] ?? steps.flatMap(({ accesses }) => accesses).find(({ within }) => within === call)?.call ?? names[process]!
  }
}
