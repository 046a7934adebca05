import { Array, ArrayBuffer, Object, Reflect, textOfFunction } from '../../engine/intrinsics.ts'
import { bufferOf } from './brands.ts'
import type { LocationId, ProcessId } from '../../engine/ids.ts'
import { Assumptions } from './assumptions.ts'
import type { BornKeys } from './born-keys.ts'
import { Causes } from './causes.ts'
import { contentsOf, isOfPlatform } from './contents.ts'
import { isOfEnvironment } from './environment.ts'
import { forgetSymbols, nameSymbol, type Key } from './keys.ts'
import { ObjectNames } from './name-tags.ts'
import { beginNaming, endNaming, isKnownOlder, isOfRunningExecution, isPermanent, permanentName } from './permanent-names.ts'
import { markPool, mayBePooled } from './pools.ts'
import { Ports, type Listening } from './ports.ts'
import { inheritsFromProxy, isProxy, targetOf } from './proxies.ts'

/** Identity of an object, equal in every execution that shares the steps which led to it (DESIGN: identity). */
export type ObjectId = number & { readonly __object?: never }

const isPooled = (object: object): boolean => ArrayBuffer.isView(object) && mayBePooled(object)

/** `unknown`: made by code that is not instrumented, perhaps long ago. */
export type Age = 'of this execution' | 'older' | 'unknown'

/** Names that are kept with the objects themselves, as those of promises are. */
const namesElsewhere: ((object: object) => ObjectId | undefined)[] = []

export function namedOtherwise(nameOf: (object: object) => ObjectId | undefined): void {
  namesElsewhere.push(nameOf)
}

/** Executions so far, of all explorations. */
let executions = 0

interface Construction {
  readonly prototype: unknown
  readonly name: ObjectId | undefined
  id: ObjectId | undefined
}

/**
 * The names of objects and locations in one exploration. An object made by instrumented code is
 * named by the process and step that made it and a counter; one that it did not make is merged with
 * all of its class, because a false conflict costs an execution and a missed one hides a bug.
 */
export class Identities {
  /** Number of the execution. No two have the same. */
  execution = 0
  /** The objects of the last execution by name, where somebody has to describe them. */
  readonly objects: Map<ObjectId, object> | undefined
  #names = new ObjectNames(0)
  /** The object that was asked for last, and its name. */
  #lastObject: object | undefined
  #lastName: ObjectId = 0
  readonly #made = new Map<number, ObjectId[]>()
  readonly #named = new Map<string | number, ObjectId>()
  /** By object, of those that have locations. */
  readonly #locations: (Map<Key, LocationId> | undefined)[] = []
  readonly #elements: (LocationId[] | undefined)[] = []
  readonly #outlives: boolean[] = []
  readonly #nobodys: boolean[] = []
  /** Of what a step made: the list of its step. */
  readonly #makers: (ObjectId[] | undefined)[] = []
  #locationCount = 0
  #lastOwner: ObjectId = -1
  #lastKey: Key | undefined
  #lastLocation = 0 as LocationId
  #row: ObjectId[] = []
  #counter = 0
  /** Of what code that is not instrumented makes in the step: how much that is may change from run to run. */
  #foreignRow: ObjectId[] | undefined
  #foreignCounter = 0
  #olderRow: ObjectId[] | undefined
  #olderCounter = 0
  #turnRow: ObjectId[] | undefined
  #turnCounter = 0
  #takenCounter = 0
  #arrayRow: ObjectId[] | undefined
  #arrayCounter = 0
  #isForeign = false
  #stepKey = 0
  #constructions: Construction[] = []
  /** Where something listens. */
  #ports: Ports | undefined

  /** Gets the names of what the running step makes, where somebody has to know that. */
  births: Set<unknown> | undefined

  /** Of what comes from outside, by the steps that take it. */
  readonly causes = new Causes()
  readonly assumptions: Assumptions
  readonly bornKeys: BornKeys

  constructor({ keepsObjects = false, assumptions = new Assumptions({ isTrusting: false }) }: { readonly keepsObjects?: boolean; readonly assumptions?: Assumptions } = {}) {
    this.objects = keepsObjects ? new Map() : undefined
    this.assumptions = assumptions
    this.bornKeys = assumptions.bornKeys
  }

