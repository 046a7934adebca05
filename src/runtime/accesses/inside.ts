import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { lookAtMessage, messagePrototypes } from './bodies.ts'
import { lookAtDate } from './dates.ts'
import { mediaTypeLooks } from './media-types.ts'
import { isMultimap, readMultimap } from './multimaps.ts'
import { lookAtState } from './operations.ts'
import { isOfStateful } from './stateful-classes.ts'
import { readURL, urlPrototype } from './urls.ts'

type Look = (execution: Execution, object: any, site: SiteId) => void

/** How all of what an object keeps inside is looked at, by the prototype of its class. */
const looks = new Map<unknown, Look>([
  [Date.prototype, lookAtDate],
  [urlPrototype, readURL],
  ...mediaTypeLooks,
  [RegExp.prototype, lookAtState],
  ...messagePrototypes.map((prototype): [unknown, Look] => [prototype, lookAtMessage]),
])

function lookOf(object: object): Look | undefined {
  for (let holder = Reflect.getPrototypeOf(object); holder && holder !== Object.prototype && !isProxy(holder); holder = Reflect.getPrototypeOf(holder)) {
    const look = looks.get(holder)
    if (look) return look
    if (isOfStateful(holder)) return lookAtState
  }
  return isMultimap(object) ? readMultimap : undefined
}

/** Whether an object of the platform keeps something inside that no property shows. */
export function hasInside(object: object): boolean {
  return lookOf(object) !== undefined
}

/** Looks at all that an object keeps inside: what an equality, a copy or a text of it shows. */
export function readInside(execution: Execution, object: object, site: SiteId): void {
  lookOf(object)?.(execution, object, site)
}
