import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isPromise } from '../execution/brands.ts'
import { contentsOf, isOfPlatform } from '../execution/contents.ts'
import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import { isProxy } from '../execution/proxies.ts'
import { isOpaqueFunction } from './function-kinds.ts'
import type { Fn } from './handler.ts'
import { closedMethodsOf, isClosed, keepsNothing } from './closed-functions.ts'
import { packageOf } from './packages.ts'
import { isThing } from './real-things.ts'
import { isObject } from './telling.ts'

/** Functions that are not instrumented and may share a state that nobody sees. A call of one changes it. */
export interface OpaqueGroup {
  readonly location: ObjectId
  /** The package whose state it is, as far as that is known. */
  readonly packageName: string | undefined
  /** The groups whose state its functions may change as well: they have got hold of something of theirs. */
  readonly touches: Set<OpaqueGroup>
  /** What its functions were handed or have returned, and may have kept. */
  readonly kept: Kept
  /** Of what is apart: methods and accessors that its objects inherit. */
  readonly methods: Set<unknown>
}

/** Objects in the order in which they came, each once. */
export interface Kept {
  readonly list: object[]
  readonly all: Set<object>
}

const nothingKept = (): Kept => ({ list: [], all: new Set() })

/** Objects that a group keeps, at most. */
const mostKept = 1_000

/** How often a function that is not instrumented was called in one execution. */
export interface CalledFunction {
  readonly fn: Fn
  /** Where it was called first. */
  readonly site: SiteId
  readonly packageName: string | undefined
  calls: number
  readonly processes: Set<number>
}

/** What a call was. */
interface Maker {
  /** Undefined where it is not known what it was called with. */
  readonly fn: Fn | undefined
  readonly group: OpaqueGroup
  readonly args: readonly unknown[]
}

/**
 * What is known, in one execution, of functions that are not instrumented. Any two of them may share a state, of their module or of one that both import: they are
 * one group, in which a reader knows packages. Apart from it is what a call has made of a function whose text names no such state.
 */
export class OpaqueGroups {
  readonly #execution: Execution
  /** Of what calls have returned. */
  readonly #members = new WeakMap<object, OpaqueGroup>()
  /** Of promises that calls have returned: the step, and what comes of what they are fulfilled with. */
  readonly #promised = new WeakMap<object, { readonly step: number; readonly join: (value: unknown) => void }>()
  readonly #packages = new Map<string, OpaqueGroup>()
  /** What every call changes whose object is not known to be apart. */
  readonly all: OpaqueGroup
  /** That, and those which are apart from it. */
  readonly groups: OpaqueGroup[]
  readonly #called = new Map<Fn, CalledFunction>()
  /** All that a call has in its hands is being looked at: accessors that this meets look at no more. */
  isLooking = false
  /** There is more in the hands of such code than is compared. */
  keepsMore = false
  /** Of the calls that have not returned, the outermost first. */
  readonly running: OpaqueGroup[] = []

  constructor(execution: Execution) {
    this.#execution = execution
    this.all = this.#named({ location: execution.identities.named('opaque'), packageName: undefined, touches: new Set(), kept: nothingKept(), methods: new Set() })
    this.groups = [this.all]
    execution.recorder?.owners.tell(execution.identities.inOpaqueHands, this.#nameOfAll)
  }

  /** A reader knows packages, not groups. */
  #named(group: OpaqueGroup): OpaqueGroup {
    this.#execution.recorder?.owners.tell(group.location, () => group.packageName ?? this.#nameOfAll())
    return group
  }

  /** By packages, where it is known from which its functions come, or by some of these. */
  readonly #nameOfAll = (): string => {
    const called = [...this.#called.values()]
    const packages = new Set(called.map(({ packageName }) => packageName))
    if (packages.size > 0 && packages.size < 3 && !packages.has(undefined)) return [...packages].join(' and ')
    const names = [...new Set(called.map(({ fn }) => fn.name))].filter((name) => name !== '')
    return names.length === 0 ? 'code that is not instrumented' : `code that is not instrumented (${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and others' : ''})`
  }

  /** The group of what is called; of a method of an instance, that of the instance if it has one. */
  of(fn: Fn, receiver: unknown): OpaqueGroup {
    return this.#ofCall(fn, isObject(receiver) && !isProxy(receiver) ? this.#members.get(receiver) : undefined)
  }

  /** The group of the traps of a Proxy: of whoever has returned that. */
  ofTrap(trap: Fn, proxy: object): OpaqueGroup {
    return this.#ofCall(trap, this.#members.get(proxy))
  }

  /** @param made the group of what it is called on, if it has one: a function of others has got into that */
  #ofCall(fn: Fn, made: OpaqueGroup | undefined): OpaqueGroup {
    if (made === undefined) return this.#groupOf(fn)
    if (!this.#isOwnOf(made, fn)) this.#link(made, this.#groupOf(fn))
    return made
  }

