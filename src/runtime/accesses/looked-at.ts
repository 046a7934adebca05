import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isStack } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import type { Loop } from '../execution/loops.ts'
import { isInternal } from '../execution/internal-state.ts'
import { OPAQUE, STATE } from '../execution/keys.ts'
import { ownKeysOf } from '../execution/named-keys.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { isOfRunningExecution, madeNow } from '../execution/permanent-names.ts'
import { inheritsFromProxy, isProxy, targetOf } from '../execution/proxies.ts'
import { nodesPartsOf } from '../execution/saved-listeners.ts'
import { isBytes, isHuge, saveBytes } from './bytes.ts'
import { tellDifferences } from './differences.ts'
import { isWeakCollection } from './entries.ts'
import { isFed } from './digests.ts'
import { seeFirst } from './first-seen.ts'
import { isOpaqueFunction } from './function-kinds.ts'
import { lookAtAllInherited, lookAtOwn } from './inheritance.ts'
import { isClass, isNobodysData } from './nobodys-data.ts'
import { opaqueGroups } from './opaque-telling.ts'
import { changeState } from './operations.ts'
import { isStill, snapshotOf, valuesIn, type Snapshot } from './snapshot.ts'
import { changed, isObject, recordRead, seen } from './telling.ts'
import { isIterator } from './walks.ts'
import { readWhole } from './whole.ts'

/** Whether Node has made the object since the execution began, or keeps in it the state of an emitter that was made since then: it goes on with that until it is closed. */
function isNodesOwn(object: object): boolean {
  if (!isOfRunningExecution(object)) return false
  for (const part of nodesPartsOf(object)) madeNow(part)
  return !isProxy(object) && !isOpaqueFunction(object.constructor)
}

interface Round {
  readonly loop: Loop
  readonly number: number
}

/** An object in the hands of such code. */
interface Looked {
  /** What was told of it last. */
  told: Snapshot
  /** What it leads to. */
  values: readonly unknown[]
  /** What others may have done to it was looked at, */
  isLookedAt: boolean
  /** if in a loop, last in this round of that. */
  roundOfLook: Round | undefined
  /** Changes of it are looked for once more when the step ends, and told as made here. */
  lateSite: SiteId | undefined
  /** In this execution nobody has come across it before the step. */
  readonly isFirst: boolean
  isSettled: boolean
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
  /** What is settled, by name. */
  readonly #settled = new Map<ObjectId, object[]>()
  readonly #rests = new Map<readonly object[], { count: number; readonly objects: Set<object> }>()
  /** What settled objects lead to, and what was settled. */
  readonly beneath = new Set<object>()
  #isLate = false

  constructor(execution: Execution) {
    this.#execution = execution
    this.#step = execution.stepCount
    this.#part = execution.accesses.part
  }

  get isOver(): boolean {
    return this.#step !== this.#execution.stepCount || this.#part !== this.#execution.accesses.part
  }

  knows(object: object): boolean {
    return this.#known.has(object)
  }

  /** Only such code can have changed the object since it was compared last: nobody needs to be told of that before the step ends, or a round of a loop. */
  isSettled(object: object): boolean {
    return this.#known.get(object)?.isSettled === true
  }

  /** Of what it keeps all that is not settled. What was so before is beneath. */
  restOf(kept: readonly object[]): Iterable<object> {
    let rest = this.#rests.get(kept)
    if (!rest) this.#rests.set(kept, (rest = { count: 0, objects: new Set() }))
    for (; rest.count < kept.length; rest.count++) rest.objects.add(objectOf(kept[rest.count])!)
    for (const object of rest.objects) if (this.isSettled(object)) rest.objects.delete(object)
    return rest.objects
  }

  /** To be called once they are told late. What such code keeps would be compared with each call, and there may be much of it: it is left until the step ends, or others change it. */
  settle(objects: ReadonlySet<object>): void {
    const { accesses, identities } = this.#execution
    accesses.onChange = (name) => this.#unsettle(name)
    const settled: Looked[] = []
    for (const object of objects) {
      const known = this.#known.get(object)
      // Of what is done around the body nobody tells, so that others change something shows nowhere.
      if (!known || (!accesses.isExploring && !known.isFirst)) continue
      known.isSettled = true
      this.beneath.delete(object)
      settled.push(known)
      const name = identities.of(object)
      const alike = this.#settled.get(name)
      if (alike) alike.push(object)
      else this.#settled.set(name, [object])
    }
    for (const { values } of settled) for (const value of values) if (isObject(value) && !this.isSettled(value) && !isNobodysData(value)) this.beneath.add(value)
  }

