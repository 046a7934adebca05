import type { ExecutionOrder } from '../engine/index.ts'
import { answersOf } from './answers.ts'
import { accessesOf, isOfControl, isOfKeptValue, type Access } from './accesses.ts'
import { hasLostAsserted } from './asserted.ts'
import { callerOfStandIn } from './callers.ts'
import { choose } from './choice.ts'
import { evidenceOf, seenAtFailure, type Evidence } from './evidence.ts'
import { likeliest } from './likelihood.ts'
import type { Explanation, ExplanationColumn } from './explanation.ts'
import { DeedStories } from './deed-stories.ts'
import { edgesOf } from './edges.ts'
import { suspectsAmong, type Experiment, type Suspects } from './experiment.ts'
import { raceName, subjectOf, type Finding } from './finding.ts'
import { findingsIn, type Findings } from './findings.ts'
import { everyOrder, plainHeadline } from './headline.ts'
import type { ExplainInput, Place } from './input.ts'
import { listed } from './lists.ts'
import { messageOf } from './message.ts'
import { isOfPackages } from './origin.ts'
import { withOriginalNames } from './original-names.ts'
import { Places } from './places.ts'
import { deadlockAtServer, exhaustedPool, remedyOfError } from './remedy.ts'
import { passingOrder, passingRows, rowsOf, shown, statementsOf } from './rows.ts'
import { TimedStories } from './timed-stories.ts'
import type { Line, Told } from './told.ts'
import { RaceStories } from './race-stories.ts'
import { onlyShows, unheardText } from './unheard.ts'
import { withoutUpkeep } from './upkeep.ts'
import { WaitStories } from './wait-stories.ts'

/** Makes a story of a failing execution: what raced, in the fewest accesses that show it. */
export function explain(input: ExplainInput): Explanation {
  return new Explainer(input).explanation()
}

/** What to try with a failing execution, to find out which race it comes from: see `ExplainInput.experiment`. */
export function suspects(given: Pick<ExplainInput, 'recording' | 'failure'>): Suspects {
  return new Explainer({ ...given, executions: 0, complete: false, root: '', name: '' }).suspects()
}

class Explainer {
  readonly #input: ExplainInput
  readonly #accesses: Access[]
  readonly #order: ExecutionOrder
  readonly #evidence: Evidence
  readonly #found: Findings
  readonly #races: RaceStories
  readonly #waits: WaitStories
  readonly #timed: TimedStories
  readonly #deeds: DeedStories

  constructor(input: ExplainInput) {
    this.#input = input
    this.#accesses = withOriginalNames(accessesOf(input.recording), input.original)
    this.#order = input.recording.order
    this.#evidence = evidenceOf(input, this.#accesses)
    this.#found = findingsIn(input.recording, { accesses: this.#accesses, seen: seenAtFailure(this.#evidence), experiment: input.experiment })
    this.#races = new RaceStories(input, this.#accesses, this.#evidence)
    this.#waits = new WaitStories(input, this.#accesses, this.#races)
    this.#timed = new TimedStories(input, this.#accesses)
    this.#deeds = new DeedStories(input, this.#accesses, this.#evidence)
  }

