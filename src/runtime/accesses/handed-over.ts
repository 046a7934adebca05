import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy, targetOf } from '../execution/proxies.ts'
import { lookedAtInStep, type LookedAt } from './looked-at.ts'
import { isNobodysData } from './nobodys-data.ts'
import { isObject } from './telling.ts'

/**
 * What code that is not instrumented gets into its hands: everything that can be reached counts as looked at, and what it has
 * changed is found by comparing; of huge buffers, all that is in them. Code that gives a location the value that it had anyway changes nothing.
 */
export class HandedOver {
  readonly #looked: LookedAt
  readonly #objects: ReadonlySet<object>

  constructor(execution: Execution, { kept, args }: Roots, site: SiteId) {
    const looked = (this.#looked = lookedAtInStep(execution))
    const { accesses } = execution
    const compares = accesses.comparesValues
    accesses.comparesValues = false
    try {
      const found = new Set<object>()
      nameKept(execution, reach(looked, found, kept))
      for (const object of reach(looked, found, args)) looked.look(object, site)
      this.#objects = found
      // Each is compared when the call begins, and when it is over.
      execution.countWork(found.size * 2)
    } finally {
      accesses.comparesValues = compares
    }
  }

  /** Tells what has changed since it was told last. */
  tellChanges(site: SiteId): void {
    for (const object of this.#objects) this.#looked.tellChanges(object, site)
  }

  /** The same once more when the step ends: what such code goes on doing in it, after its first await. */
  tellsLate(site: SiteId): void {
    for (const object of this.#objects) this.#looked.tellsLate(object, site)
  }
}

/** Where what such code gets into its hands begins. */
interface Roots {
  /** What is its own, and what it was handed before: calls of it are ordered. */
  readonly kept: Iterable<unknown>
  /** What others may look at meanwhile. */
  readonly args: Iterable<unknown>
}

/** What such code keeps to itself has the name of the call that met it first. */
function nameKept({ identities }: Execution, found: Iterable<object>): void {
  for (const object of found) if (identities.known(object) === undefined) identities.cameIn(object, { mayBeOlder: true })
}

/** Objects that one call is handed, at most. */
const mostObjects = 2_000

/** Adds what can be reached. */
function reach(looked: LookedAt, found: Set<object>, roots: Iterable<unknown>): Set<object> {
  const waiting = [...roots]
  while (waiting.length > 0 && found.size < mostObjects) {
    const next = waiting.pop()
    const object = isObject(next) && isProxy(next) ? (targetOf(next) ?? next) : next
    if (!isObject(object) || found.has(object) || isNobodysData(object)) continue
    found.add(object)
    if (!isProxy(object)) waiting.push(...looked.valuesOf(object))
  }
  return found
}
