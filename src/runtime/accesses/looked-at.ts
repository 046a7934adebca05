import { ArrayBuffer, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isStack } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { isInternal } from '../execution/internal-state.ts'
import { OPAQUE, STATE } from '../execution/keys.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { isBytes, isHuge, saveBytes } from './bytes.ts'
import { tellDifferences } from './differences.ts'
import { isFed } from './digests.ts'
import { seeFirst } from './first-seen.ts'
import { lookAtAllInherited, lookAtOwn } from './inheritance.ts'
import { isClass } from './nobodys-data.ts'
import { opaqueGroups } from './opaque-telling.ts'
import { changeState } from './operations.ts'
import { isStill, snapshotOf, valuesIn, type Snapshot } from './snapshot.ts'
import { changed, isObject, recordRead, seen } from './telling.ts'
import { isIterator } from './walks.ts'
import { readWhole } from './whole.ts'

/** An object in the hands of such code. */
interface Looked {
  /** What was told of it last. */
  told: Snapshot
  /** What it leads to. */
  values: readonly unknown[]
  /** What others may have done to it was looked at. */
  isLookedAt: boolean
  /** Changes of it are looked for once more when the step ends, and told as made here. */
  lateSite: SiteId | undefined
}

/**
 * What code that is not instrumented has got into its hands in one step. It gets the same again and again, the state of a library with each call:
 * within one step nobody else comes between, so all of an object is told once, and again where it is no longer what it was.
 */
export class LookedAt {
  readonly #execution: Execution
  readonly #step: number
  readonly #part: string
  readonly #known = new Map<object, Looked>()
  /** What those objects inherit from, of which all was told. */
  readonly #holders = new Set<object>()
  #isLate = false

  constructor(execution: Execution) {
    this.#execution = execution
    this.#step = execution.stepCount
    this.#part = execution.accesses.part
  }

  get isOver(): boolean {
    return this.#step !== this.#execution.stepCount || this.#part !== this.#execution.accesses.part
  }

  /** What an object that is no Proxy leads to, as it is now. */
  valuesOf(object: object): readonly unknown[] {
    const known = this.#known.get(object)
    if (known && isStill(object, known.told)) return known.values
    if (known?.lateSite !== undefined) this.tellChanges(object, known.lateSite)
    const told = snapshotOf(object)
    const values = innerValues(object, told)
    if (known) Object.assign(known, { told, values, isLookedAt: false })
    else this.#known.set(object, { told, values, isLookedAt: false, lateSite: undefined })
    return values
  }

  /** All of the object is looked at, which is as `valuesOf` found it. */
  look(object: object, site: SiteId): void {
    const execution = this.#execution
    if (isProxy(object)) return seen(execution, object, OPAQUE, site, undefined)
    const known = this.#known.get(object)!
    // A loop has to know all that each round of it asks.
    if (known.isLookedAt && execution.accesses.loop === undefined) return
    known.isLookedAt = this.#lookAt(object, site)
    if (execution.identities.age(object) !== 'of this execution') seeFirst(execution, object, { now: known.told, running: opaqueGroups(execution).running })
    this.#lookAtMethods(object, site)
  }

  /** Returns whether everything it has can be compared. */
  #lookAt(object: object, site: SiteId): boolean {
    const execution = this.#execution
    const isWeak = object instanceof WeakMap || object instanceof WeakSet
    if (isWeak) changed(execution, object, STATE, site, undefined)
    const hasState = isIterator(object) || isFed(object)
    if (hasState) changeState(execution, object, site)
    else readWhole(execution, object, site)
    lookAtHidden(execution, object, site)
    if (!isBytes(object)) return !isWeak && !hasState
    if (isHuge(object)) saveBytes(execution, object)
    return false
  }

  /** What may be called of an object, or of what a class makes. Those who inherit from one object see the same of it. */
  #lookAtMethods(object: object, site: SiteId): void {
    const execution = this.#execution
    lookAtAllInherited(execution, object, site, this.#holders)
    if (!isClass(object)) return
    lookAtOwn(execution, object, site)
    const prototype: unknown = Reflect.getOwnPropertyDescriptor(object, 'prototype')!.value
    if (!isObject(prototype) || isProxy(prototype) || this.#holders.has(prototype)) return
    this.#holders.add(prototype)
    lookAtOwn(execution, prototype, site)
    lookAtAllInherited(execution, prototype, site, this.#holders)
  }

  /** Tells what has changed since it was told last. */
  tellChanges(object: object, site: SiteId): void {
    const known = this.#known.get(object)
    if (!known || isStill(object, known.told)) return
    const before = known.told
    const now = snapshotOf(object)
    known.told = now
    known.values = innerValues(object, now)
    tellDifferences(this.#execution, object, { before, now }, site)
  }

  /** Such code may go on with the object in this step, without being called. */
  tellsLate(object: object, site: SiteId): void {
    const known = this.#known.get(object)
    if (!known) return
    known.lateSite = site
    if (this.#isLate) return
    this.#isLate = true
    this.#execution.atStepEnd(() => {
      for (const [one, { lateSite }] of this.#known) if (lateSite !== undefined) this.tellChanges(one, lateSite)
    })
  }
}

const lookedAt = new PerExecution((execution) => ({ now: new LookedAt(execution) }))

/** The same of the running step. */
export function lookedAtInStep(execution: Execution): LookedAt {
  const ofExecution = lookedAt.of(execution)
  if (ofExecution.now.isOver) ofExecution.now = new LookedAt(execution)
  return ofExecution.now
}

/** What no enumeration shows of an object. */
function lookAtHidden(execution: Execution, object: object, site: SiteId): void {
  if (ArrayBuffer.isView(object)) return
  for (const key of Reflect.ownKeys(object)) {
    if (isStack(object, key) || isInternal(key)) continue
    const own = Reflect.getOwnPropertyDescriptor(object, key)
    if (own && !own.enumerable) recordRead(execution, object, key, site, own.value)
  }
}

function innerValues(object: object, told: Snapshot): unknown[] {
  if (typeof object === 'function') return [...told.properties.values()].flatMap((own) => (own.enumerable ? [own.value as unknown] : []))
  return isBytes(object) ? [] : valuesIn(told)
}
