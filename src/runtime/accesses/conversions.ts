import { ArrayBuffer, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { running } from '../execution/running.ts'
import { coerced } from './coercions.ts'
import { convertedArguments } from './converted-arguments.ts'
import type { Fn } from './handler.ts'
import { findProperty } from './lookup.ts'
import { isObject, whenKeyIsMade } from './telling.ts'

/** Calls the code of the user that makes texts, numbers or keys of what functions of the platform are given. */

/** Tells what becomes a text, a number or a key when this function is called with these arguments, and returns those to call it with. */
export function withConversions(execution: Execution, fn: Fn, args: unknown[], site: SiteId): unknown[] {
  const positions = convertedArguments(fn)
  if (positions === undefined || !args.some(isConverted)) return args
  const { from, to, become, isOfObject } = positions
  // Without an object the platform has an error, before it looks at the key.
  if (isOfObject && !isObject(args[0])) return args
  return args.map((arg, i) => {
    if (i < from || i >= to || !isConverted(arg)) return arg
    coerced(execution, arg, site)
    return become ? become(arg, i) : arg
  })
}

/** The elements and the length of what a typed array is made from become numbers. */
export function tellElements(execution: Execution, list: unknown, site: SiteId): void {
  if (!isConverted(list) || isProxy(list) || ArrayBuffer.isView(list)) return
  for (const key of Reflect.ownKeys(list)) {
    const element: unknown = Reflect.getOwnPropertyDescriptor(list, key)!.value
    if (isConverted(element)) coerced(execution, element, site)
  }
}

/** The length of what is used as a list becomes a number. */
export function tellLength(execution: Execution, list: object, site: SiteId): void {
  coerced(execution, findProperty(list, 'length')?.own.value, site)
}

/** What a pattern does the platform asks of its class. */
function isConverted(value: unknown): value is object {
  return typeof value === 'object' && value !== null && (isProxy(value) || !(value instanceof RegExp))
}

// Whoever is asked for a property by an object asks that one for its text.
whenKeyIsMade((key) => {
  if (running !== null) coerced(running, key, running.here)
})
