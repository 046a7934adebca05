import { changes, isOfControl, type Access } from './accesses.ts'
import type { ExplanationKind } from './explanation.ts'
import { listed } from './lists.ts'
import type { InputRecording, InputWaiting, Place } from './input.ts'
import { shortExpression } from './expression.ts'
import { titles } from './kinds.ts'
import { isAbsent, isFunction } from './values.ts'

/** A process that waits for ever. */
export interface Waiter {
  /** Below 0 for one without a process. */
  readonly process: number
  readonly waiting: InputWaiting
  /** Its processes, that of the innermost call last. */
  readonly line: readonly number[]
  /** Where each call of it waits, the outermost first. */
  readonly awaits: readonly (Place | undefined)[]
  /** Its last step, or that of a call inside it; after that it waits. */
  readonly lastStep: number
  /** The step in which it began to wait, where it has gone on since. */
  readonly beganIn?: number
}

/** `waiter` found what `holder` had written, and waits; so does `holder`. */
export interface WaitsFor {
  readonly waiter: Waiter
  readonly holder: Waiter
  /** What the waiter found, and who wrote that; undefined where it is known otherwise. */
  readonly found?: { readonly read: Access; readonly write: Access }
}

export function waitersOf(waiting: readonly InputWaiting[], { steps, names }: InputRecording, accesses: readonly Access[]): Waiter[] {
  const waiters: Waiter[] = []
  for (const one of waiting) {
    const known = names.indexOf(one.process)
    const process = known < 0 ? -1 - waiters.length : known
    if (process >= 0 && waiters.some((waiter) => waiter.process === process)) continue
    const line = (one.line ?? [one.process]).map((name) => names.indexOf(name)).filter((ordinal) => ordinal >= 0)
    const own = steps.findLastIndex((step) => step.process === process || line.includes(step.process))
    const called = accesses.findLast((access) => access.process === process || line.includes(access.process))?.step ?? -1
    waiters.push({ process, line, awaits: [one.place, ...(one.inner ?? [])], waiting: { ...one, place: tellingAwait(one) }, lastStep: Math.max(own, called) })
  }
  return waiters
}

/**
 * Of the awaits of a call and the calls inside it, the one that tells most: where the code that keeps
 * it waiting, such as a lock, was called from.
 */
function tellingAwait({ place, inner = [] }: InputWaiting): Place | undefined {
  const chain = [place, ...inner].filter((one) => one !== undefined)
  const innermost = chain.at(-1)
  const caller = chain.findLast(({ file }) => file !== innermost?.file)
  if (caller) return caller
  // In one file: a call says what it waits for, and a promise only who asked for it.
  return innermost && isCall(innermost) ? innermost : (chain.at(-2) ?? innermost)
}

