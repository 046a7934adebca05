/** What stands for async functions in instrumented code are functions of other kinds: they get what shows the kind. */

type Fn = (...args: any[]) => unknown

const asyncPrototype: object = Reflect.getPrototypeOf(async () => {})!
const generatorPrototype: object = Reflect.getPrototypeOf(async function* () {})!
const ofGenerators = (generatorPrototype as { prototype: object }).prototype

/** The methods of an object literal that are async: `['m']`, and of async generators `['g', true]`. */
export type AsyncMethods = readonly (readonly [key: string, isGenerator?: true])[]

export function asynchronous<F extends Fn>(fn: F, isGenerator?: true): F {
  Reflect.setPrototypeOf(fn, isGenerator ? generatorPrototype : asyncPrototype)
  if (isGenerator) Reflect.defineProperty(fn, 'prototype', { value: Object.create(ofGenerators) as object, writable: true })
  else if (Object.hasOwn(fn, 'prototype')) fn.prototype = undefined
  return fn
}

export function withAsyncMethods(object: object, methods: AsyncMethods): void {
  for (let i = 0; i < methods.length; i++) {
    const { 0: key, 1: isGenerator } = methods[i]!
    asynchronous(Reflect.getOwnPropertyDescriptor(object, key)!.value as Fn, isGenerator)
  }
}

/** Async functions are no constructors, though what stands for one may be. */
export function isAsynchronous(fn: object): boolean {
  const prototype = Reflect.getPrototypeOf(fn)
  return prototype === asyncPrototype || prototype === generatorPrototype
}
