import { changes, isOfControl, type Access } from './accesses.ts'
import { beginOf } from './begins.ts'
import { callOfBody } from './body-call.ts'
import { withDecidingLook } from './decided.ts'
import { doneAtThrow, placeId, type Evidence } from './evidence.ts'
import { callerOfStandIn } from './callers.ts'
import { Descent } from './descent.ts'
import { causeIn, type Pair } from './experiment.ts'
import { actOf, subjectOf, type Finding } from './finding.ts'
import { headlineOf } from './headline.ts'
import { asRelease } from './held-before.ts'
import type { ExplainInput, Place } from './input.ts'
import { isOverwrite, kindOf, titles, type FindingKind } from './kinds.ts'
import { Labels } from './labels.ts'
import { withLastWord } from './last-word.ts'
import { isMadeOfLook } from './made-of-look.ts'
import { notesOf } from './notes.ts'
import type { Path } from './parts.ts'
import { remedyOf } from './remedy.ts'
import { Requests } from './requests.ts'
import { scenesOf, toScenes, type Scene } from './story.ts'
import { timedOutIn } from './timed-out.ts'
import { timeoutThatWon } from './timeouts.ts'
import { beginLine, lineOf, type Line, type NumberedLine, type Told } from './told.ts'
import { usedPartOf } from './used-part.ts'

/** Stories of races of a failing execution. */
export class RaceStories {
  readonly #input: ExplainInput
  readonly #accesses: readonly Access[]
  readonly #isTestCode: Evidence['isTestCode']

  constructor(input: ExplainInput, accesses: readonly Access[], { isTestCode }: Pick<Evidence, 'isTestCode'>) {
    this.#input = input
    this.#accesses = accesses
    this.#isTestCode = isTestCode
  }