  #isOwnOf(group: OpaqueGroup, fn: Fn): boolean {
    const known = this.#members.get(fn)
    return known === group || (known === undefined && group.methods.has(fn))
  }

  #groupOf(fn: Fn): OpaqueGroup {
    return this.#members.get(fn) ?? this.#ofPackage(fn)
  }

  #ofPackage(fn: Fn): OpaqueGroup {
    const name = packageOf(fn)
    if (name === undefined) return this.all
    let group = this.#packages.get(name)
    if (!group) this.#packages.set(name, (group = this.#named({ location: this.#execution.identities.named(`opaque ${name}`), packageName: name, touches: new Set([this.all]), kept: this.all.kept, methods: new Set() })))
    return group
  }

  /** The group and all whose state its functions may change. */
  reachOf(group: OpaqueGroup): ReadonlySet<OpaqueGroup> {
    const found = new Set([group])
    for (const { touches } of found) for (const touched of touches) found.add(touched)
    return found
  }

  /** Objects that a call of this group has got hold of: it may call what they belong to. */
  getsHold(group: OpaqueGroup, objects: Iterable<object>): void {
    if (!this.#isApart(group)) return
    for (const object of objects) {
      const other = this.#members.get(object) ?? (isOpaqueFunction(object) && !this.#isOwnOf(group, object as Fn) ? this.#ofPackage(object as Fn) : undefined)
      if (other !== undefined) this.#link(group, other)
    }
  }

  #link(group: OpaqueGroup, other: OpaqueGroup): void {
    if (this.#isApart(group) && other !== group) group.touches.add(other)
  }

  /** What a call has returned: later calls may look at it and change it. */
  returned(result: unknown, maker: Maker): void {
    if (!isObject(result)) return
    // Its outcome may come between two steps, where nothing gets a name.
    const own = isPromise(result) || !this.#members.has(result) ? this.#ownerOf(maker) : maker.group
    if (isPromise(result)) this.#promised.set(result, { step: this.#execution.stepCount, join: (value) => this.#join(value, own, maker) })
    else this.#join(result, own, maker)
  }

  /** From now on what can be reached from there belongs to the group, unless it belongs to another one. */
  #join(result: unknown, group: OpaqueGroup, { fn }: Maker): void {
    if (!isObject(result)) return
    let isData = true
    const isAll = goThrough([result], (value) => {
      if (this.#members.has(value) || packageOf(value) !== undefined) return false
      this.#members.set(value, group)
      isData &&= isPlainData(value)
      return true
    })
    if (fn && this.#isApart(group)) {
      // Nobody else has it, and no function belongs to it that could get at it.
      if (isData && isAll && keepsNothing(fn)) return
      for (const method of closedMethodsOf(result, fn)) group.methods.add(method)
    }
    // What Node's own streams and the like have changes whenever something real has happened.
    if (!isThing(result)) this.keep(group, [result])
  }

  #isApart({ kept }: OpaqueGroup): boolean {
    return kept !== this.all.kept
  }

  /** The group of what this call has made. */
  #ownerOf({ fn, group, args }: Maker): OpaqueGroup {
    if (fn === undefined || this.#isApart(group) || !isClosed(fn)) return group
    const hands = reachableFrom(args)
    if (!hands) return group
    const own = this.#named({ location: this.#execution.identities.fresh(), packageName: group.packageName, touches: new Set(), kept: nothingKept(), methods: new Set() })
    this.groups.push(own)
    this.getsHold(own, hands)
    this.keep(own, [...hands])
    return own
  }

  /** A call has returned it. */
  hasMade(object: object): boolean {
    return this.#members.has(object)
  }

  /** What is to be called with the outcome of a promise for which the running step asks. Of one that an earlier call has returned nobody would have compared that until then. */
  asked(promise: object): ((value: unknown) => void) | undefined {
    const known = this.#promised.get(promise)
    return known?.step === this.#execution.stepCount ? known.join : undefined
  }

  /** What is apart may still be reached by functions of which nobody knows whose they are. */
  keep(group: OpaqueGroup, values: readonly unknown[]): void {
    for (const { kept } of this.#isApart(group) ? [group, this.all] : [this.all]) this.#keepIn(kept, values)
  }

  #keepIn(kept: Kept, values: readonly unknown[]): void {
    for (const value of values) {
      if (!isObject(value) || kept.all.has(value) || isPromise(value) || isOfPlatform(value)) continue
      if (kept.list.length >= mostKept) {
        this.keepsMore = true
        return
      }
      kept.all.add(value)
      kept.list.push(value)
    }
  }

  /** Names come later: making one may call functions that tell in a step what they do. */
  note(fn: Fn, { packageName }: OpaqueGroup, site: SiteId): void {
    let called = this.#called.get(fn)
    if (!called) this.#called.set(fn, (called = { fn, site, packageName, calls: 0, processes: new Set() }))
    called.calls++
    called.processes.add(this.#execution.process.id)
  }

  get called(): Iterable<CalledFunction> {
    return this.#called.values()
  }
}

/** What the values lead to; undefined where that is too much. */
function reachableFrom(values: readonly unknown[]): ReadonlySet<object> | undefined {
  const found = new Set<object>()
  return goThrough(values, (value) => !found.has(value) && found.add(value) === found) ? found : undefined
}

/** Goes through the values, and what those lead to that it is to enter. Returns whether that was all. */
function goThrough(values: readonly unknown[], enters: (value: object) => boolean): boolean {
  const waiting = [...values]
  for (let count = 0; waiting.length > 0 && count < mostMembers; count++) {
    const value = waiting.pop()
    if (isObject(value) && !isOfPlatform(value) && enters(value) && !isProxy(value)) for (const inner of contentsOf(value)) waiting.push(inner)
  }
  return waiting.length === 0
}

function isPlainData(value: object): boolean {
  if (typeof value === 'function' || isProxy(value) || isPromise(value)) return false
  const prototype = Reflect.getPrototypeOf(value)
  return prototype === null || isOfPlatform(prototype)
}

/** Values that are looked at for what one call returns, or is handed. */
const mostMembers = 1_000
