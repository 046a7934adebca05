import type { ExecutionOrder } from '../engine/index.ts'
import { answersOf } from './answers.ts'
import { accessesOf, type Access } from './accesses.ts'
import { Callers } from './callers.ts'
import { choose } from './choice.ts'
import { evidenceOf, seenAtFailure, type Evidence } from './evidence.ts'
import { likeliest } from './likelihood.ts'
import { cycleOf, deadlockHeadline, waitersOf, type Waiter, type WaitsFor } from './deadlock.ts'
import type { Explanation, ExplanationColumn } from './explanation.ts'
import { beginOf } from './begins.ts'
import { edgesOf } from './edges.ts'
import { causeIn, type Experiment, suspectsAmong, type Pair, type Suspects } from './experiment.ts'
import { actOf, raceName, subjectOf, type Finding } from './finding.ts'
import { findingsIn, type Findings } from './findings.ts'
import { everyOrder, headlineOf, plainHeadline } from './headline.ts'
import type { ExplainInput, Place } from './input.ts'
import { kindOf, titles, type FindingKind } from './kinds.ts'
import { Labels } from './labels.ts'
import { messageOf } from './message.ts'
import { cycleNotes, notesOf } from './notes.ts'
import { Places } from './places.ts'
import { deadlockAtServer, remedyOf, remedyOfError } from './remedy.ts'
import { passingOrder, passingRows, rowsOf, shown } from './rows.ts'
import { scenesOf, toScenes, type Scene } from './story.ts'
import { waitCauseOf, waitCauseText, type WaitCause } from './wait-causes.ts'
import { timeoutThatWon } from './timeouts.ts'
import { beginLine, lineOf, waitLine, type Line, type NumberedLine, type Told } from './told.ts'

/** Makes a story of a failing execution: what raced, in the fewest accesses that show it. */
export function explain(input: ExplainInput): Explanation {
  return new Explainer(input).explanation()
}

/** What to try with a failing execution, to find out which race it comes from: see `ExplainInput.experiment`. */
export function suspects(given: Pick<ExplainInput, 'recording' | 'failure'>): Suspects {
  return new Explainer({ ...given, executions: 0, complete: false, root: '', name: '' }).suspects()
}

/** A story of who waits for ever. */
interface WaitStory extends Pick<Told, 'kind' | 'notes' | 'racing' | 'focus' | 'passesWith'> {
  readonly cycle?: readonly WaitsFor[]
  readonly scenes: readonly Scene[]
  readonly text?: (labels: Labels) => string
  readonly passing?: (scenes: readonly Scene[], labels: Labels) => readonly NumberedLine[] | undefined
}

class Explainer {
  readonly #input: ExplainInput
  readonly #accesses: Access[]
  readonly #order: ExecutionOrder
  readonly #evidence: Evidence
  readonly #found: Findings

  constructor(input: ExplainInput) {
    this.#input = input
    this.#accesses = accessesOf(input.recording)
    this.#order = input.recording.order
    this.#evidence = evidenceOf(input, this.#accesses)
    this.#found = findingsIn(input.recording, { accesses: this.#accesses, seen: seenAtFailure(this.#evidence), experiment: input.experiment })
  }

