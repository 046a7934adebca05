import { changes, isOfControl, isSamePlace, replaces, type Access } from './accesses.ts'
import type { Waiter } from './deadlock.ts'
import { Descent } from './descent.ts'
import { droppedFrom, holdsCallback, leftIn, uncalledOf, type Uncalled } from './dropped.ts'
import type { InputRecording } from './input.ts'
import { grouped } from './grouped.ts'
import { givenInVain, givenUpIn, isOfCall, type GivenUp } from './timed-out.ts'
import { takenInVain, type TakenInVain } from './taken-in-vain.ts'
import { isAbsent, isFunction, isNothing } from './values.ts'
import { isInside } from './words.ts'

/** Why somebody waits for ever, as far as what it looked at before says it. */
export interface WaitCause {
  readonly kind: WaitKind
  readonly waiter: Waiter
  /** What the waiter found, or left there. */
  readonly looked: Access
  /** What was there, or is there now: who wrote that. */
  readonly changed: Access
  /** Whom that was done for, who was woken by it. */
  readonly holder?: number | undefined
  /** Who went on because of that: it may have been taken for them. */
  readonly woken?: readonly number[] | undefined
  /** All that was counted there, where that does not come out even. */
  readonly counted?: Counted | undefined
  /** Who would have got it, but had given up before. */
  readonly givenUp?: GivenUp | undefined
  /** It was given to that one, and is nowhere written down as taken by him. */
  readonly isHandedOver?: true
  /** It has looked for who is to be told before the waiter has come. */
  readonly isTooLate?: true
  /** What would wake it is no longer there. */
  readonly isWrittenOver?: true
  /** What another one had left who has given up was taken out instead. */
  readonly takenInVain?: TakenInVain | undefined
  /** What would wake it, which nobody comes to call. */
  readonly uncalled?: Uncalled | undefined
}

/** Changes of a number, and how many of them made it greater. */
export interface Counted {
  readonly changes: readonly Access[]
  readonly ups: number
}

export type WaitKind =
  /** What it looked at has changed since, and nobody has looked again at that place. */
  | 'lost-wakeup'
  /** Another one has taken what it waits for, and has ended without giving it back. */
  | 'leaked-permit'
  /** It has itself taken what it waits for. */
  | 'self-deadlock'

/** Looks at the last step of those who wait, the likeliest reason first. */
export function waitCauseOf(waiters: readonly Waiter[], accesses: readonly Access[], recording: InputRecording): WaitCause | undefined {
  const overwritten = overwrittenCallback(waiters, accesses)
  if (overwritten) return overwritten
  return takenInVainCause(waiters, { accesses, recording }) ?? lastLookCause(['lost-wakeup'], waiters, { accesses, recording }) ?? toldBeforeCause(waiters, accesses) ?? uncalledCause(waiters, accesses, droppedFrom) ?? lastLookCause(['self-deadlock', 'leaked-permit'], waiters, { accesses, recording }) ?? uncalledCause(waiters, accesses, leftIn)
}

/** The same of one whose wait a timer has ended: who holds what it waits for may do so rightly, and would give it back later. */
export function timedCauseOf(waiter: Waiter, accesses: readonly Access[], recording: InputRecording): WaitCause | undefined {
  const given = { accesses, recording }
  const leaked = lastLookCause(['leaked-permit'], [waiter], given)
  const leakedIf = (is: (leaked: WaitCause) => boolean): WaitCause | undefined => (leaked && is(leaked) ? leaked : undefined)
  return (
    takenInVainCause([waiter], given) ??
    lastLookCause(['lost-wakeup'], [waiter], given) ??
    uncalledCause([waiter], accesses, droppedFrom) ??
    leakedIf(({ givenUp }) => givenUp !== undefined) ??
    new LastLooks(waiter, [waiter], given).handedOver(givenInVain(recording, accesses)) ??
    leakedIf((cause) => areOver(cause, accesses)) ??
    uncalledCause([waiter], accesses, leftIn)
  )
}

function takenInVainCause(waiters: readonly Waiter[], { accesses, recording }: { readonly accesses: readonly Access[]; readonly recording: InputRecording }): WaitCause | undefined {
  for (const waiter of waiters) {
    const found = takenInVain(waiter, accesses, recording)
    if (found) return { kind: 'leaked-permit', waiter, looked: found.kept, changed: found.taken, takenInVain: found }
  }
  return undefined
}

/** Whoever has taken it, or for whom that was done, has come to an end since, and gives nothing back. */
function areOver({ changed, woken = [] }: WaitCause, accesses: readonly Access[]): boolean {
  return [changed.process, ...woken].every((process) => accesses.some((access) => access.process === process && access.index > changed.index && access.kind === 'settle' && isOfCall(access)))
}