const isCall = ({ text }: Place): boolean => /^(?:return )?(?:await|yield)\s+(?!new\b)[\w$#.[\]]+\(/.test(text)

/** Processes that wait for one another in a circle, each for the next: as far as that is certain, or else as far as the accesses show it. */
export function cycleOf(waiters: readonly Waiter[], accesses: readonly Access[]): WaitsFor[] | undefined {
  // Who only waits for others to end holds nothing that these wait for, though it has made that.
  const held = (waiter: Waiter): WaitsFor[] => (namedBy(waiter, waiters).length > 0 ? [] : heldEdges(waiter, waiters, accesses))
  return circleIn(waiters, (waiter) => namedBy(waiter, waiters)) ?? circleIn(waiters, held)
}

function circleIn(waiters: readonly Waiter[], edgesOf: (waiter: Waiter) => WaitsFor[]): WaitsFor[] | undefined {
  const edges = new Map(waiters.map((waiter) => [waiter, edgesOf(waiter)]))
  for (const start of waiters) {
    const cycle = search([], start, edges)
    if (cycle) return cycle
  }
  return undefined
}

const namedBy = (waiter: Waiter, waiters: readonly Waiter[]): WaitsFor[] =>
  waiters.filter(({ waiting }) => waiter.waiting.waitsFor?.includes(waiting.process)).map((holder) => ({ waiter, holder }))

function search(path: readonly WaitsFor[], waiter: Waiter, edges: ReadonlyMap<Waiter, readonly WaitsFor[]>): WaitsFor[] | undefined {
  for (const edge of edges.get(waiter)!) {
    if (isSameLocation(path, edge)) continue
    if (edge.holder === (path[0]?.waiter ?? waiter)) return [...path, edge]
    if (path.some((earlier) => earlier.waiter === edge.holder)) continue
    const cycle = search([...path, edge], edge.holder, edges)
    if (cycle) return cycle
  }
  return undefined
}

/** One location taken by turns is a queue, no circle; but where several can have some of it, each may hold what the others wait for. */
function isSameLocation(path: readonly WaitsFor[], { found }: WaitsFor): boolean {
  return found !== undefined && !isCount(found.write) && path.some((edge) => edge.found?.read.location === found.read.location)
}

/** All of them wait for some of one and the same, of which each has some. */
export const isOfOnePool = (cycle: readonly WaitsFor[]): boolean => cycle.length > 1 && cycle.every(({ found }) => found !== undefined && found.read.location === cycle[0]!.found?.read.location)

function heldEdges(waiter: Waiter, waiters: readonly Waiter[], accesses: readonly Access[]): WaitsFor[] {
  const edges: WaitsFor[] = []
  const reads = lastLooksOf(waiter, accesses)
  for (const read of reads.toReversed()) {
    if (isOfControl(read) || isFunction(read.value)) continue
    const before = accesses.filter((access) => access.index < read.index && access.location === read.location && changes(access))
    const last = before.at(-1)
    if (!last || isPutIn(last, accesses)) continue
    const taken = before.filter((access) => isTaken(access, { isSpent: isAbsent(read.value) }, accesses))
    if (isAbsent(read.value) && taken.length === 0) continue
    for (const write of taken.length > 0 ? taken.toReversed() : [last]) {
      const holder = waiters.find((other) => other !== waiter && isOf(write, other))
      if (holder && isHeld(write, accesses) && !edges.some((edge) => edge.holder === holder && edge.found?.read === read)) edges.push({ waiter, holder, found: { read, write } })
    }
  }
  return edges
}

/** What it, or a call inside it, has looked at before it began to wait. */
function lastLooksOf(waiter: Waiter, accesses: readonly Access[]): Access[] {
  const own = accesses.filter((access) => isOf(access, waiter))
  const last = own.at(-1)?.step
  return own.filter(({ step, kind }) => step === last && kind === 'read')
}

/** It is its own, or of a call inside it. */
export const isOf = ({ process }: Access, waiter: Waiter): boolean => process === waiter.process || waiter.line.includes(process)

const isCount = ({ value }: Access): boolean => value.type === 'number'

const countBefore = ({ index, location, found }: Access, accesses: readonly Access[]): number => Number((found ?? accesses.findLast((access) => access.index < index && access.location === location)?.value)?.text)

/** A number of what is free went down, or, where that is not nothing, one of what is taken went up. */
const isTaken = (access: Access, { isSpent }: { readonly isSpent: boolean }, accesses: readonly Access[]): boolean =>
  isCount(access) && (isSpent ? Number(access.value.text) < countBefore(access, accesses) : Number(access.value.text) > countBefore(access, accesses))

/** Who puts something in a list, such as that it waits, holds nothing by that. */
const isPutIn = (access: Access, accesses: readonly Access[]): boolean => access.kind === 'append' || access.kind === 'insert' || (access.key.kind === 'order' && isCount(access) && Number(access.value.text) > countBefore(access, accesses))

/** Whoever wrote it has not taken it back. */
function isHeld(write: Access, accesses: readonly Access[]): boolean {
  return accesses.findLast((access) => access.location === write.location && access.process === write.process && changes(access)) === write
}

export function deadlockHeadline(waiters: readonly Waiter[], cycle: readonly WaitsFor[] | undefined, kind: ExplanationKind): string {
  if (cycle?.length === 1) return selfDeadlock(waiters.at(-1)!)
  if (cycle) {
    const links = cycle.map(({ waiter, holder }) => `${waiter.waiting.process} waits for ${holder.waiting.process}`)
    return `Deadlock: ${listed(links)}.`
  }
  const title = kind === 'never-settled' ? 'Never-settled promise' : 'Deadlock'
  if (waiters.length === 0) return 'Deadlock: nothing can run any more, and the test has not ended.'
  const names = waiters.map(({ waiting }) => waiting.process)
  return `${title}: ${listed(names)} ${names.length === 1 ? 'waits' : 'wait'} for ever; nothing is left that could go on.`
}

function selfDeadlock(innermost: Waiter): string {
  const { process } = innermost.waiting
  return `${titles['self-deadlock']}: ${process} ${waitText(innermost)}, which waits for ${process} to end.`
}

/** Each await of a line of control, as one of those who wait. */
export function awaitsOf(waiter: Waiter): Waiter[] {
  const { awaits, line, waiting } = waiter
  const isEachKnown = line.length === awaits.length && waiting.line?.length === awaits.length
  return awaits.map((place, i) => (isEachKnown ? { ...waiter, process: line[i]!, waiting: { ...waiting, process: waiting.line![i]!, place } } : { ...waiter, waiting: { ...waiting, place } }))
}

/** `waits for lock.acquire()` */
export function waitText({ waiting: { place } }: Waiter): string {
  const text = place?.text ?? ''
  const awaited = shortExpression(/^(?:return )?(?:await|yield)\s+(.*)$/s.exec(text)?.[1] ?? text)
  return awaited === '' ? 'waits' : `waits for ${awaited}`
}