  beginExecution(): void {
    this.execution = ++executions
    beginNaming()
    markPool()
    this.#names = new ObjectNames(this.execution)
    this.#lastObject = undefined
    this.objects?.clear()
    forgetSymbols()
    this.births = undefined
    this.assumptions.beginExecution()
    this.#constructions = []
    this.#ports = undefined
  }

  /** The last step has run. */
  endExecution(): void {
    endNaming()
  }

  /** @param process -1 for code that runs alone, before and after the explored part */
  beginStep(process: ProcessId | -1, step: number): void {
    const key = (process + 1) * 2 ** 24 + step
    let row = this.#made.get(key)
    if (!row) this.#made.set(key, (row = []))
    this.#row = row
    this.#counter = 0
    this.#stepKey = key
    this.causes.beginStep(key)
    this.#foreignRow = undefined
    this.#foreignCounter = 0
    this.#olderRow = undefined
    this.#olderCounter = 0
    this.#turnRow = undefined
    this.#turnCounter = 0
    this.#takenCounter = 0
    this.#arrayRow = undefined
    this.#arrayCounter = 0
    if (this.#constructions.length > 0) this.#constructions.length = 0
  }

  /** A name for something made just now by the running step. */
  fresh(): ObjectId {
    if (this.#isForeign) return this.freshForeign()
    return this.#nextOf(this.#row, this.#counter++)
  }

  /** The same for what code that is not instrumented has made. */
  freshForeign(): ObjectId {
    return this.#nextOf((this.#foreignRow ??= this.#rowApart(-1 - this.#stepKey)), this.#foreignCounter++)
  }

  /** A name for a turn: whether turns have names changes in the course of an exploration, and with it no name of what the step makes. */
  freshTurn(): ObjectId {
    return this.#nextOf((this.#turnRow ??= this.#rowApart(this.#stepKey + 0.25)), this.#turnCounter++)
  }

  /** A name for the turn of the running step itself, however much it makes. */
  turnOfStep(): ObjectId {
    return this.#nextOf(this.#rowApart(this.#stepKey + 0.125), 0)
  }

  /**
   * A name for an array made just now: what a step makes first may be an array in one execution and another object in the next, and the engine takes
   * the order of what an array holds for something else than the order of keys.
   */
  #freshArray(): ObjectId {
    if (this.#isForeign) return this.freshForeign()
    return this.#nextOf((this.#arrayRow ??= this.#rowApart(this.#stepKey + 0.75)), this.#arrayCounter++)
  }

  /** A name for something older that the running step meets as the first: whether it does must not change the names of what it makes. */
  #older(): ObjectId {
    const row = (this.#olderRow ??= this.#rowApart(this.#stepKey + 0.5))
    return (row[this.#olderCounter++] ??= this.#newOfStep(true))
  }

  /** A name for something older that somebody takes, and that nobody else has under this name, such as a connection of a pool: what they write there is put back. */
  freshTaken(): ObjectId {
    const row = this.#rowApart(this.#stepKey + 0.375)
    return (row[this.#takenCounter++] ??= this.#newOfStep(true))
  }

  #nextOf(row: ObjectId[], index: number): ObjectId {
    const id = (row[index] ??= this.#newOfStep(false))
    if (this.births !== undefined) this.births.add(id)
    return id
  }

  #newOfStep(outlives: boolean): ObjectId {
    const id = this.#newObject(outlives)
    this.#makers[id] = this.#row
    return id
  }

  #rowApart(key: number): ObjectId[] {
    let row = this.#made.get(key)
    if (!row) this.#made.set(key, (row = []))
    return row
  }

  /** What is made while this runs is made by code of Node's: how much that is may change from run to run. */
  inForeignCode<T>(work: () => T): T {
    const outer = this.#isForeign
    this.#isForeign = true
    try {
      return work()
    } finally {
      this.#isForeign = outer
    }
  }

  /** Did the running step make what has this name? Then nobody else has seen it. */
  isOfRunningStep(id: ObjectId): boolean {
    return this.#makers[id] === this.#row
  }

  /** The same, and it is not an older object that the step has met as the first. */
  isNew(id: ObjectId): boolean {
    return this.isOfRunningStep(id) && this.#outlives[id] !== true
  }

  /** The one name of all that code which is not instrumented may have in its hands, though nobody has seen how it got there. */
  get inOpaqueHands(): ObjectId {
    return this.named('in opaque hands')
  }

  /** Whether nobody knows who made the object, and who has it: it has the name of its class. */
  isNobodys(id: ObjectId): boolean {
    return this.#nobodys[id] === true
  }

  /** The one name of all that belongs to the test environment. */
  get environment(): ObjectId {
    return this.named('environment')
  }

  /** A name from text, or from the number of an object that is older: for what has the same name in every execution. */
  named(name: string | number): ObjectId {
    let id = this.#named.get(name)
    if (id === undefined) this.#named.set(name, (id = this.#newObject(true)))
    return id
  }

  /**
   * Names what code that is not instrumented hands over, and all of it that can be reached, unless it has names. Such code is
   * ordered against itself, so who gets it first is the same in every execution that shares the steps which led to it.
   * What the platform makes is new; what others hand over may be older than the execution.
   */
  cameIn(value: unknown, { mayBeOlder }: { mayBeOlder: boolean }): void {
    const found: unknown[] = [value]
    let named = 0
    for (let object = found.pop(); found.length > 0 || object !== undefined; object = found.pop()) {
      if ((typeof object !== 'object' && typeof object !== 'function') || object === null) continue
      if (this.#names.has(object) || isPermanent(object) || isOfPlatform(object) || targetOf(object) !== undefined) continue
      if (!isProxy(object) && isOfEnvironment(object)) continue
      if (++named > mostObjects) return
      if (constructorOf(object)) this.of(object)
      else if (mayBeOlder) this.assign(object, this.#older())
      else this.made(object)
      // A pool is nobody's: who gets a Buffer that stands in it does not get the rest.
      if (!isProxy(object) && !isPooled(object)) for (const inner of contentsOf(object)) found.push(inner)
    }
  }

  /** Names an object that the running step made, unless it has a name. */
  made(object: object): void {
    if (!this.#names.has(object)) this.assign(object, Array.isArray(object) ? this.#freshArray() : this.fresh())
  }

  /** Names a symbol that the running step made: with the same description it is another one all the same. */
  madeSymbol(symbol: symbol): void {
    nameSymbol(symbol, this.fresh())
  }

  /** Names an object after the place where it was found. */
  derive(object: object, place: LocationId | string): void {
    if (typeof object === 'function' || this.#names.has(object) || isPermanent(object)) return
    this.assign(object, this.named(`${Array.isArray(object) ? 'array in' : 'in'} ${place}`))
  }

  /** @param name what is made is to have, if that is known before */
  beginConstruction(prototype: unknown, name?: ObjectId): void {
    this.#constructions.push({ prototype, name, id: undefined })
  }

  endConstruction(): ObjectId | undefined {
    return this.#constructions.pop()?.id
  }

  assign(object: object, id: ObjectId): void {
    this.#names.set(object, id, this.#outlives[id] !== true)
    this.#lastObject = undefined
    this.objects?.set(id, object)
    // Other views may share the buffer, and whoever comes first must not decide its name.
    if (ArrayBuffer.isView(object) && !isPooled(object)) this.derive(bufferOf(object), `buffer of ${id}`)
  }

  /** The name of an object that has one. */
  known(object: object): ObjectId | undefined {
    return this.#names.get(object)
  }

  has(object: object): boolean {
    return this.#names.has(object)
  }

  /** Did instrumented code make it, in this execution or before all? */
  isOwn(object: object): boolean {
    return this.#names.has(object) || isPermanent(object)
  }

  of(object: object): ObjectId {
    // One operation asks several times.
    if (object === this.#lastObject) return this.#lastName
    let id = this.#names.get(object)
    if (id === undefined) this.assign(object, (id = this.#nameFound(object)))
    this.#lastObject = object
    this.#lastName = id
    return id
  }

  /** The one answer to how old an object is: what may be older than this execution is put back after it. */
  age(object: object): Age {
    if (this.#outlives[this.of(object)] !== true) return 'of this execution'
    return isKnownOlder(object) || this.#names.isOfEarlier(object) ? 'older' : 'unknown'
  }

  /** Whether it is known to have been made since the execution began. */
  isKnownNew(object: object): boolean {
    return this.age(object) === 'of this execution' || isOfRunningExecution(object)
  }

  location(object: ObjectId, key: Key): LocationId {
    // One operation asks several times.
    if (object === this.#lastOwner && key === this.#lastKey) return this.#lastLocation
    this.#lastOwner = object
    this.#lastKey = key
    return (this.#lastLocation = key.kind === 'element' ? this.#ofElement(object, key) : this.#ofKey(object, key))
  }

  #ofKey(object: ObjectId, key: Key): LocationId {
    const keys = (this.#locations[object] ??= new Map())
    const known = this.#ports ? this.#ports.keyOf(key) : key
    let location = keys.get(known)
    if (location === undefined) keys.set(known, (location = this.#locationCount++ as LocationId))
    return location
  }

  /** A value as it is in every execution: what is told of one that is, or was, among the keys of something, or that somebody finds. */
  inAll(value: unknown): unknown {
    return this.#ports ? this.#ports.inAll(value) : value
  }

  /** The number is another one in each execution, where this stands for it. */
  means(number: number, name: string): void {
    ;(this.#ports ??= new Ports()).means(number, name)
  }

  /** Something will listen at a port that is another one in each execution. */
  listens(server: Listening): void {
    ;(this.#ports ??= new Ports()).listens(server, this.of(server))
  }

  /** Arrays are mostly gone through from the start: as long as they are, their locations are a list. */
  #ofElement(object: ObjectId, key: Key & { readonly kind: 'element' }): LocationId {
    const list = (this.#elements[object] ??= [])
    const { index } = key
    if (index >= 0 && index < list.length) return list[index]!
    if (index !== list.length) return this.#ofKey(object, key)
    const location = this.#locations[object]?.get(key) ?? (this.#locationCount++ as LocationId)
    list.push(location)
    return location
  }

  #newObject(outlives: boolean): ObjectId {
    const id = this.#locations.length as ObjectId
    this.#locations.push(undefined)
    this.#elements.push(undefined)
    this.#outlives.push(outlives)
    return id
  }

  #nameFound(object: object): ObjectId {
    // Not by `of`: the program explored may have replaced the iterator of arrays.
    for (let i = 0; i < namesElsewhere.length; i++) {
      const nameOf = namesElsewhere[i]!
      const name = nameOf(object)
      if (name !== undefined) return name
    }
    const target = targetOf(object)
    if (target !== undefined) return this.of(target)
    const number = permanentName(object)
    if (number !== undefined) return this.named(number)
    if (typeof object === 'function') return this.named(nameByText(object))
    const constructor = constructorOf(object)
    if (constructor) return this.named(`prototype of ${this.of(constructor)}`)
    const prototype: unknown = isProxy(object) ? null : Object.getPrototypeOf(object)
    for (let i = this.#constructions.length - 1; i >= 0; i--) {
      const construction = this.#constructions[i]!
      if (construction.id === undefined && construction.prototype === prototype) {
        return (construction.id = construction.name ?? this.fresh())
      }
    }
    return this.#ofClass(prototype)
  }

  #ofClass(prototype: unknown): ObjectId {
    const id = this.named(`any ${className(prototype)}`)
    this.#nobodys[id] = true
    return id
  }

  /** The one name of all objects of its class that nothing has given a name: they are older than the execution. */
  nameOfClass(object: object): ObjectId {
    return this.#ofClass(Object.getPrototypeOf(object))
  }
}

/** Objects of one value that come in and are named, at most; what is beyond is merged with all of its class. */
const mostObjects = 10_000

/** Functions of one text have one name. */
const texts = new WeakMap<object, string>()

function nameByText(fn: object): string {
  let text = texts.get(fn)
  if (text === undefined) texts.set(fn, (text = `function ${textOfFunction(fn)}`))
  return text
}

/** The class or function whose prototype this is: that names it, whoever comes across it first. */
function constructorOf(object: object): object | undefined {
  if (isProxy(object)) return undefined
  const constructor: unknown = Reflect.getOwnPropertyDescriptor(object, 'constructor')?.value
  if (typeof constructor !== 'function' || isProxy(constructor)) return undefined
  return Reflect.getOwnPropertyDescriptor(constructor, 'prototype')?.value === object ? constructor : undefined
}

function className(prototype: unknown): string {
  if (prototype !== null && (isProxy(prototype) || inheritsFromProxy(prototype as object))) return 'Proxy'
  const constructor = (prototype as { constructor?: unknown } | null)?.constructor
  return typeof constructor === 'function' ? constructor.name : 'null'
}
