import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { takeBody } from './bodies.ts'
import { isBuffer, lookAtSize } from './bytes.ts'
import { tellElements } from './conversions.ts'
import { readDeep, readWhole } from './whole.ts'
import { typedArrayClasses } from './typed-array-classes.ts'

/** Classes of the platform that make something of all that the arguments hold. */
const copying = new Set<unknown>([
  Date, RegExp, globalThis.URL, globalThis.URLSearchParams, globalThis.Headers, globalThis.Request, globalThis.Response, globalThis.Blob,
  globalThis.TextDecoder, AggregateError,
])

/** Classes that take options: what they hold they may only hand on. */
const optioned = new Set<unknown>([...Object.values(Object.getOwnPropertyDescriptors(Intl)).map(({ value }) => value as unknown), globalThis.Event, globalThis.CustomEvent])

const typedArrays = new Set<unknown>(typedArrayClasses)

/** What such a class looks at when it makes an object. */
export function lookAtArguments(execution: Execution, constructor: unknown, args: readonly unknown[], site: SiteId): void {
  // Typed arrays copy elements, and share a buffer.
  if (constructor === DataView || (typeof constructor === 'function' && typedArrays.has(Reflect.getPrototypeOf(constructor)))) {
    if (isBuffer(args[0])) lookAtSize(execution, args[0], site)
    else {
      readWhole(execution, args[0], site)
      tellElements(execution, args[0], site)
    }
  }
  if (constructor === globalThis.Request) takeBody(execution, args[0], site)
  if (optioned.has(constructor)) for (const arg of args) readWhole(execution, arg, site)
  if (!copying.has(constructor)) return
  for (const arg of args) readDeep(execution, arg, site)
}
