import { KeptMap, KeptWeakMap, KeptWeakSet } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'

/**
 * Numbers of objects that instrumented code made outside any step: they keep one identity for ever. In the lower
 * part of the number stands the place where they were made, which costs nothing there.
 */
const permanent = new KeptWeakMap<object, number>()
let permanentCount = 0
const places = 2 ** 24

/** Modules that each execution loads anew make their objects anew: by the place, the numbers of those that one execution has made there. */
const ofLoads = new KeptMap<SiteId, number[]>()
/** How many the running execution has made, by the place; undefined where none runs. */
let loads: Map<SiteId, number> | undefined

let olderScopes = 0
/** Scopes that have begun since the running execution has, in none of its steps. */
let scopesMeanwhile = 0

/** What was made since the running execution has begun. */
let madeMeanwhile: WeakSet<object> | undefined

/** Names an object that outlives executions, made at `site`. */
export function namePermanently(object: object, site: SiteId): void {
  if (isPermanent(object)) return
  madeMeanwhile?.add(object)
  const isKnown = site > 0 && site < places
  permanent.set(object, loads && isKnown ? numberOfLoad(loads, site) : newNumber(isKnown ? site : 0))
}

const newNumber = (site: SiteId): number => ++permanentCount * places + site

function numberOfLoad(made: Map<SiteId, number>, site: SiteId): number {
  const count = made.get(site) ?? 0
  made.set(site, count + 1)
  let numbers = ofLoads.get(site)
  if (!numbers) ofLoads.set(site, (numbers = []))
  return (numbers[count] ??= newNumber(site))
}

/** A name for a scope that began outside any step, and keeps it for ever. */
export const nameOfOlderScope = (): string => `scope ${++olderScopes}`

/** The same of one that begins now: between the steps of an execution it has that of the one which began there in the execution before. */
export const nameOfScope = (): string => (loads ? `scope ${++scopesMeanwhile} between steps` : nameOfOlderScope())

export const isPermanent = (object: object): boolean => permanent.has(object)

/** An object is made now, by code that is not instrumented. */
export function madeNow(object: object): void {
  madeMeanwhile?.add(object)
}

/** Whether it was made since the running execution began, by what ran between its steps or by code that is not instrumented. */
export const isOfRunningExecution = (object: object): boolean => madeMeanwhile?.has(object) === true

/** Whether it was made before the running execution began, where that is known of it. */
export const isKnownOlder = (object: object): boolean => isPermanent(object) && !isOfRunningExecution(object)

/** The number of an object that outlives executions; undefined of others. */
export const permanentName = (object: object): number | undefined => permanent.get(object)

/** Where an object was made that outlives executions; 0 where that is not known. */
export function madePermanently(object: object): SiteId {
  return (permanent.get(object) ?? 0) % places
}

/** An execution begins: what it loads has the names of what the one before has loaded. */
export function beginNaming(): void {
  loads = new KeptMap()
  madeMeanwhile = new KeptWeakSet()
  scopesMeanwhile = 0
}

export function endNaming(): void {
  loads = undefined
  madeMeanwhile = undefined
}