function lastLookCause(kinds: readonly WaitKind[], waiters: readonly Waiter[], { accesses, recording }: { readonly accesses: readonly Access[]; readonly recording: InputRecording }): WaitCause | undefined {
  for (const kind of kinds) {
    for (const waiter of waiters) {
      const cause = new LastLooks(waiter, waiters, { accesses, recording }).cause(kind)
      if (cause) return kind === 'leaked-permit' ? withGivenUp(cause, { accesses, recording }) : cause
    }
  }
  return undefined
}

/** Who has taken it may have given it to one who had given up before. */
function withGivenUp(cause: WaitCause, { accesses, recording }: { readonly accesses: readonly Access[]; readonly recording: InputRecording }): WaitCause {
  const givenUp = givenUpIn(cause.changed.step, recording, accesses)
  if (givenUp || cause.counted) return { ...cause, givenUp }
  const handedOver = givenInVain(recording, accesses).find(({ by, late }) => 'rejecter' in by && late.process === cause.changed.process && late.index > cause.changed.index && late.index < cause.looked.index)
  return handedOver ? { ...cause, givenUp: handedOver, isHandedOver: true } : cause
}

/** What would wake one of them was taken away, or stays where nobody looks. */
function uncalledCause(waiters: readonly Waiter[], accesses: readonly Access[], find: typeof leftIn): WaitCause | undefined {
  for (const waiter of waiters) {
    const uncalled = uncalledOf(waiter.line, accesses, find)
    if (uncalled) return { kind: 'lost-wakeup', waiter, looked: uncalled.kept, changed: uncalled.changed, uncalled }
  }
  return undefined
}

/** Who listens to an event begins to do so after the last time that somebody was to be told of it, when there was nobody. */
function toldBeforeCause(waiters: readonly Waiter[], accesses: readonly Access[]): WaitCause | undefined {
  for (const waiter of waiters) {
    // Where a step is an event, who waits may have no process: it waits for what it begins to listen for.
    const isIn = ({ place }: Access): boolean => place !== undefined && waiter.awaits.some((awaited) => awaited?.file === place.file && awaited.text.includes(place.text))
    const changed = accesses.findLast((access) => access.key.kind === 'listeners' && changes(access) && !isAbsent(access.value) && (waiter.line.includes(access.process) || isIn(access)))
    const looked = changed && accesses.findLast(({ location, kind, process }) => location === changed.location && kind === 'read' && process !== changed.process)
    if (changed && looked && looked.index < changed.index && isAbsent(looked.value)) return { kind: 'lost-wakeup', waiter, looked, changed, isTooLate: true }
  }
  return undefined
}

/** One has left a callback by which it is to be woken, and another one leaves its own in the same place before anybody has read the first. */
function overwrittenCallback(waiters: readonly Waiter[], accesses: readonly Access[]): WaitCause | undefined {
  for (const all of grouped(accesses, ({ location }) => location).values()) {
    for (const [i, changed] of all.entries()) {
      const looked = all[i - 1]
      if (!looked || isOneDeed(looked, changed) || ![looked, changed].every((access) => replaces(access) && holdsCallback(access)) || !isSamePlace(looked, changed)) continue
      const waiter = waiters.find(({ line }) => line.includes(looked.process))
      if (waiter) return { kind: 'lost-wakeup', waiter, looked, changed, isWrittenOver: true }
    }
  }
  return undefined
}

/** One call puts both there at once: it waits for neither. */
const isOneDeed = (one: Access, other: Access): boolean => one.step === other.step && one.process === other.process && one.within === other.within

/** What one of those who wait has looked at before. */
class LastLooks {
  readonly #waiter: Waiter
  readonly #accesses: readonly Access[]
  readonly #recording: InputRecording
  readonly #waiting: ReadonlySet<number>
  readonly #innermost: number | undefined
  readonly #last: readonly Access[]
  #descent: Descent | undefined