  tell(found: Finding): Told {
    const finding = 'meanwhile' in found ? found : withDecidingLook(withLastWord(asRelease(found, this.#accesses, this.#input.recording), this.#accesses), this.#accesses, this.#input.experiment)
    const scenes = this.scenesOf(finding)
    const labels = new Labels(scenes.map(({ access }) => access), scenes.flatMap(({ from }) => from ?? []), this.#partOf(finding))
    const known = this.kindOf(finding)
    const kind = this.#isMissed(finding) ? 'lost-wakeup' : known
    const told = this.toldAs(finding)
    const { recording } = this.#input
    const begin = beginOf(finding, recording)
    const callerOf = callerOfBoth(finding, new Descent(recording))
    const ofRequests = new Requests(recording).ofAll([firstOf(finding).process, actOf(finding).process].map(callerOf))
    const requestOf = (process: number): number => ofRequests(callerOf(process))
    const ofBody = begin?.process === 0 ? undefined : callOfBody([...scenes.map(({ access }) => access), subjectOf(finding), actOf(finding)], recording)
    const names = recording.names.map((name, process) => (process === 0 ? ofBody : undefined) ?? recording.names[requestOf(process)] ?? name)
    const lines = scenes.map((scene) => lineIn(finding, scene, labels))
    const callers = this.#isOnlyOfTest(finding) ? this.#callersOf([subjectOf(finding), actOf(finding)]) : []
    return {
      kind,
      headline: headlineOf(told, { names, labels, title: titles[kind], begin }) + this.#timeoutWon(finding),
      ...(callers.length > 0 && { runBy: callers.map(({ process, place }) => ({ name: names[process]!, place })) }),
      lines: begin ? [beginLine(begin, names), ...lines].toSorted((a, b) => a.step - b.step) : lines,
      requestOf,
      ...(ofBody !== undefined && { bodyIs: ofBody }),
      notes: (numberOf) => notesOf(told, numberOf),
      remedy: remedyOf(finding, known, recording),
      passesWith: this.passesWith(finding),
      passing: this.passing(finding, scenes, labels),
      racing: racingOf(finding),
      focus: callers.at(-1)?.place ?? (this.#isOnlyOfTest(finding) ? (begin?.place ?? focusOf(finding)) : focusOf(finding)),
    }
  }

  scenesOf(finding: Finding): Scene[] {
    return scenesOf(finding, this.#accesses, { order: this.#input.recording.order, passesWith: this.passesWith(finding) })
  }

  kindOf(finding: Finding): FindingKind {
    return kindOf(finding, { recording: this.#input.recording, experiment: this.#input.experiment, accesses: this.#accesses, failure: this.#input.failure.kind, timersRace: this.#input.timersRace === true, isTestCode: this.#isTestCode, part: this.#partOf(finding) })
  }

  /** Whose wait a timer has ended has looked there before, and waits as it has not seen what another one does then. */
  #isMissed(finding: Finding): boolean {
    if (finding.pattern !== 'order-violation' || finding.first.kind !== 'read' || !changes(finding.second) || isOfControl(finding.first) || !this.passesWith(finding)) return false
    const timedOut = timedOutIn(this.#input, this.#accesses)
    return timedOut !== undefined && timedOut.waiter.line.includes(finding.first.process) && finding.second.step < timedOut.step
  }

  /** What is written over may be a large state, of which the failing line looks at a part. */
  #partOf(finding: Finding): Path | undefined {
    return finding.pattern === 'order-violation' && isOverwrite(finding) ? usedPartOf(finding.second, doneAtThrow(this.#input.failure.error, this.#accesses)) : undefined
  }

  /** What is made of a look is lost as any update is. */
  toldAs(finding: Finding): Finding {
    const isLost = finding.pattern === 'check-then-act' && this.kindOf(finding) === 'lost-update' && isMadeOfLook(finding, this.#input.experiment)
    return isLost ? { ...finding, pattern: 'lost-update' } : finding
  }

  #isOnlyOfTest(finding: Finding): boolean {
    return [subjectOf(finding), actOf(finding)].every(({ place }) => place?.file === this.#input.testFile)
  }

  /** From where the code under test, or a package, has called what the test has given it. */
  #callersOf(accesses: readonly Access[]): Called[] {
    const called = accesses.flatMap((access) => {
      const place = callerOfStandIn(access, { ...this.#input, accesses: this.#accesses })
      return place ? [{ process: access.process, place }] : []
    })
    return called.filter(({ place }, i) => called.findIndex((other) => placeId(other.place) === placeId(place)) === i)
  }

  #timeoutWon(finding: Finding): string {
    const timer = this.#input.timersRace ? timeoutThatWon(finding, this.#input.recording) : undefined
    return timer === undefined ? '' : ` The timeout won: ${timer} fired first.`
  }

  passesWith(finding: Finding): Pair | undefined {
    const cause = this.#input.experiment && causeIn(finding, this.#input.experiment)
    return cause?.isAlone ? cause : undefined
  }

  /** The same in the order in which the test passes, where that was written down. */
  passing(finding: Finding, scenes: readonly Scene[], labels: Labels): readonly NumberedLine[] | undefined {
    const order = this.passesWith(finding) && causeIn(finding, this.#input.experiment!)?.reversal.order
    if (!order) return undefined
    const originals = new Map(scenes.flatMap(({ access, from }) => [access, ...(from ? [from] : [])].map((one) => [order.counterpart(one), access])))
    const found = [...originals.keys()].filter((access) => access !== undefined).toSorted((a, b) => a.index - b.index)
    return toScenes(found, order.accesses).map((scene) => ({ ...lineIn(finding, scene, labels, originals.get(scene.access)!), original: originals.get(scene.access)! }))
  }
}

interface Called {
  readonly process: number
  readonly place: Place
}

const itself = (process: number): number => process

/** A check and its act elsewhere, in two calls that one makes, are its own; and what another one does in between in such a call is that one's. */
function callerOfBoth(finding: Finding, descent: Descent): (process: number) => number {
  if (finding.pattern !== 'check-then-act' || finding.how !== 'elsewhere') return itself
  const [looked, change, act] = [finding.looked.process, finding.changed[0].process, finding.act.process]
  if (descent.isFrom(looked, act) || descent.isFrom(act, looked)) return itself
  const own = descent.ancestorsOf(looked).find(({ parent }) => descent.isFrom(act, parent))?.parent
  if (own === undefined || own === 0 || descent.isFrom(change, own)) return itself
  const other = descent.outermost(change, own)
  return (process) => (descent.isFrom(process, own) ? own : descent.isFrom(process, other) ? other : process)
}

/** @param original in the failing execution */
function lineIn(finding: Finding, scene: Scene, labels: Labels, original = scene.access): Line {
  const line = lineOf(scene, labels)
  return 'committed' in finding && finding.committed === original ? { ...line, text: `commit: ${line.text}` } : line
}

const firstOf = (finding: Finding): Access => ('changed' in finding ? finding.changed.at(-1)! : subjectOf(finding))

export function racingOf(finding: Finding): { first: Place | undefined; second: Place | undefined } {
  return { first: firstOf(finding).place, second: actOf(finding).place }
}

/** The access that did the harm; what it went back to, if it lies in code that was not instrumented. */
export function focusOf(finding: Finding): Place | undefined {
  if (finding.pattern !== 'order-violation') return actOf(finding).place ?? subjectOf(finding).place
  const { first, second } = finding
  const [reader, other] = first.kind === 'read' ? [first, second] : [second, first]
  return reader.place ?? other.place ?? second.place
}
