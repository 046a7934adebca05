import { changes, isOfCallLists, isOfControl, isSamePlace, replaces, type Access } from './accesses.ts'
import { Descent } from './descent.ts'
import type { Finding } from './finding.ts'
import type { InputRecording, InputValue } from './input.ts'
import type { ExecutionOrder } from '../engine/index.ts'
import { grouped } from './grouped.ts'
import { returnsOfCalls } from './stale-called.ts'
import { returnsOfClosures } from './stale-closure.ts'
import { actsElsewhereAwaited, returnsOfAwaited } from './stale-awaited.ts'
import { actsElsewhereLater, returnsOfCallbacks, returnsOfLaterOnes } from './stale-later.ts'
import { actsElsewhereOutside, returnsOfBatches, returnsOutside } from './stale-outside.ts'
import { returnsOfWoken } from './stale-woken.ts'
import { isAbsent, isFunction, isPromise, isSame, looksSame, mayDeriveFrom } from './values.ts'

type StaleAct = Extract<Finding, { pattern: 'lost-update' | 'check-then-act' }>

/** Reads that others made stale before the reader came back to the location. */
export function staleFindings(shared: ReadonlyMap<number, readonly Access[]>, recording: InputRecording): Finding[] {
  const { order } = recording
  const locations = new Map([...shared].filter(([, accesses]) => !isOfControl(accesses[0]!)))
  const descent = new Descent(recording)
  const starts = startsOf(inTheirOrder(locations))
  const returnsIn = (accesses: readonly Access[]): Return[] => [
    ...returns(accesses), ...restores(accesses), ...returnsOfCallees(accesses, { descent, starts }), ...returnsOfLaterOnes(accesses, descent), ...returnsOfCallbacks(accesses, descent), ...returnsOutside(accesses, descent), ...returnsOfBatches(accesses, { order, descent }),
    ...returnsOfWoken(accesses, { order, descent }), ...returnsOfAwaited(accesses, { order, descent }), ...returnsOfClosures(accesses), ...returnsOfCalls(accesses, recording.calls ?? []),
  ]
  const findings = [...locations.values()].flatMap((accesses) => classified(returnsIn(accesses), accesses, order))
  // What mocks write down is no act of who calls them.
  const deeds = new Map([...locations].filter(([, [access]]) => !isOfCallLists(access!)))
  const elsewhere = [...actsElsewhere(deeds, order), ...actsElsewhereOutside(deeds, descent), ...actsElsewhereLater(deeds, descent), ...actsElsewhereAwaited(deeds, { order, descent })]
  return [...findings, ...elsewhere].flatMap(withoutIdleRemovals).filter((finding) => !isToldToNobody(finding))
}

/** Who tells of an event those who listen, and finds nobody, does nothing by that later: it has come too early. */
const isToldToNobody = (finding: Finding): boolean => 'looked' in finding && finding.looked.key.kind === 'listeners' && isAbsent(finding.looked.value)

/** Where there was nothing, nothing has been taken away. */
function withoutIdleRemovals(finding: Finding): Finding[] {
  if (!('changed' in finding) || finding.looked.key.kind !== 'order' || !isAbsent(finding.looked.value)) return [finding]
  const { changed } = finding
  const start = changed.findIndex(({ kind }) => kind !== 'remove')
  if (start === 0) return [finding]
  const [first, ...more] = start < 0 ? [] : changed.slice(start)
  return first ? [{ ...finding, changed: [first, ...more] }] : []
}

function classified(found: readonly Return[], accesses: readonly Access[], order: ExecutionOrder): Finding[] {
  return found.flatMap(({ looked, back, changed, isApart = false }) => {
    const isBack = asksForPresence(looked) ? isPresent(changed.at(-1)!) === (looked.value.text === 'true') : !isUnknown(changed.at(-1)!) && isSame(changed.at(-1)!.value, looked.value)
    const isFixed = !isApart && !changed.some((change) => isConcurrent(order, looked, change, back))
    const finding = classify({ looked, changed: isBack ? changed : sinceStale(looked, changed), back, accesses })
    return finding ? [{ ...withRival(withCommitted(withUndone(finding, accesses), accesses), accesses), ...(isFixed && { isFixed }), ...(isBack && { isBack }) }] : []
  })
}

