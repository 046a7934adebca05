import type { Access } from './accesses.ts'
import { clearedText, clearedTimerOf } from './cleared-timers.ts'
import { awaitsOf, cycleOf, deadlockHeadline, isOfOnePool, waitersOf, type Waiter, type WaitsFor } from './deadlock.ts'
import { isOfOverlap, type Experiment } from './experiment.ts'
import { actOf, subjectOf, type Finding } from './finding.ts'
import { everyOrder, headlineOf } from './headline.ts'
import type { ExplainInput } from './input.ts'
import { neverLookedFor } from './dropped.ts'
import { holdRow, holdsOf, holdText, type Hold } from './hold-and-wait.ts'
import { titles } from './kinds.ts'
import { Labels } from './labels.ts'
import { cycleNotes, notesOf } from './notes.ts'
import { focusOf, racingOf, type RaceStories } from './race-stories.ts'
import { spentCountOf, type SpentCount } from './spent-count.ts'
import { toScenes, type Scene } from './story.ts'
import { lineOf, waitLine, type Line, type NumberedLine, type Told } from './told.ts'
import { accessesOfCause, waitCauseOf, type WaitCause } from './wait-causes.ts'
import { leftText, spentText, waitCauseText } from './wait-texts.ts'

/** A story of who waits for ever. */
interface WaitStory extends Pick<Told, 'kind' | 'notes' | 'racing' | 'focus' | 'passesWith'> {
  readonly cycle?: readonly WaitsFor[]
  readonly holds?: readonly Hold[]
  readonly scenes: readonly Scene[]
  readonly text?: (labels: Labels) => string
  readonly passing?: (scenes: readonly Scene[], labels: Labels) => readonly NumberedLine[] | undefined
}

/** Stories of failing executions in which somebody waits for ever. */
export class WaitStories {
  readonly #input: ExplainInput
  readonly #accesses: readonly Access[]
  readonly #races: RaceStories

  constructor(input: ExplainInput, accesses: readonly Access[], races: RaceStories) {
    this.#input = input
    this.#accesses = accesses
    this.#races = races
  }