  suspects(): Suspects {
    const { findings, distant } = this.#found
    return suspectsAmong(likeliest([...findings, ...distant], this.#evidence), this.#order)
  }

  explanation(): Explanation {
    const { failure, experiment } = this.#input
    const finding = choose(this.#found, this.#evidence, experiment)
    if (failure.kind === 'deadlock') return this.#assemble(this.#waits.tell(finding), finding)
    const deadlock = deadlockAtServer(failure.error)
    if (deadlock !== undefined) return this.#assemble({ ...(finding ? this.#races.tell(finding) : { lines: [] }), kind: 'deadlock', headline: deadlock }, finding)
    const exhausted = exhaustedPool(failure.error, this.#input.recording)
    if (exhausted !== undefined) return this.#assemble({ kind: failure.kind, headline: exhausted, lines: [] }, finding)
    const isDecisive = finding !== undefined && this.#races.passesWith(finding) !== undefined
    const timed = this.#timed.tell(finding, { isDecisive })
    if (timed) return this.#assemble(timed, finding)
    const deed = this.#deeds.tell(finding, { isDecisive })
    if (deed) return this.#assemble(deed, undefined)
    if (finding && (!['unknown', 'fails'].includes(experiment?.failing?.sequentially ?? '') || this.#isLost(finding))) {
      const race = this.#readable(this.#races.tell(finding))
      if (failure.kind === 'unhandled-rejection' && onlyShows(finding, this.#evidence)) return this.#assemble(this.#unheard(race), finding)
      const told = experiment?.failing?.sequentially === 'unknown' ? { ...race, headline: `${race.headline} ${everyOrder(experiment.failing)}` } : race
      return this.#assemble(this.#input.isReplay ? { ...told, headline: `Perhaps: ${told.headline}` } : told, finding)
    }
    const unheard = failure.kind === 'unhandled-rejection' ? unheardText(this.#input.recording) : ''
    const headline = plainHeadline(failure.kind, { hasRaces: this.#found.findings.length > 0, failing: experiment?.failing, takesTime: this.#takesTime })
    if (!finding) return this.#assemble({ kind: failure.kind, headline: `${headline}${this.#timed.timerOf() ?? ''}${unheard}`, lines: [] }, finding)
    const { headline: perhaps, ...told } = this.#races.tell(finding)
    return this.#assemble({ ...told, headline: `${headline} Perhaps: ${perhaps}` }, finding)
  }

  /** What is missing is a handler; what comes first decides whether that shows. */
  #unheard(race: Told): Told {
    const { kind } = this.#input.failure
    const headline = plainHeadline(kind, { hasRaces: true, isDecided: true })
    const texts = [headline + unheardText(this.#input.recording), ...(race.headline === headline ? [] : [race.headline])]
    return { ...race, kind, headline: texts.join(' ') }
  }

  /** Of what becomes of promises that stands nowhere in the source no row tells anybody anything: what is told is how the test fails, and which answers have to come in another order. */
  #readable(told: Told): Told {
    if (!told.lines.every(({ place, subject }) => place === undefined && 'location' in subject && isOfControl(subject))) return told
    const { kind } = this.#input.failure
    return { kind, headline: plainHeadline(kind, { hasRaces: true, isDecided: true }), lines: [], passesWith: told.passesWith, remedy: told.remedy }
  }

  /** No order has to pass to know that: a function that was made before wrote what it made of an old value, and what it wrote over is missed. */
  #isLost(finding: Finding): boolean {
    return isOfKeptValue(subjectOf(finding)) && hasLostAsserted(finding, this.#evidence.asserted)
  }

  #assemble(given: Told, finding: Finding | undefined): Explanation {
    const told = withCallers(given, this.#evidence, (access) => callerOfStandIn(access, { ...this.#input, accesses: this.#accesses }))
    const { failure, executions, complete, isPlain = false, plainFails = isPlain, root, original, name, recording, experiment } = this.#input
    const waiting = told.alsoWaiting ?? []
    const places = new Places(root, [...[...told.lines, ...(told.passing ?? [])].flatMap(({ place, via }) => [place, via]), ...waiting.map((waiter) => waiter.waiting.place)], original)
    const rows = rowsOf(told, places)
    const all = [...new Set(rows.map(({ process }) => process))].toSorted((a, b) => a - b)
    const ordinals = [...all.filter((ordinal) => ordinal >= 0), ...all.filter((ordinal) => ordinal < 0)]
    return {
      kind: told.kind,
      failureKind: failure.kind,
      name,
      headline: told.headline + runByText(told, places),
      rows,
      edges: edgesOf(rows, this.#order, told.lines),
      columns: ordinals.map((ordinal) => columnNamed(ordinal, ordinal === 0 ? told.bodyIs : callOf(ordinal, told)) ?? columnOf(ordinal, recording)),
      ...(told.racing ? { racing: { ...shown('first', told.racing.first, places), ...shown('second', told.racing.second, places) } } : {}),
      ...shown('focus', told.focus, places),
      ...passingOrder(told),
      ...passingRows(told, rows, places),
      ...this.#answers(told, places),
      ...(isUnexplained(told) && !told.passesWith && this.#takesTime && { takesTime: this.#takesTime }),
      ...statementsOf(told),
      ...remedy(remedyOfError(failure.error) ?? told.remedy),
      ...failingOrders(experiment),
      alsoRacing: this.#otherRaces(finding, told.lines),
      alsoWaiting: waiting.map(({ waiting: { process, place } }) => (place ? `${process} at ${places.show(place).shown}` : process)),
      switches: this.#order.switches,
      execution: failure.execution,
      executions,
      complete,
      isPlain,
      plainFails,
      message: messageOf(failure),
      schedule: failure.schedule,
      commandLineReplay: this.#input.commandLineReplay,
      seed: this.#input.seed,
      isOrdinary: this.#input.isOrdinary === true,
    }
  }

  /** What is different in the plain run, which passes. */
  get #takesTime(): readonly string[] | undefined {
    const { isByEvents, standIns = [], failure, isPlain = false, plainFails = isPlain, isReplay } = this.#input
    return isByEvents && standIns.length > 0 && failure.execution > 1 && !plainFails && !isReplay ? standIns : undefined
  }

  #answers({ passesWith }: Told, places: Places): Pick<Explanation, 'answers'> {
    const answers = this.#input.isByEvents && passesWith ? answersOf(passesWith, this.#input.recording) : undefined
    if (!answers) return {}
    const { late, early } = answers
    return { answers: { late: { ...late, place: places.show(late.place) }, early: { ...early, place: places.show(early.place) } } }
  }

  /** Races that the story is not about: if it is the wrong one, these are where to look next. Those within packages are not, where it is about the user's own code. */
  #otherRaces(finding: Finding | undefined, lines: readonly Line[]): string[] {
    const told = new Set(lines.flatMap(({ subject }) => ('location' in subject ? [subject.location] : [])))
    if (finding) told.add(subjectOf(finding).location)
    const isAside = (other: Finding): boolean => finding !== undefined && isOfPackages(other) && !isOfPackages(finding)
    const others = likeliest(withoutUpkeep(this.#found.findings), this.#evidence).filter((other) => !told.has(subjectOf(other).location) && !isAside(other))
    // Several locations may be one to a reader: the bytes of an element.
    const names = new Set(others.map(raceName))
    if (finding) names.delete(raceName(finding))
    return [...names]
  }
}

/** By whose call the test's own code runs that a race is about. */
function runByText({ runBy = [] }: Told, places: Places): string {
  return runBy.length === 0 ? '' : ` Called from ${listed(runBy.map(({ name, place }) => `${places.show(place).shown} (${name})`))}.`
}

/** No access is told that it comes from. */
const isUnexplained = ({ lines }: Told): boolean => lines.every(({ subject }) => !('location' in subject))

const remedy = (text: string | undefined): Pick<Explanation, 'remedy'> => (text === undefined ? {} : { remedy: text })

function withCallers(told: Told, { callerOf }: Evidence, standInCalledFrom: (access: Access) => Place | undefined): Told {
  const called = <L extends Line>(line: L, access: Line['subject']): L => ({ ...line, via: 'location' in access ? (callerOf(access) ?? standInCalledFrom(access)) : undefined })
  return {
    ...told,
    lines: told.lines.map((line) => called(line, line.subject)),
    ...(told.passing && { passing: told.passing.map((line) => called(line, line.original)) }),
  }
}

/** Arguments of more letters are left out. */
const longestCall = 30

function columnOf(ordinal: number, { names, begunWith }: ExplainInput['recording']): ExplanationColumn {
  const name = names[ordinal] ?? `process ${ordinal}`
  const args = begunWith?.[ordinal] ?? ''
  return { ordinal, name, title: args === '' || args.length > longestCall ? name : `${name}(${args})` }
}

/** Of a call that waits, and has no process of its own. */
const callOf = (ordinal: number, { lines }: Told): string | undefined =>
  ordinal < 0 ? lines.map(({ subject }) => ('waiting' in subject && subject.process === ordinal ? subject.waiting.process : undefined)).find((name) => name !== undefined) : undefined

const columnNamed = (ordinal: number, name: string | undefined): ExplanationColumn | undefined => (name === undefined ? undefined : { ordinal, name, title: name })

/** Without the execution that passes: a story is small, however much the test does. */
function failingOrders(experiment: Experiment | undefined): Pick<Explanation, 'failing'> {
  if (!experiment?.failing) return {}
  const { sequence: _, ...failing } = experiment.failing
  return { failing }
}