/** What has become of a file is not always shown: a folder that is made has no content. */
const isUnknown = ({ key, value }: Access): boolean => key.kind === 'resource' && value.type === 'undefined'

/** Without the first changes, if they leave what was found there as it was. */
function sinceStale(looked: Access, changed: Return['changed']): Return['changed'] {
  const start = changed.findIndex((change) => !replaces(change) || asksForPresence(looked) || !looksSame(change.value, looked.value))
  const [first = changed[0], ...more] = changed.slice(Math.max(start, 0))
  return [first, ...more]
}

export interface Return {
  readonly looked: Access
  readonly changed: readonly [Access, ...Access[]]
  /** The first access of the same process after that, in a later step. */
  readonly back: Access
  /** Whoever changed it does not come from whoever looked, nor the other way round: what orders them is how the platform takes turns, if anything. */
  readonly isApart?: boolean
}

function returns(accesses: readonly Access[]): Return[] {
  const found: Return[] = []
  for (const [process, positions] of grouped(accesses.keys(), (position) => accesses[position]!.process)) {
    for (let i = 1; i < positions.length; i++) {
      const [looked, back] = [accesses[positions[i - 1]!]!, accesses[positions[i]!]!]
      if (looked.kind !== 'read') continue
      const between = accesses.slice(positions[i - 1]! + 1, positions[i])
      const [first, ...more] = between.filter((access) => changes(access) && access.process !== process)
      if (first) found.push({ looked, back, changed: [first, ...more] })
    }
  }
  return found
}

/** Somebody puts back what was there before it wrote itself, over what others have written since. Who looks again before that puts back the same object, and not one that looks like it; or a number that differs from what it finds by something else than what it has counted on or back. */
function restores(accesses: readonly Access[]): Return[] {
  const found: Return[] = []
  for (const positions of grouped(accesses.keys(), (position) => accesses[position]!.process).values()) {
    const own = positions.map((position) => accesses[position]!)
    for (const [i, back] of own.entries()) {
      if (!replaces(back) || back.kind === 'increase') continue
      const written = lastBefore(own, i, ({ step, kind }) => step !== back.step || kind !== 'read')
      const last = own[written]
      if (!last || last.step === back.step || !replaces(last)) continue
      const looked = written < i - 1 ? lookPutBack(own, { written, i }) : own[lastBefore(own, written, ({ kind }) => kind === 'read')]
      if (!looked || (written === i - 1 && !looksSame(looked.value, back.value))) continue
      const [first, ...more] = accesses.slice(positions[written]! + 1, positions[i]).filter((access) => changes(access) && access.process !== back.process)
      if (first) found.push({ looked, back, changed: [first, ...more], isApart: true })
    }
  }
  return found
}

/** Of the last step before a write in which what is put back was found: where it was found first. */
function lookPutBack(own: readonly Access[], { written, i }: { readonly written: number; readonly i: number }): Access | undefined {
  const [last, found, back] = [own[written]!, own[i - 1]!, own[i]!]
  const isPutBack = ({ kind, value }: Access): boolean => kind === 'read' && (value.type === 'object' ? isSame(value, back.value) : value.text === back.value.text && isNotCounted(value, { last, found, back }))
  let position = lastBefore(own, written, isPutBack)
  const step = own[position]?.step
  let looked: Access | undefined
  for (; position >= 0 && own[position]!.step === step; position--) if (isPutBack(own[position]!)) looked = own[position]
  return looked
}

/** The position of the last of those before that one; -1 if there is none. */
function lastBefore(own: readonly Access[], end: number, is: (access: Access) => boolean): number {
  let position = end - 1
  while (position >= 0 && !is(own[position]!)) position--
  return position
}

function isNotCounted({ type, text }: InputValue, { last, found, back }: { readonly last: Access; readonly found: Access; readonly back: Access }): boolean {
  if (type !== 'number' || back.key.kind === 'order' || last.value.type !== type || found.value.type !== type) return false
  const [before, written, now, end] = [text, last.value.text, found.value.text, back.value.text].map(Number)
  return now !== written && Math.abs(now! - end!) !== Math.abs(written! - before!)
}