  tell(finding: Finding | undefined): Told {
    const { recording, waiting = [], experiment } = this.#input
    const waiters = waitersOf(waiting, recording, this.#accesses)
    const cycle = cycleOf(waiters, this.#accesses)
    const holds = mayPass(experiment) && (!cycle || isOfOnePool(cycle)) ? holdsOf(waiters, this.#accesses, recording) : undefined
    if (cycle && !holds) return this.#tellWaiting(waiters, { kind: cycle.length === 1 ? 'self-deadlock' : 'deadlock', cycle, scenes: this.#scenesOfCycle(cycle), notes: (numberOf) => cycleNotes(cycle, numberOf) })
    if (holds) return this.#tellWaiting(waiters, { kind: 'deadlock', scenes: [], holds })
    const spent = spentCountOf(waiters, this.#accesses, recording)
    if (spent) return this.#tellWaiting(waiters, this.#spentOfWait(spent))
    const cause = waitCauseOf(waiters, this.#accesses, recording)
    if (cause?.isWrittenOver && !(finding && isOfBoth(finding, cause))) return this.#tellWaiting(waiters, this.#causeOfWait(cause))
    if (finding && (this.#races.passesWith(finding) || this.#leavesWaiting(finding))) return this.#tellWaiting(waiters, isLeakedBy(finding, cause) ? this.#leakOf(finding, { cause, waiters }) : this.#raceOfWait(finding, waiters))
    if (cause) return this.#tellWaiting(waiters, this.#causeOfWait(cause))
    if (finding) return this.#tellWaiting(waiters, this.#raceOfWait(finding, waiters))
    const cleared = clearedTimerOf(waiters, recording, this.#accesses)
    if (cleared) return this.#tellWaiting(waiters, { kind: 'never-settled', scenes: [], text: () => clearedText(cleared, recording), focus: cleared.place })
    const kind = failsAnyhow(experiment) ? 'never-settled' : 'deadlock'
    const left = waiters.map(({ line }) => neverLookedFor(line, this.#accesses)).find((access) => access !== undefined)
    return this.#tellWaiting(waiters, left ? { kind, scenes: toScenes([left], this.#accesses), text: (labels) => leftText(left, { names: recording.names, labels }), focus: left.place } : { kind, scenes: [] })
  }

  /** Somebody waits for what another one has taken away, or for a count that is lost as calls overlap. */
  #leavesWaiting({ pattern }: Finding): boolean {
    return pattern === 'wrong-holder-release' || (pattern === 'lost-update' && isOfOverlap(this.#input.experiment))
  }

  #raceOfWait(finding: Finding, waiters: readonly Waiter[]): WaitStory {
    const passesWith = this.#races.passesWith(finding)
    // Without the race somebody would have been woken; or who waits does so by a stale answer.
    const isMissed = passesWith !== undefined || ('isOverlap' in finding && finding.isOverlap) || ('changed' in finding && waiters.some(({ line }) => line.includes(finding.act.process)))
    const isWhy = isMissed || this.#leavesWaiting(finding)
    const kind = isMissed && !this.#leavesWaiting(finding) ? 'lost-wakeup' : this.#races.kindOf(finding)
    return {
      kind: isWhy ? kind : 'deadlock',
      scenes: this.#races.scenesOf(finding),
      text: (labels) => headlineOf(this.#races.toldAs(finding), { names: this.#input.recording.names, labels, title: titles[kind] }),
      notes: (numberOf) => notesOf(this.#races.toldAs(finding), numberOf),
      racing: racingOf(finding),
      focus: isWhy ? focusOf(finding) : undefined,
      passesWith,
      passing: (scenes, labels) => this.#races.passing(finding, scenes, labels),
    }
  }

  /** Who has come upon something in a race has then kept what others wait for. */
  #leakOf(finding: Finding, { cause, waiters }: { readonly cause: WaitCause; readonly waiters: readonly Waiter[] }): WaitStory {
    const race = this.#raceOfWait(finding, waiters)
    const own = new Set(race.scenes.map(({ access }) => access))
    const taken = toScenes([cause.changed, cause.looked].filter((access) => !own.has(access)), this.#accesses)
    const title = titles[this.#races.kindOf(finding)]
    return {
      ...race,
      kind: cause.kind,
      scenes: [...race.scenes, ...taken].toSorted((one, other) => one.access.index - other.access.index),
      text: (labels) => `${waitCauseText(cause, { names: this.#input.recording.names, labels })} ${headlineOf(this.#races.toldAs(finding), { names: this.#input.recording.names, labels, title })}`,
      passing: (_, labels) => race.passing?.(race.scenes, labels),
    }
  }

  #spentOfWait(spent: SpentCount): WaitStory {
    const { taken, looked } = spent
    return {
      kind: 'self-deadlock',
      scenes: toScenes([...taken, looked].toSorted((a, b) => a.index - b.index), this.#accesses),
      text: (labels) => spentText(spent, { names: this.#input.recording.names, labels }),
      focus: looked.place,
    }
  }

  #causeOfWait(cause: WaitCause): WaitStory {
    const { kind, uncalled } = cause
    return {
      kind: uncalled ? 'never-settled' : kind,
      scenes: toScenes(accessesOfCause(cause).toSorted((a, b) => a.index - b.index), this.#accesses),
      // There is no other order with which it could be compared.
      text: (labels) => waitCauseText(cause, { names: this.#input.recording.names, labels }) + (uncalled && this.#input.experiment?.failing ? ' No order passes by which that could be confirmed.' : ''),
      focus: cause.changed.place,
    }
  }

  #tellWaiting(waiters: readonly Waiter[], { kind, cycle, holds, scenes, text, notes = () => new Map(), racing, focus, passesWith, passing }: WaitStory): Told {
    const told = holds?.map(({ waiter }) => waiter) ?? shownWaiters(waiters, cycle)
    const known = new Set(cycle?.map(({ waiter }) => waiter) ?? told)
    const labels = new Labels(scenes.map(({ access }) => access))
    const lines = [...scenes.map((scene) => lineOf(scene, labels)), ...(holds ?? []).map(holdLine), ...told.map(waitLine)]
    const why = text ? ` ${text(labels)}` : ''
    return {
      kind,
      headline: (holds ? holdText(holds) : deadlockHeadline(told, cycle, kind)) + why + this.#everyOrder(),
      lines: lines.toSorted((a, b) => a.step - b.step),
      notes,
      ...(racing ? { racing, passesWith, passing: passing?.(scenes, labels) } : {}),
      focus: focus ?? (cycle?.length === 1 ? told.at(-1) : told[0])?.waiting.place,
      alsoWaiting: waiters.filter((waiter) => !known.has(waiter)),
    }
  }

  #everyOrder(): string {
    const failing = this.#input.experiment?.failing
    return failing ? ` ${everyOrder(failing)}` : ''
  }

  #scenesOfCycle(cycle: readonly WaitsFor[]): Scene[] {
    const chosen = new Set(cycle.flatMap(({ found }) => (found ? [found.write, found.read] : [])))
    return toScenes([...chosen].toSorted((a, b) => a.index - b.index), this.#accesses)
  }
}

/** Who comes first with what would wake it is the race itself. */
const isOfBoth = (finding: Finding, { looked, changed }: WaitCause): boolean => subjectOf(finding) === looked && actOf(finding) === changed

/** There is no order, and no way not to overlap, in which everybody comes to an end. */
function failsAnyhow(experiment: Experiment | undefined): boolean {
  const { areAll = false, sequentially = 'unknown' } = experiment?.failing ?? {}
  return sequentially === 'fails' || (areAll && sequentially === 'unknown')
}

/** There is an order, or a way not to overlap, in which everybody comes to an end. */
const mayPass = (experiment: Experiment | undefined): boolean => isOfOverlap(experiment) || experiment?.reversals.some(({ passes }) => passes) === true

function holdLine(hold: Hold): Line {
  const { step, place } = hold.got
  return { process: hold.waiter.process, step, place, text: holdRow(hold), subject: hold.got }
}

/** The race is about something else than what is kept; it tells why that is not given back. */
function isLeakedBy(finding: Finding, cause: WaitCause | undefined): cause is WaitCause {
  if (cause?.kind !== 'leaked-permit' || subjectOf(finding).location === cause.looked.location) return false
  return [subjectOf(finding), actOf(finding)].some(({ process }) => process === cause.changed.process || cause.woken?.includes(process))
}

/** Those of the circle; else the test only if nothing else waits: it waits for the others. */
function shownWaiters(waiters: readonly Waiter[], cycle: readonly WaitsFor[] | undefined): Waiter[] {
  if (cycle?.length === 1) return awaitsOf(cycle[0]!.waiter)
  if (cycle) return cycle.map(({ waiter }) => waiter)
  const known = waiters.filter(({ process }) => process >= 0)
  const others = known.filter(({ process }) => process !== 0)
  return (others.length > 0 ? others : known).slice(0, 6)
}
