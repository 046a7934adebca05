import { Array, ArrayBuffer, Math, Number, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isInstance, isProxy } from '../execution/proxies.ts'
import { isBytes, readBytes } from './bytes.ts'
import { readElements } from './elements.ts'
import type { Fn, Handler } from './handler.ts'
import { tellConversion } from './implicit-calls.ts'
import { lookFor } from './inheritance.ts'
import { readInside } from './inside.ts'
import { isObject } from './telling.ts'
import { readWhole } from './whole.ts'

/** A body may put another in its place for a while. */
const { Error } = globalThis

/**
 * A value is about to become text, a number or a key. Tells what the platform looks at for that; methods that the user wrote
 * (`valueOf`, `toString`) run and tell of themselves.
 */
export function coerced(execution: Execution, value: unknown, site: SiteId): void {
  if (!isObject(value)) return
  if (isProxy(value)) readWhole(execution, value, site)
  else look(execution, value, site, [])
}

function look(execution: Execution, value: object, site: SiteId, outer: readonly object[]): void {
  // What the platform's own methods look at is told below.
  if (execution.identities.assumptions.fixed.hasLost) for (const name of [...methods, 'join']) if (!execution.identities.assumptions.fixed.has(name)) lookFor(execution, value, name, site)
  tellConversion(execution, value, site)
  // The text of a function is what it is, as long as those are.
  if (typeof value === 'function') return
  if (Array.isArray(value)) {
    readElements(execution, value, site)
    for (let i = 0; i < value.length; i++) {
      const inner: unknown = Reflect.getOwnPropertyDescriptor(value, i)?.value
      // An array within itself becomes the empty text.
      if (isProxy(inner)) readWhole(execution, inner, site)
      else if (isObject(inner) && !outer.includes(inner)) look(execution, inner, site, [...outer, value])
    }
  } else if (isBytes(value)) {
    if (ArrayBuffer.isView(value)) readBytes(execution, value, site)
  } else {
    readInside(execution, value, site)
    for (const name of [...methods, ...partsOf(value)]) lookFor(execution, value, name, site)
  }
}

const methods: readonly PropertyKey[] = [Symbol.toPrimitive, 'valueOf', 'toString', Symbol.toStringTag]

/** The properties that the text of a built-in is made of. */
function partsOf(value: object): readonly PropertyKey[] {
  if (isInstance(value, Error.prototype)) return ['name', 'message']
  return isInstance(value, RegExp.prototype) ? ['source', 'flags'] : []
}

/** `Object.prototype.toString`. */
const described: Handler = (execution, receiver, args, site) => {
  if (typeof receiver === 'object' && receiver !== null && !isProxy(receiver)) lookFor(execution, receiver, Symbol.toStringTag, site)
  return Reflect.apply(Object.prototype.toString as Fn, receiver, args)
}

/** `Error.prototype.toString`. */
const describedError: Handler = (execution, receiver, args, site) => {
  if (typeof receiver === 'object' && receiver !== null && !isProxy(receiver)) for (const name of ['name', 'message']) lookFor(execution, receiver, name, site)
  return Reflect.apply(Error.prototype.toString as Fn, receiver, args)
}

/** `String.raw`, which may be called with any list. */
const raw: Handler = (execution, receiver, args, site) => {
  const [template, ...values] = args
  if (typeof template === 'object' && template !== null) {
    readWhole(execution, template, site)
    readWhole(execution, (template as { readonly raw?: unknown }).raw, site)
  }
  for (const value of values) coerced(execution, value, site)
  return Reflect.apply(String.raw as Fn, receiver, args)
}

/** `Symbol(description)` */
const symbol: Handler = (execution, receiver, args, site) => {
  coerced(execution, args[0], site)
  const made = Reflect.apply(Symbol as Fn, receiver, args) as symbol
  execution.identities.madeSymbol(made)
  return made
}

/** Functions that make text or numbers of what they are given. */
const functions: readonly Fn[] = [
  String, globalThis.Number, BigInt, parseInt, parseFloat, isNaN, isFinite, Number.parseInt, Number.parseFloat,
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
  return [...makers, [Object.prototype.toString, described], [Error.prototype.toString as Fn, describedError], [String.raw as Fn, raw], [Symbol as Fn, symbol]]
}