  /** Others than such code may have changed what has this name. */
  #unsettle(name: ObjectId): void {
    const objects = this.#settled.get(name)
    if (!objects) return
    this.#settled.delete(name)
    for (const object of objects) {
      this.#known.get(object)!.isSettled = false
      this.beneath.add(object)
    }
  }

  /** What an object that is no Proxy leads to, as it is now. */
  valuesOf(object: object): readonly unknown[] {
    const known = this.#known.get(object)
    if (known && isStill(object, known.told)) return known.values
    if (known?.lateSite !== undefined) this.tellChanges(object, known.lateSite)
    const told = snapshotOf(object)
    const values = innerValues(object, told)
    if (known) Object.assign(known, { told, values, isLookedAt: false })
    else this.#known.set(object, { told, values, isLookedAt: false, roundOfLook: undefined, lateSite: undefined, isFirst: this.#isFirst(object), isSettled: false })
    return values
  }

  #isFirst(object: object): boolean {
    const { identities } = this.#execution
    const name = identities.known(object)
    return name === undefined || identities.isOfRunningStep(name)
  }

  /** All of the object is looked at, which is as `valuesOf` found it. */
  look(object: object, site: SiteId): void {
    const execution = this.#execution
    if (isProxy(object)) return seen(execution, object, OPAQUE, site, undefined)
    const known = this.#known.get(object)!
    if (known.isLookedAt && this.#isKnownToLoop(known)) return
    this.#tell(() => {
      known.isLookedAt = this.#lookAt(object, site)
      const { loop } = execution.accesses
      known.roundOfLook = loop && { loop, number: loop.round }
      if (!isNodesOwn(object) && execution.identities.age(object) !== 'of this execution') seeFirst(execution, object, { now: known.told, running: opaqueGroups(execution).running })
      this.#lookAtMethods(object, site)
    })
  }

  /** A loop has to know all that each round of it asks. */
  #isKnownToLoop({ roundOfLook }: Looked): boolean {
    const { loop } = this.#execution.accesses
    return loop === undefined || (roundOfLook?.loop === loop && roundOfLook.number === loop.round)
  }

  #tell(tell: () => void): void {
    const { recorder } = this.#execution
    if (recorder) recorder.tellsOfOpaque(tell)
    else tell()
  }

  /** Returns whether everything it has can be compared. */
  #lookAt(object: object, site: SiteId): boolean {
    const execution = this.#execution
    const isWeak = isWeakCollection(object)
    if (isWeak) changed(execution, object, STATE, site, undefined)
    const hasState = !inheritsFromProxy(object) && (isIterator(object) || isFed(object))
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
    const { accesses } = this.#execution
    const { onChange } = accesses
    accesses.onChange = undefined
    this.#tell(() => tellDifferences(this.#execution, object, { before, now }, site))
    accesses.onChange = onChange
  }

  /** Such code may go on with the object in this step, without being called. */
  tellsLate(object: object, site: SiteId): void {
    const known = this.#known.get(object)
    if (!known) return
    known.lateSite = site
    if (this.#isLate) return
    this.#isLate = true
    const { accesses } = this.#execution
    accesses.beforeRoundEnds = () => this.#tellAll()
    this.#execution.atStepEnd(() => {
      this.#tellAll()
      accesses.onChange = undefined
      accesses.beforeRoundEnds = undefined
    })
  }

  #tellAll(): void {
    for (const [object, { lateSite }] of this.#known) if (lateSite !== undefined) this.tellChanges(object, lateSite)
  }
}

/** What a value is that such code gets: a Proxy stands for its target, where that is known. */
export function objectOf(value: unknown): object | undefined {
  if (!isObject(value)) return undefined
  return isProxy(value) ? (targetOf(value) ?? value) : value
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
  for (const key of ownKeysOf(object)) {
    if (isStack(object, key) || isInternal(key)) continue
    const own = Reflect.getOwnPropertyDescriptor(object, key)
    if (own && !own.enumerable) recordRead(execution, object, key, site, own.value)
  }
}

function innerValues(object: object, told: Snapshot): unknown[] {
  if (typeof object === 'function') return [...told.properties.values()].flatMap((own) => (own.enumerable ? [own.value as unknown] : []))
  return valuesIn(told)
}
