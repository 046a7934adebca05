import { KeptWeakMap, Object, Reflect } from '../../engine/intrinsics.ts'
import { borrowsText } from './borrowed-texts.ts'

/** What stands for async functions in instrumented code are functions of other kinds: they get what shows the kind. */

type Fn = (...args: any[]) => unknown

const asyncPrototype: object = Reflect.getPrototypeOf(async () => {})!
const generatorPrototype: object = Reflect.getPrototypeOf(async function* () {})!
const textOf = Function.prototype.call.bind(Function.prototype.toString) as (fn: unknown) => string
const charAt = Function.prototype.call.bind(String.prototype.charAt) as (text: string, index: number) => string
const ofGenerators = (generatorPrototype as { prototype: object }).prototype

/**
 * The async methods of an object literal or class: `['m']`, and of async generators `['g', true]`. Where the key is known only later,
 * or another member may have taken the place, there is instead how the text of the method ends, without what others put into it who print the code anew, and that of no other function.
 */
export type AsyncMethods = readonly (readonly [key: PropertyKey | undefined, isGenerator?: boolean, text?: string])[]

export function asynchronous<F extends Fn>(fn: F, isGenerator?: boolean): F {
  if (isGenerator) return asyncGenerator(fn)
  Reflect.setPrototypeOf(fn, asyncPrototype)
  if (Object.hasOwn(fn, 'prototype')) fn.prototype = undefined
  return fn
}

/** What it gives inherits from the prototype that the function has when it is called. */
function asyncGenerator<F extends Fn>(fn: F): F {
  const { generator } = {
    // A method, which is no constructor. With the text by which functions are known whose code tells what it does.
    generator(this: unknown, ...args: unknown[]): unknown {
      '__dpor'
      const made = Reflect.apply(fn, this, args) as object
      const { prototype } = generator as Fn
      Reflect.setPrototypeOf(made, typeof prototype === 'function' || (typeof prototype === 'object' && prototype !== null) ? (prototype as object) : ofGenerators)
      return made
    },
  }
  borrowsText(generator, fn)
  Reflect.setPrototypeOf(generator, generatorPrototype)
  Reflect.defineProperty(generator, 'name', Reflect.getOwnPropertyDescriptor(fn, 'name')!)
  Reflect.defineProperty(generator, 'length', Reflect.getOwnPropertyDescriptor(fn, 'length')!)
  Reflect.defineProperty(generator, 'prototype', { value: Object.create(ofGenerators) as object, writable: true })
  return generator as F
}

export function withAsyncMethods(object: object, methods: AsyncMethods): void {
  for (let i = 0; i < methods.length; i++) {
    const { 0: key, 1: isGenerator, 2: text } = methods[i]!
    if (key !== undefined) makeAsynchronous(object, key, isGenerator)
    else makeFound(object, text!, isGenerator)
  }
}

function makeAsynchronous(object: object, key: PropertyKey, isGenerator: boolean | undefined): void {
  const fn = Reflect.getOwnPropertyDescriptor(object, key)!.value as Fn
  const value = asynchronous(fn, isGenerator)
  if (value !== fn) Reflect.defineProperty(object, key, { value })
}

function makeFound(object: object, text: string, isGenerator: boolean | undefined): void {
  const keys = Reflect.ownKeys(object)
  for (let i = 0; i < keys.length; i++) {
    const fn = Reflect.getOwnPropertyDescriptor(object, keys[i]!)!.value as unknown
    if (typeof fn === 'function' && !isAsynchronous(fn) && !isClass(fn) && ends(textOf(fn), text)) makeAsynchronous(object, keys[i]!, isGenerator)
  }
}

/** The text of a class may end with its last method. */
const isClass = (fn: object): boolean => Reflect.getOwnPropertyDescriptor(fn, 'prototype')?.writable === false

function ends(text: string, end: string): boolean {
  let i = text.length - 1
  for (let j = end.length - 1; j >= 0; i--) {
    const character = charAt(text, i)
    if (character === charAt(end, j)) j--
    else if (character === '' || !(character === ' ' || character === '\n' || character === '\r' || character === '\t' || character === ';' || character === '}')) return false
  }
  return true
}

const made = new KeptWeakMap<object, Fn>()

/** The same for a function that is met again and again: its first time. */
export function asynchronousOnce<F extends Fn>(fn: F, isGenerator?: boolean): F {
  let result = made.get(fn)
  if (!result) made.set(fn, (result = asynchronous(fn, isGenerator)))
  return result as F
}

/** Async functions are no constructors, though what stands for one may be. */
export function isAsynchronous(fn: object): boolean {
  const prototype = Reflect.getPrototypeOf(fn)
  return prototype === asyncPrototype || prototype === generatorPrototype
}

/** Whether it stands for a function of async generators. */
export function isGenerating(fn: object): boolean {
  return Reflect.getPrototypeOf(fn) === generatorPrototype
}