/** A check in a function, and its act in the async function that it starts, are one line of control. */
function returnsOfCallees(accesses: readonly Access[], { descent, starts }: { readonly descent: Descent; readonly starts: ReadonlyMap<number, number> }): Return[] {
  const found: Return[] = []
  for (const [process, own] of grouped(accesses, (access) => access.process)) {
    const birth = descent.birthOf(process)
    const back = own[0]!
    if (!birth || !back.isOfCall || !replaces(back) || back.step === birth.step) continue
    const looked = accesses.findLast(({ step, index }) => step === birth.step && index < (starts.get(process) ?? Infinity))
    if (looked?.kind !== 'read' || looked.place?.file !== back.place?.file) continue
    const [first, ...more] = accesses.filter((access) => changes(access) && access.process !== process && access.index > looked.index && access.index < back.index)
    if (first && !isBeforeBoth(looked, { back, change: first }, descent)) found.push({ looked, back, changed: [first, ...more] })
  }
  return found
}

/** Whoever looked has begun both in that step, after the look: it is the check of neither. */
function isBeforeBoth(looked: Access, { back, change }: { readonly back: Access; readonly change: Access }, descent: Descent): boolean {
  const [mine, theirs] = descent.branches(back.process, change.process) ?? []
  return mine?.parent === looked.process && theirs?.index !== undefined && looked.index < theirs.index
}

/** By process: its first access, in the step of its caller or one of its own. */
function startsOf(accesses: readonly Access[]): Map<number, number> {
  const starts = new Map<number, number>()
  for (const { process, index } of accesses) if (!starts.has(process)) starts.set(process, index)
  return starts
}

/** Nothing but chance brought the change between the two. */
export function isConcurrent(order: ExecutionOrder, looked: Access, change: Access, back: Access): boolean {
  return !order.isEnforced(looked.step, change.step) || !order.isEnforced(change.step, back.step)
}

/** `'total' in cart` finds whether it is there, and not what. */
const asksForPresence = ({ look, place }: Access): boolean => look === 'presence' || / in /.test(place?.text ?? '')

/** Something is there since, as far as its value tells. */
const isPresent = ({ value }: Access): boolean => value.type !== 'undefined'

function classify({ looked, changed, back, accesses }: Return & { accesses: readonly Access[] }): StaleAct | undefined {
  if (back.kind !== 'read') {
    // What is added to a number is added to what is there.
    if (back.kind === 'increase') return givesBack(back, accesses) ? undefined : { pattern: 'check-then-act', how: 'update', looked, changed, act: back }
    return replaces(back) && mayDeriveFrom(back.value, looked.value) && !isOneOfFew(back, changed)
      ? { pattern: 'lost-update', looked, changed, act: back }
      : { pattern: 'check-then-act', how: 'write', looked, changed, act: back }
  }
  const write = accesses.find(
    (access) => access.step === back.step && access.process === back.process && access.index > back.index && changes(access),
  )
  if (write && !(replaces(write) && looksSame(write.value, back.value))) return { pattern: 'check-then-act', how: 'update', looked, changed, again: back, act: write }
  if (looksSame(back.value, looked.value)) return undefined
  const later = write ?? accesses.find(({ process, index, kind }) => process === back.process && index > back.index && kind !== 'read')
  return { pattern: 'check-then-act', how: 'use', looked, changed, act: back, ...(later && { rewritten: later }) }
}

/** Both write the same text: a state, of which there are a few, and nothing that was put to what had been there. */
const isOneOfFew = ({ value }: Access, changed: Return['changed']): boolean => value.type === 'string' && changed.some((change) => change.value.type === 'string' && change.value.text === value.text)

function withCommitted(finding: StaleAct, accesses: readonly Access[]): StaleAct {
  const { changed: [change] } = finding
  const committed = change.transaction === undefined ? undefined : accesses.findLast((access) => access.transaction === change.transaction && changes(access))
  return committed === undefined || committed.step === change.step ? finding : { ...finding, committed }
}