  constructor(waiter: Waiter, waiters: readonly Waiter[], { accesses, recording }: { readonly accesses: readonly Access[]; readonly recording: InputRecording }) {
    this.#waiter = waiter
    this.#accesses = accesses
    this.#recording = recording
    this.#waiting = new Set(waiters.flatMap(({ line }) => line))
    this.#innermost = waiter.line.at(-1)
    const step = waiter.beganIn ?? accesses.findLast(({ process }) => process === this.#innermost)?.step
    this.#last = accesses.filter((access) => access.step === step && access.process === this.#innermost)
  }

  cause(kind: WaitKind): WaitCause | undefined {
    // Who waits to be woken has left something by which it can be found.
    const left = this.#last.filter((access) => changes(access) && !isOfControl(access) && (kind !== 'lost-wakeup' || this.#isLeft(access)))
    if (left.length === 0) return undefined
    if (kind === 'lost-wakeup') return this.#missedLast(this.#looks)
    for (const looked of this.#looks) {
      const found = this.#holding(looked, kind)
      if (found) return { kind, waiter: this.#waiter, looked, ...found }
    }
    return undefined
  }

  get #looks(): readonly Access[] {
    return this.#last.filter((looked) => looked.kind === 'read' && !isOfControl(looked) && !isFunction(looked.value) && !isInside(looked)).toReversed()
  }

  /** What it looks at was taken, and then given to somebody who had given up before, and who gives nothing back. */
  handedOver(inVain: readonly GivenUp[]): WaitCause | undefined {
    for (const looked of this.#looks) {
      const all = this.#accesses.filter((access) => access.location === looked.location)
      const taken = all.findLast((access) => changes(access) && access.index < looked.index)
      const isBack = all.some((access) => changes(access) && access.index > looked.index)
      const givenUp = inVain.find(({ late }) => taken && late.index > taken.index && (late.index < looked.index || !isBack))
      if (taken && givenUp && isTaken(taken, all)) return { kind: 'leaked-permit', waiter: this.#waiter, looked, changed: taken, givenUp, isHandedOver: true }
    }
    return undefined
  }

  /** Who has looked at several things is to be woken by whoever changes the last of them; nobody has to be before. */
  #missedLast(looks: readonly Access[]): WaitCause | undefined {
    const missed = looks.flatMap((looked) => this.#missed(looked).map((changed): WaitCause => ({ kind: 'lost-wakeup', waiter: this.#waiter, looked, changed })))
    const isOfOne = missed.every(({ looked }) => looked.location === missed[0]!.looked.location)
    return isOfOne ? missed[0] : missed.toSorted((one, other) => other.changed.index - one.changed.index)[0]
  }

  /** Others look for it there, and it is there still: a wakeup can only be missed then. */
  #isLeft(access: Access): boolean {
    const last = this.#last.findLast((other) => other.location === access.location && changes(other))
    if (!mayBeCalled(access) || (last && last.kind !== 'append' && isAbsent(last.value))) return false
    const byOthers = this.#accesses.filter(({ location, process }) => location === access.location && process !== this.#innermost)
    const isCalled = isFunction(access.value) && byOthers.some(({ kind, index }) => kind === 'read' && index > access.index)
    return byOthers.length > 0 && !isCalled
  }

  /** A call of its own that waits for ever itself is what it waits for, and wakes nobody. */
  #isOwnThatWaits({ process }: Access): boolean {
    return this.#innermost !== undefined && this.#waiting.has(process) && (this.#descent ??= new Descent(this.#recording)).isFrom(process, this.#innermost)
  }

