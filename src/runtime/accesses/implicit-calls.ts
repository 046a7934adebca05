import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { kindOf } from './function-kinds.ts'
import type { Fn } from './handler.ts'
import { handlerOf } from './registry.ts'
import { findProperty } from './lookup.ts'
import { opaqueGroups, tellRunOf } from './opaque-telling.ts'

/** Methods that the language calls where no call is written: `${o}`, `[...o]`, `JSON.stringify(o)`, `x instanceof C`. */

/** What makes text, a number or a key of an object. */
const conversions: readonly PropertyKey[] = [Symbol.toPrimitive, 'valueOf', 'toString']

/** The language is about to call this method of the object, if it has it: one that is not instrumented is told as any other call of it. */
export function tellImplicit(execution: Execution, object: object, name: PropertyKey, site: SiteId): void {
  if (isProxy(object)) return
  const method: unknown = findProperty(object, name)?.own.value
  tellOpaque(execution, method, object, site)
}

/** The language is about to call this function, if it is one that is not instrumented. */
export function tellOpaque(execution: Execution, fn: unknown, receiver: object, site: SiteId): void {
  if (isOpaque(fn)) tellRunOf(execution, fn, { group: opaqueGroups(execution).of(fn, receiver), receiver, own: [receiver] }, site)
}

/** The iterator of an iterable goes on. Those of the platform tell of themselves. */
export function tellImplicitNext(execution: Execution, { iterable, iterator }: { readonly iterable: object; readonly iterator: object }, site: SiteId): void {
  const isMade = opaqueGroups(execution).hasMade(iterator)
  if (isMade) tellImplicit(execution, iterator, 'next', site)
  // The code of a generator goes on, and that of whoever made the iterator.
  tellImplicit(execution, iterable, Symbol.iterator, site)
}

function isOpaque(method: unknown): method is Fn {
  return typeof method === 'function' && kindOf(method as Fn) === 'opaque' && handlerOf(method as Fn) === undefined
}

/** The object is about to become text, a number or a key. */
export function tellConversion(execution: Execution, object: object, site: SiteId): void {
  for (const name of conversions) tellImplicit(execution, object, name, site)
}