/** With the access that takes back what was changed: a count that is decreased again, a flag that is as it was. */
function withUndone(finding: StaleAct, accesses: readonly Access[]): StaleAct {
  const { looked, changed: [change], act } = finding
  const undone = accesses.find((access) => access.process === change.process && access.index > act.index && changes(access))
  if (!undone || undone.step === act.step) return finding
  const isBack = change.kind === 'increase' ? undone.kind === 'increase' && amountOf(change) + amountOf(undone) === 0 : replaces(undone) && looksSame(undone.value, looked.value)
  return isBack ? { ...finding, undone } : finding
}

/** With the look of whoever has changed it, if that was at the same place: both have looked before one of them acted. */
function withRival(finding: Finding, accesses: readonly Access[]): Finding {
  if (!('changed' in finding)) return finding
  const { looked, changed: [change] } = finding
  const rival = accesses.findLast(({ index, process, kind }) => index < change.index && process === change.process && kind === 'read')
  return rival && isSamePlace(rival, looked) ? { ...finding, rival } : finding
}

const inTheirOrder = (locations: ReadonlyMap<number, readonly Access[]>): Access[] => [...locations.values()].flat().toSorted((a, b) => a.index - b.index)

/** It takes from a number what the same process has added, or the other way round. */
function givesBack(back: Access, accesses: readonly Access[]): boolean {
  const own = accesses.findLast(({ index, kind, process }) => index < back.index && kind === 'increase' && process === back.process)
  return own !== undefined && amountOf(own) + amountOf(back) === 0
}

const amountOf = ({ found, value }: Access): number => Number(value.text) - Number(found?.text)

/** The stale answer led to a write of another location that the one who made it stale uses too. */
function* actsElsewhere(locations: ReadonlyMap<number, readonly Access[]>, order: ExecutionOrder): Generator<Finding> {
  const acts = nextActs(inTheirOrder(locations))
  for (const accesses of locations.values()) {
    for (const [position, looked] of accesses.entries()) {
      if (isFunction(looked.value) || isOwnPromise(looked, accesses[position - 1])) continue
      for (const act of acts.get(looked) ?? []) {
        if (act.location === looked.location) break
        const [change, ...more] = changesUntil(act, accesses, position)
        // What it does first with the answer may be nobody else's affair.
        if (!change || !locations.get(act.location)!.some(({ process }) => process === change.process)) continue
        if (isSame((more.at(-1) ?? change).value, looked.value)) continue
        const isFixed = !isConcurrent(order, looked, change, act)
        yield { pattern: 'check-then-act', how: 'elsewhere', looked, changed: [change, ...more], act, ...(isFixed && { isFixed }) }
        if (!isFixed) break
      }
    }
  }
}

/** It waits for what it has just put there itself: that is no check. */
const isOwnPromise = (looked: Access, before: Access | undefined): boolean =>
  isPromise(looked.value) && before !== undefined && changes(before) && before.step === looked.step && before.process === looked.process

/** For every read the first writes that its process makes in later steps. */
function nextActs(accesses: readonly Access[]): Map<Access, readonly Access[]> {
  const acts = new Map<Access, readonly Access[]>()
  for (const own of grouped(accesses, ({ process }) => process).values()) {
    let later: readonly Access[] = []
    let inStep: readonly Access[] = []
    for (let i = own.length - 1; i >= 0; i--) {
      if (own[i]!.step !== own[i + 1]?.step) [later, inStep] = [[...inStep, ...later].slice(0, mostActs), []]
      if (changes(own[i]!)) inStep = [own[i]!, ...inStep].slice(0, mostActs)
      else acts.set(own[i]!, later)
    }
  }
  return acts
}

/** What comes after so many writes has little to do with the look. */
const mostActs = 4

/** What others changed there since; nothing if the process looked again before it acted. */
function changesUntil(act: Access, accesses: readonly Access[], position: number): Access[] {
  const changed: Access[] = []
  for (let i = position + 1; i < accesses.length && accesses[i]!.index < act.index; i++) {
    if (accesses[i]!.process === act.process) return []
    if (changes(accesses[i]!)) changed.push(accesses[i]!)
  }
  return changed
}
