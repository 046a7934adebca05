import { isPromise } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import { contentsOf, isOfPlatform } from '../execution/contents.ts'
import { isProxy } from '../execution/proxies.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Fn } from './handler.ts'
import { packageOf } from './packages.ts'
import { isObject } from './telling.ts'

/**
 * Functions that are not instrumented and may share a state that nobody sees: those of a package, those that one call has
 * returned, and all others together. A call of one changes the state of its group.
 */
export interface OpaqueGroup {
  readonly location: ObjectId
  /** The package whose state it is, as far as that is known. */
  readonly packageName: string | undefined
  /** The groups whose state it may look at: that of the function which returned it, up to the common one. */
  readonly above: readonly OpaqueGroup[]
  /** It is what one call has returned. */
  readonly isResult: boolean
  /** What its functions were handed, and may have kept. */
  readonly kept: Kept
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

/** What is known, in one execution, of functions that are not instrumented. */
export class OpaqueGroups {
  readonly #execution: Execution
  readonly #members = new WeakMap<object, OpaqueGroup>()
  readonly #packages = new Map<string, OpaqueGroup>()
  readonly #common: OpaqueGroup
  readonly #called = new Map<Fn, CalledFunction>()
  /** Of the calls that have not returned, the outermost first. */
  readonly running: OpaqueGroup[] = []

  constructor(execution: Execution) {
    this.#execution = execution
    this.#common = this.#named({ location: execution.identities.named('opaque'), packageName: undefined, above: [], isResult: false, kept: nothingKept() })
  }

  /** A reader knows packages, not groups. */
  #named(group: OpaqueGroup): OpaqueGroup {
    this.#execution.recorder?.owners.tell(group.location, () => group.packageName ?? 'code that is not instrumented')
    return group
  }

  /** The group of what is called; of a method of an instance, that of the instance if it has one. */
  of(fn: Fn, receiver: unknown): OpaqueGroup {
    return (isObject(receiver) && !isProxy(receiver) ? this.#members.get(receiver) : undefined) ?? this.#members.get(fn) ?? this.#ofPackage(fn)
  }

  /** The group of the traps of a Proxy: of whoever has returned that. */
  ofTrap(trap: Fn, proxy: object): OpaqueGroup {
    return this.#members.get(proxy) ?? this.of(trap, undefined)
  }

  #ofPackage(fn: Fn): OpaqueGroup {
    const name = packageOf(fn)
    if (name === undefined) return this.#common
    let group = this.#packages.get(name)
    if (!group) this.#packages.set(name, (group = this.#named({ location: this.#execution.identities.named(`opaque ${name}`), packageName: name, above: [this.#common], isResult: false, kept: nothingKept() })))
    return group
  }

  /** What a call has returned: the functions in it share a state with each other, and with the object that returned them. */
  returned(result: unknown, group: OpaqueGroup): void {
    if (!isObject(result) || isPromise(result)) return
    let own = group
    const found: unknown[] = [result]
    for (let count = 0; found.length > 0 && count < mostMembers; count++) {
      const value = found.pop()
      if (!isObject(value) || this.#members.has(value) || isOfPlatform(value) || packageOf(value) !== undefined) continue
      if (own === group && !group.isResult) own = this.#named({ location: this.#execution.identities.fresh(), packageName: group.packageName, above: [group, ...group.above], isResult: true, kept: nothingKept() })
      this.#members.set(value, own)
      if (!isProxy(value)) found.push(...contentsOf(value))
    }
  }

  /** A call has returned it. */
  hasMade(object: object): boolean {
    return this.#members.has(object)
  }

  keep({ kept }: OpaqueGroup, args: readonly unknown[]): void {
    for (const arg of args) {
      if (!isObject(arg) || kept.list.length >= mostKept || kept.all.has(arg)) continue
      kept.all.add(arg)
      kept.list.push(arg)
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

/** Objects that one call returns, at most. */
const mostMembers = 1_000
