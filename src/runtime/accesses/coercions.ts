import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { isBytes, readBytes } from './bytes.ts'
import { readElements } from './elements.ts'
import type { Fn, Handler } from './handler.ts'
import { readInside } from './inside.ts'
import { recordRead } from './telling.ts'
import { readWhole } from './whole.ts'

/**
 * A value is about to become text, a number or a key. Tells what the platform looks at for that; methods that the user wrote
 * (`valueOf`, `toString`) run and tell of themselves.
 */
export function coerced(execution: Execution, value: unknown, site: SiteId): void {
  if (typeof value !== 'object' || value === null) return
  if (isProxy(value)) readWhole(execution, value, site)
  else look(execution, value, site, [])
}

function look(execution: Execution, value: object, site: SiteId, outer: readonly object[]): void {
  if (Array.isArray(value)) {
    readElements(execution, value, site)
    for (const inner of value as unknown[]) {
      // An array within itself becomes the empty text.
      if (isProxy(inner)) readWhole(execution, inner, site)
      else if (typeof inner === 'object' && inner !== null && !outer.includes(inner)) look(execution, inner, site, [...outer, value])
    }
  } else if (isBytes(value)) {
    if (ArrayBuffer.isView(value)) readBytes(execution, value, site)
  } else {
    readInside(execution, value, site)
    const names = value instanceof Error ? [...methods, 'name', 'message'] : methods
    for (const name of names) lookAtOwn(execution, value, name, site)
  }
}

const methods: readonly PropertyKey[] = [Symbol.toPrimitive, 'valueOf', 'toString', Symbol.toStringTag]

/** That an object has no such property of its own matters as well. A getter tells what it looks at itself. */
function lookAtOwn(execution: Execution, object: object, name: PropertyKey, site: SiteId): void {
  const own = Reflect.getOwnPropertyDescriptor(object, name)
  if (!own?.get) recordRead(execution, object, name, site, own?.value)
}

/** `Object.prototype.toString`. */
const described: Handler = (execution, receiver, args, site) => {
  if (typeof receiver === 'object' && receiver !== null && !isProxy(receiver)) lookAtOwn(execution, receiver, Symbol.toStringTag, site)
  return Reflect.apply(Object.prototype.toString as Fn, receiver, args)
}

/** Functions that make text or numbers of what they are given. */
const functions: readonly Fn[] = [
  String, Number, BigInt, Symbol, parseInt, parseFloat, isNaN, isFinite, Number.parseInt, Number.parseFloat,
  encodeURI, encodeURIComponent, decodeURI, decodeURIComponent, Date.parse, Math.max, Math.min,
]

export function coercionHandlers(): [Fn, Handler][] {
  const makers = [...new Set(functions)].map((fn): [Fn, Handler] => [
    fn,
    (execution, receiver, args, site) => {
      for (const arg of args) coerced(execution, arg, site)
      return Reflect.apply(fn, receiver, args)
    },
  ])
  return [...makers, [Object.prototype.toString, described]]
}