  /** How it has changed since the moment after which what decided that one has to wait is not looked at again. */
  #missed(looked: Access): Access[] {
    const later = this.#accesses.filter(({ index, location }) => index > looked.index && location === looked.location)
    const changed = withoutEven(looked, later.filter((access) => changes(access) && access.process !== this.#innermost && access.step > looked.step && !this.#isOwnThatWaits(access)))
    const isLookedAtAgain = later.some((access) => access.index > (changed[0]?.index ?? 0) && access.kind === 'read' && (access.place === looked.place || isSamePlace(access, looked)))
    return isLookedAtAgain ? [] : changed
  }

  /** It was taken, and is so still. */
  #holding(looked: Access, kind: 'leaked-permit' | 'self-deadlock'): Pick<WaitCause, 'changed' | 'holder' | 'woken' | 'counted'> | undefined {
    const all = withoutPutsOfTheSame(this.#accesses.filter((access) => access.location === looked.location))
    const taken = all.findLast(changes)
    const isOfThisStep = taken?.step === looked.step && taken.process === looked.process
    if (!taken || taken.index > looked.index || (isOfThisStep && !this.#hasQueuedItself(looked, taken, all)) || !isTaken(taken, all) || this.#isPassed(looked, taken, all)) return undefined
    const woken = this.#wokenAfter(taken)
    const holder = woken.find((process) => process !== taken.process && this.#waiter.line.includes(process))
    const isOwn = holder !== undefined || this.#waiter.line.includes(taken.process)
    if (kind === 'self-deadlock') return isOwn ? { changed: taken, holder } : undefined
    if (isOwn || [taken.process, ...woken].some((process) => this.#waiting.has(process))) return undefined
    if (looked.value.type !== 'number') return { changed: taken, woken }
    return isAsAtFirst(looked, all) ? undefined : { changed: taken, woken, counted: this.#countedOf(all) }
  }

  /** By the code by which it has taken it, it comes upon that at once, and puts a callback in the list that it has made then: as with one key given twice. */
  #hasQueuedItself(looked: Access, taken: Access, all: readonly Access[]): boolean {
    const before = all.findLast(({ index }) => index < taken.index)
    const isFoundAgain = before !== undefined && all.some((access) => access.index > taken.index && access.index <= looked.index && isSamePlace(access, before))
    return isFoundAgain && this.#last.some(({ index, kind, object, value }) => kind === 'append' && index > looked.index && object === taken.value.identity && (isFunction(value) || holdsCallback({ value })))
  }

  /** Whoever has found the same object at that place before went on: it is used there, and says nothing of who has taken what. */
  #isPassed(looked: Access, taken: Access, all: readonly Access[]): boolean {
    if (looked.value.type !== 'object') return false
    const wentOn = ({ process, step }: Access): boolean => !this.#waiting.has(process) || this.#accesses.some((other) => other.step > step && other.process === process)
    return all.some((access) => access.index > taken.index && access.step < looked.step && isSamePlace(access, looked) && wentOn(access))
  }

  /** What those who have ended have counted there, more than once up and down. */
  #countedOf([first, ...all]: readonly Access[]): Counted | undefined {
    const counted = all.filter(changes)
    const isOfEnded = counted.every(({ process, value }) => value.type === 'number' && !this.#waiting.has(process))
    if (!isOfEnded || counted.length < 3 || counted.length > mostCounted) return undefined
    const before = [first!, ...counted]
    return { changes: counted, ups: counted.filter(({ value, found }, i) => Number(value.text) > Number((found ?? before[i]!.value).text)).length }
  }

  /** Who goes on because of what it has settled after that: it may have taken something for them. Whom it calls says more than that its own call ends there; and who waits for several calls has taken nothing by one of them. */
  #wokenAfter({ step, process, index }: Access): number[] {
    const { steps, order } = this.#recording
    const settled = this.#accesses.filter((access) => access.step === step && access.process === process && access.index > index && access.kind === 'settle')
    if (settled.length === 0) return order.steps.filter(({ after }) => after.some((before) => before.step === step && before.reason === 'wait')).map((one) => one.process)
    const waitersFor = (isSettled: (location: number) => boolean): number[] => steps.filter(({ accesses: own }, at) => {
      const waits = own.filter(({ kind }) => kind === 'wait')
      return at > step && waits.length === 1 && isSettled(waits[0]!.location)
    }).map((one) => one.process)
    const called = waitersFor((location) => settled.some((access) => access.location === location && !isOfCall(access)))
    return called.length > 0 ? called : waitersFor((location) => settled.some((access) => access.location === location))
  }
}

/** Without what one step takes out and puts in, or the other way round: there are as many as who looked has found. */
function withoutEven({ value }: Access, changed: readonly Access[]): Access[] {
  if (value.type !== 'number') return [...changed]
  return [...grouped(changed, ({ step, process }) => `${step} ${process}`).values()].filter((own) => !isEven(own)).flat()
}

function isEven(own: readonly Access[]): boolean {
  const countOf = (kind: Access['kind']): number => own.filter((access) => access.kind === kind).length
  return countOf('remove') > 0 && countOf('remove') === countOf('insert')
}

/** Something by which who waits can be found, and not how many do. */
export const mayBeCalled = ({ kind, value }: Access): boolean => kind === 'append' || kind === 'insert' || value.type === 'object' || value.type === 'function'

/** What is there already is put there again. */
const withoutPutsOfTheSame = (all: readonly Access[]): Access[] =>
  all.filter((access, i) => !(replaces(access) && access.value.identity !== undefined && access.value.identity === all.slice(0, i).findLast(({ look }) => look !== 'presence')?.value.identity))

/** A flag was set, an owner entered where somebody has looked whether there is none, or a number of what is free went down to nothing. */
function isTaken({ value, index }: Access, all: readonly Access[]): boolean {
  if (value.type === 'boolean') return !isAbsent(value)
  const before = all.findLast((access) => access.index < index)
  if (value.type === 'number') return before !== undefined && before.value.type === 'number' && before.value.text !== value.text
  // A list that nobody is in yet is there as well.
  return !(value.type === 'object' ? isNothing(value) : isAbsent(value)) && before?.kind === 'read' && isAbsent(before.value)
}

/** More of them nobody reads. */
const mostCounted = 6

/** Whoever took has given back as much. */
function isAsAtFirst({ value }: Access, all: readonly Access[]): boolean {
  const [first] = all
  return first !== undefined && (first.found ?? first.value).text === value.text
}

/** Those that tell it. */
export function accessesOfCause({ looked, changed, counted, uncalled, givenUp, isHandedOver, takenInVain: inVain }: WaitCause): Access[] {
  return [...(inVain ? [inVain.dead] : []), ...(isHandedOver ? [givenUp!.late] : []), ...(uncalled?.looked ? [uncalled.looked] : []), looked, ...(counted?.changes ?? [changed])]
}
