import { isOfControl, type Access } from './accesses.ts'
import type { Finding } from './finding.ts'
import { actOf, otherOf, subjectOf } from './finding.ts'
import { everyOrder, plainHeadline } from './headline.ts'
import type { ExplainInput } from './input.ts'
import { titles } from './kinds.ts'
import { Labels } from './labels.ts'
import { toScenes } from './story.ts'
import { accessesBefore, lastTimedOutIn, letInByTimedOut, timedOutIn, type TimedOut } from './timed-out.ts'
import { isFiring } from './timeouts.ts'
import { lineOf, type Told } from './told.ts'
import { accessesOfCause, timedCauseOf } from './wait-causes.ts'
import { waitCauseText } from './wait-texts.ts'
import { deedElsewhere } from './words.ts'

/** Stories of failures that come of a timer by which somebody gives up. */
export class TimedStories {
  readonly #input: ExplainInput
  readonly #accesses: readonly Access[]

  constructor(input: ExplainInput, accesses: readonly Access[]) {
    this.#input = input
    this.#accesses = accesses
  }

  /** @param finding what would be told otherwise; `isDecisive`: the test passes without that */
  tell(finding: Finding | undefined, { isDecisive }: { readonly isDecisive: boolean }): Told | undefined {
    return (isDecisive ? undefined : this.#tellWaiting(finding)) ?? this.#tellLetIn(finding)
  }

  /** Of whose error that is which no race explains. */
  timerOf(): string | undefined {
    const timedOut = timedOutIn(this.#input, this.#accesses)
    const { names } = this.#input.recording
    return timedOut && ` It is what ${names[timedOut.timer]} has rejected, for which ${names[timedOut.waiter.process]} waited.`
  }

  /** Why what it waited for has not come before the timer. */
  #tellWaiting(finding: Finding | undefined): Told | undefined {
    const known = timedOutIn(this.#input, this.#accesses)
    const timedOut = known ?? (finding ? undefined : lastTimedOutIn(this.#input, this.#accesses))
    const { recording, failure: { kind }, experiment } = this.#input
    const cause = timedOut && timedCauseOf(timedOut.waiter, accessesBefore(timedOut.step, this.#accesses), recording)
    if (!cause) return undefined
    const { names } = recording
    const told = [...accessesOfCause(cause), ...this.#firing(timedOut)]
    const labels = new Labels(told)
    const text = waitCauseText(cause, { names, labels, until: names[timedOut.timer]! })
    const until = cause.uncalled ? ` So ${names[timedOut.waiter.process]} waited until ${names[timedOut.timer]} fired.` : ''
    const failing = experiment?.failing
    const headline = known ? `${text}${until}${failing ? ` ${everyOrder(failing)}` : ''}` : `${plainHeadline(kind, { hasRaces: true, failing })} Perhaps: ${text}${until}`
    return { kind: cause.kind, headline, ...this.#lines(told, labels), focus: cause.changed.place }
  }

  #firing({ step }: Pick<TimedOut, 'step'>): Access[] {
    return this.#accesses.filter((access) => access.step === step && isFiring(access)).slice(0, 1)
  }

  #lines(told: readonly Access[], labels: Labels): Pick<Told, 'lines'> {
    return { lines: toScenes(told.toSorted((one, other) => one.index - other.index), this.#accesses).map((scene) => lineOf(scene, labels)) }
  }

  /** Who has given up lets in another one, who finds in the test what a third one has left there. */
  #tellLetIn(finding: Finding | undefined): Told | undefined {
    const { recording, experiment, testFile, failure: { kind } } = this.#input
    const letIn = kind === 'error' ? letInByTimedOut(recording, this.#accesses) : undefined
    if (!letIn || (finding && !isOfTimer(finding) && !this.#isOfTestBy(finding, letIn.next))) return undefined
    const { rejected, released, next, timer } = letIn
    const found = this.#accesses.find((access) => access.index > released.index && access.process === next && access.kind === 'read' && access.place?.file === testFile && this.#leftBefore(access, released) !== undefined)
    const left = found && this.#leftBefore(found, released)
    if (!left) return undefined
    const { names } = recording
    const told = [left, ...this.#firing(rejected), released, found]
    const labels = new Labels(told)
    const who = names[released.process]!
    const text = `${titles['wrong-holder-release']} on ${labels.full(released)}: ${who}, which had given up when ${names[timer]} fired, fulfilled it, so that ${names[next]} went on, and ${deedElsewhere(found, labels)}, as ${names[left.process]} had left it.`
    return { kind: 'wrong-holder-release', headline: `${text}${experiment?.failing ? ` ${everyOrder(experiment.failing)}` : ''}`, ...this.#lines(told, labels), focus: released.place }
  }

  #isOfTestBy(finding: Finding, process: number): boolean {
    const all = [subjectOf(finding), otherOf(finding), actOf(finding)]
    return all.every(({ place }) => place?.file === this.#input.testFile) && all.some((access) => access.process === process)
  }

  /** What a third one has written there, before what one was let in by. */
  #leftBefore({ location, index, process }: Access, released: Access): Access | undefined {
    const last = this.#accesses.findLast((access) => access.location === location && access.index < index && access.kind !== 'read')
    return last && last.index < released.index && last.process !== process && last.process !== released.process && last.process !== 0 ? last : undefined
  }
}

const isOfTimer = (finding: Finding): boolean => isOfControl(subjectOf(finding)) && subjectOf(finding).key.kind === 'fired'
