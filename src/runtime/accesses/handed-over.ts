import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { lookedAtInStep, objectOf, type LookedAt } from './looked-at.ts'
import { isNobodysData } from './nobodys-data.ts'
import { opaqueGroups } from './opaque-telling.ts'

/**
 * What code that is not instrumented gets into its hands: everything that can be reached counts as looked at, and what it has
 * changed is found by comparing; of huge buffers, all that is in them. Code that gives a location the value that it had anyway changes nothing.
 */
export class HandedOver {
  readonly #looked: LookedAt
  readonly objects: ReadonlySet<object>

  constructor(execution: Execution, { own, kept, args }: Roots, site: SiteId) {
    const looked = (this.#looked = lookedAtInStep(execution))
    const { accesses } = execution
    const compares = accesses.comparesValues
    accesses.comparesValues = false
    try {
      const reach = new Reach(looked)
      reach.addKept(own, kept)
      nameKept(execution, reach.found)
      reach.add(args)
      if (reach.isCut) opaqueGroups(execution).keepsMore = true
      for (const object of reach.found) looked.look(object, site)
      this.objects = reach.found
      // Each is compared when the call begins, and when it is over.
      execution.cut.countWork(this.objects.size * 2)
    } finally {
      accesses.comparesValues = compares
    }
  }

  /** Tells what has changed since it was told last. */
  tellChanges(site: SiteId): void {
    for (const object of this.objects) this.#looked.tellChanges(object, site)
  }

  /** The same once more when the step ends: what such code goes on doing in it, after its first await. */
  tellsLate(site: SiteId): void {
    for (const object of this.objects) this.#looked.tellsLate(object, site)
    this.#looked.settle(this.objects)
  }
}

/** Where what such code gets into its hands begins. */
interface Roots {
  /** What is called: calls of it are ordered. */
  readonly own: Iterable<unknown>
  /** The same of what it was handed before. */
  readonly kept: Iterable<readonly object[]>
  /** What others may look at meanwhile. */
  readonly args: Iterable<unknown>
}

/** What such code keeps to itself has the name of the call that met it first. */
function nameKept({ identities }: Execution, found: Iterable<object>): void {
  for (const object of found) if (identities.known(object) === undefined) identities.cameIn(object, { mayBeOlder: true })
}

/** Objects that one call is handed, at most. */
const mostObjects = 2_000

/** What can be reached. */
class Reach {
  readonly #looked: LookedAt
  readonly found = new Set<object>()
  readonly #waiting: unknown[] = []
  /** There was more. */
  isCut = false

  constructor(looked: LookedAt) {
    this.#looked = looked
  }

  /** Adds these, and what they lead to. */
  add(roots: Iterable<unknown>): void {
    for (const root of roots) this.#waiting.push(root)
    while (this.#waiting.length > 0) this.#addOne(objectOf(this.#waiting.pop()))
  }

  /** The same of what was handed over before: what is settled is left out. */
  addKept(own: Iterable<unknown>, kept: Iterable<readonly object[]>): void {
    for (const root of own) this.#addOne(objectOf(root))
    for (const list of new Set(kept)) for (const root of this.#looked.restOf(list)) this.#waiting.push(root)
    for (const root of this.#looked.beneath) this.#waiting.push(root)
    while (this.#waiting.length > 0) {
      const object = objectOf(this.#waiting.pop())
      if (object && !this.#looked.isSettled(object)) this.#addOne(object)
    }
  }

  #addOne(object: object | undefined): void {
    if (object === undefined || this.found.has(object) || (!this.#looked.knows(object) && isNobodysData(object))) return
    if (this.found.size >= mostObjects) {
      this.isCut = true
      return
    }
    this.found.add(object)
    if (isProxy(object)) return
    for (const value of this.#looked.valuesOf(object)) this.#waiting.push(value)
  }
}