  suspects(): Suspects {
    const { findings, distant } = this.#found
    return suspectsAmong(likeliest([...findings, ...distant], this.#evidence), this.#order)
  }

  explanation(): Explanation {
    const { failure, experiment } = this.#input
    const finding = choose(this.#found.findings, this.#evidence, experiment)
    if (failure.kind === 'deadlock') return this.#assemble(this.#tellDeadlock(finding), finding)
    const deadlock = deadlockAtServer(failure.error)
    if (deadlock !== undefined) return this.#assemble({ ...(finding ? this.#tellRace(finding) : { lines: [] }), kind: 'deadlock', headline: deadlock }, finding)
    const isCertain = experiment?.failing?.sequentially !== 'unknown'
    if (finding && isCertain) return this.#assemble(this.#tellRace(finding), finding)
    const headline = plainHeadline(failure.kind, { hasRaces: this.#found.findings.length > 0, failing: experiment?.failing })
    if (!finding) return this.#assemble({ kind: failure.kind, headline, lines: [] }, finding)
    const { headline: perhaps, ...told } = this.#tellRace(finding)
    return this.#assemble({ ...told, headline: `${headline} Perhaps: ${perhaps}` }, finding)
  }

  // Stories -----------------------------------------------------------------------------------

  #tellRace(finding: Finding): Told {
    const scenes = this.#scenesOf(finding)
    const labels = new Labels(scenes.map(({ access }) => access))
    const kind = this.#kindOf(finding)
    const { recording } = this.#input
    const begin = beginOf(finding, recording)
    const lines = scenes.map((scene) => lineOf(scene, labels))
    return {
      kind,
      headline: headlineOf(finding, { names: recording.names, labels, title: titles[kind], begin }) + this.#timeoutWon(finding),
      lines: begin ? [beginLine(begin, recording.names), ...lines].toSorted((a, b) => a.step - b.step) : lines,
      notes: (numberOf) => notesOf(finding, numberOf),
      remedy: remedyOf(finding, kind, recording),
      passesWith: this.#passesWith(finding),
      passing: this.#passing(finding, scenes, labels),
      racing: racingOf(finding),
      focus: this.#isOnlyOfTest(finding) ? (begin?.place ?? focusOf(finding)) : focusOf(finding),
    }
  }

  #tellDeadlock(finding: Finding | undefined): Told {
    const { recording, waiting = [], experiment } = this.#input
    const waiters = waitersOf(waiting, recording, this.#accesses)
    const cycle = cycleOf(waiters, this.#accesses)
    if (cycle) return this.#tellWaiting(waiters, { kind: 'deadlock', cycle, scenes: this.#scenesOfCycle(cycle), notes: (numberOf) => cycleNotes(cycle, numberOf) })
    if (finding && (this.#passesWith(finding) || this.#leavesWaiting(finding))) return this.#tellWaiting(waiters, this.#raceOfWait(finding, waiters))
    const cause = waitCauseOf(waiters, this.#accesses, this.#order)
    if (cause) return this.#tellWaiting(waiters, this.#causeOfWait(cause))
    if (finding) return this.#tellWaiting(waiters, this.#raceOfWait(finding, waiters))
    return this.#tellWaiting(waiters, { kind: experiment?.failing?.sequentially === 'fails' ? 'never-settled' : 'deadlock', scenes: [] })
  }

  /** Somebody waits for what another one has taken away, or for a count that is lost as calls overlap. */
  #leavesWaiting({ pattern }: Finding): boolean {
    return pattern === 'wrong-holder-release' || (pattern === 'lost-update' && this.#input.experiment?.failing?.sequentially === 'passes')
  }

  #raceOfWait(finding: Finding, waiters: readonly Waiter[]): WaitStory {
    const passesWith = this.#passesWith(finding)
    // Without the race somebody would have been woken; or who waits does so by a stale answer.
    const isMissed = passesWith !== undefined || ('isOverlap' in finding && finding.isOverlap) || ('changed' in finding && waiters.some(({ line }) => line.includes(finding.act.process)))
    const isWhy = isMissed || this.#leavesWaiting(finding)
    const kind = isMissed && !this.#leavesWaiting(finding) ? 'lost-wakeup' : this.#kindOf(finding)
    return {
      kind: isWhy ? kind : 'deadlock',
      scenes: this.#scenesOf(finding),
      text: (labels) => headlineOf(finding, { names: this.#input.recording.names, labels, title: titles[kind] }),
      notes: (numberOf) => notesOf(finding, numberOf),
      racing: racingOf(finding),
      focus: isWhy ? focusOf(finding) : undefined,
      passesWith,
      passing: (scenes, labels) => this.#passing(finding, scenes, labels),
    }
  }

  #causeOfWait(cause: WaitCause): WaitStory {
    const { kind, looked, changed } = cause
    return {
      kind,
      scenes: toScenes([looked, changed].toSorted((a, b) => a.index - b.index), this.#accesses),
      text: (labels) => waitCauseText(cause, { names: this.#input.recording.names, labels }),
      focus: changed.place,
    }
  }

  #tellWaiting(waiters: readonly Waiter[], { kind, cycle, scenes, text, notes = () => new Map(), racing, focus, passesWith, passing }: WaitStory): Told {
    const told = shownWaiters(waiters, cycle)
    const labels = new Labels(scenes.map(({ access }) => access))
    const lines = [...scenes.map((scene) => lineOf(scene, labels)), ...told.map(waitLine)]
    const why = text ? ` ${text(labels)}` : ''
    return {
      kind,
      headline: deadlockHeadline(told, cycle, kind) + why + this.#everyOrder(),
      lines: lines.toSorted((a, b) => a.step - b.step),
      notes,
      ...(racing ? { racing, passesWith, passing: passing?.(scenes, labels) } : {}),
      focus: focus ?? told[0]?.waiting.place,
      alsoWaiting: waiters.filter((waiter) => !told.includes(waiter)),
    }
  }

  #scenesOf(finding: Finding): Scene[] {
    return scenesOf(finding, this.#accesses, { order: this.#order, passesWith: this.#passesWith(finding) })
  }

  #kindOf(finding: Finding): FindingKind {
    return kindOf(finding, { recording: this.#input.recording, experiment: this.#input.experiment, accesses: this.#accesses, failure: this.#input.failure.kind, timersRace: this.#input.timersRace === true })
  }

  #isOnlyOfTest(finding: Finding): boolean {
    return [subjectOf(finding), actOf(finding)].every(({ place }) => place?.file === this.#input.testFile)
  }

  #timeoutWon(finding: Finding): string {
    const timer = this.#input.timersRace ? timeoutThatWon(finding, this.#input.recording) : undefined
    return timer === undefined ? '' : ` The timeout won: ${timer} fired first.`
  }

  #everyOrder(): string {
    const failing = this.#input.experiment?.failing
    return failing ? ` ${everyOrder(failing)}` : ''
  }

  #passesWith(finding: Finding): Pair | undefined {
    const cause = this.#input.experiment && causeIn(finding, this.#input.experiment)
    return cause?.isAlone ? cause : undefined
  }

  /** The same in the order in which the test passes, where that was written down. */
  #passing(finding: Finding, scenes: readonly Scene[], labels: Labels): readonly NumberedLine[] | undefined {
    const order = this.#passesWith(finding) && causeIn(finding, this.#input.experiment!)?.reversal.order
    if (!order) return undefined
    const originals = new Map(scenes.flatMap(({ access, from }) => [access, ...(from ? [from] : [])].map((one) => [order.counterpart(one), access])))
    const found = [...originals.keys()].filter((access) => access !== undefined).toSorted((a, b) => a.index - b.index)
    return toScenes(found, order.accesses).map((scene) => ({ ...lineOf(scene, labels), original: originals.get(scene.access)! }))
  }

  #scenesOfCycle(cycle: readonly WaitsFor[]): Scene[] {
    const chosen = new Set(cycle.flatMap(({ found }) => (found ? [found.write, found.read] : [])))
    return toScenes([...chosen].toSorted((a, b) => a.index - b.index), this.#accesses)
  }

  // Assembly ----------------------------------------------------------------------------------

  #assemble(given: Told, finding: Finding | undefined): Explanation {
    const told = withCallers(given, new Callers(this.#input.recording, this.#accesses))
    const { failure, executions, complete, isPlain = false, plainFails = isPlain, root, original, name, recording, experiment } = this.#input
    const waiting = told.alsoWaiting ?? []
    const places = new Places(root, [...[...told.lines, ...(told.passing ?? [])].flatMap(({ place, via }) => [place, via]), ...waiting.map((waiter) => waiter.waiting.place)], original)
    const rows = rowsOf(told, places)
    const ordinals = [...new Set(rows.map(({ process }) => process))].toSorted((a, b) => a - b)
    return {
      kind: told.kind,
      failureKind: failure.kind,
      name,
      headline: told.headline,
      rows,
      edges: edgesOf(rows, this.#order, told.lines),
      columns: ordinals.map((ordinal) => columnOf(ordinal, recording)),
      ...(told.racing ? { racing: { ...shown('first', told.racing.first, places), ...shown('second', told.racing.second, places) } } : {}),
      ...shown('focus', told.focus, places),
      ...passingOrder(told),
      ...passingRows(told, rows, places),
      ...this.#answers(told, places),
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
      isOrdinary: this.#input.isOrdinary === true,
    }
  }

  #answers({ passesWith }: Told, places: Places): Pick<Explanation, 'answers'> {
    const answers = this.#input.isByEvents && passesWith ? answersOf(passesWith, this.#input.recording) : undefined
    if (!answers) return {}
    const { late, early } = answers
    return { answers: { late: { ...late, place: places.show(late.place) }, early: { ...early, place: places.show(early.place) } } }
  }

  /** Races that the story is not about: if it is the wrong one, these are where to look next. */
  #otherRaces(finding: Finding | undefined, lines: readonly Line[]): string[] {
    const told = new Set(lines.flatMap(({ subject }) => ('location' in subject ? [subject.location] : [])))
    if (finding) told.add(subjectOf(finding).location)
    const others = likeliest(this.#found.findings, this.#evidence).filter((other) => !told.has(subjectOf(other).location))
    return [...new Set(others.map(raceName))]
  }
}

const remedy = (text: string | undefined): Pick<Explanation, 'remedy'> => (text === undefined ? {} : { remedy: text })

function withCallers(told: Told, callers: Callers): Told {
  const called = <L extends Line>(line: L, access: Line['subject']): L => ({ ...line, via: 'location' in access ? callers.of(access) : undefined })
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

/** Those of the circle; else the test only if nothing else waits: it waits for the others. */
function shownWaiters(waiters: readonly Waiter[], cycle: readonly WaitsFor[] | undefined): Waiter[] {
  if (cycle) return cycle.map(({ waiter }) => waiter)
  const known = waiters.filter(({ process }) => process >= 0)
  const others = known.filter(({ process }) => process !== 0)
  return (others.length > 0 ? others : known).slice(0, 6)
}

function racingOf(finding: Finding): { first: Place | undefined; second: Place | undefined } {
  const first = 'changed' in finding ? finding.changed.at(-1)! : subjectOf(finding)
  return { first: first.place, second: actOf(finding).place }
}

/** The access that did the harm; what it went back to, if it lies in code that was not instrumented. */
function focusOf(finding: Finding): Place | undefined {
  if (finding.pattern !== 'order-violation') return actOf(finding).place ?? subjectOf(finding).place
  const { first, second } = finding
  const [reader, other] = first.kind === 'read' ? [first, second] : [second, first]
  return reader.place ?? other.place ?? second.place
}

/** Without the execution that passes: a story is small, however much the test does. */
function failingOrders(experiment: Experiment | undefined): Pick<Explanation, 'failing'> {
  if (!experiment?.failing) return {}
  const { sequence: _, ...failing } = experiment.failing
  return { failing }
}
