/** What one property was, or that there was none. */
interface Property {
  readonly place: object
  readonly name: PropertyKey
  readonly descriptor: PropertyDescriptor | undefined
}

/**
 * Keeps what the platform gives, before any code of the program has run. What is returned does something while all of that is there as it was; what the program has put
 * in its place by then, fake timers above all, comes back afterwards.
 */
export function keepPlatform(): <Result>(action: () => Promise<Result>) => Promise<Result> {
  const kept = places().map((place) => ({ place, properties: Reflect.ownKeys(place).map((name) => propertyOf(place, name)) }))
  const atFirst = performanceItself()
  return async (action) => {
    const replaced = kept.flatMap(({ place, properties }) => [...properties, ...hiding(place, properties)].filter(isReplaced)).concat(atFirst)
    const programs = replaced.map(({ place, name }) => propertyOf(place, name))
    for (const property of replaced) putBack(property)
    try {
      return await action()
    } finally {
      for (const property of programs) putBack(property)
    }
  }
}

/** The global object, its built-in classes, and what else fakes are put into. */
function places(): readonly object[] {
  const { process, performance } = globalThis as { process?: NodeJS.Process; performance?: object }
  // An environment of tests has hundreds of classes of its own, which can be enumerated.
  const builtIns = Reflect.ownKeys(globalThis).flatMap((name) => {
    const { value, enumerable } = Reflect.getOwnPropertyDescriptor(globalThis, name)!
    return enumerable || !isObject(value) ? [] : [value, Reflect.getOwnPropertyDescriptor(value, 'prototype')?.value as unknown]
  })
  const modules = ['node:timers', 'node:timers/promises'].map((name): unknown => process?.getBuiltinModule?.(name))
  return [...new Set([globalThis, ...builtIns, process, performance, performance && Reflect.getPrototypeOf(performance), ...modules].filter(isObject))]
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

function propertyOf(place: object, name: PropertyKey): Property {
  return { place, name, descriptor: Reflect.getOwnPropertyDescriptor(place, name) }
}

/** Node gives it by an accessor, which does not show that another one was set. */
function performanceItself(): Property {
  return { place: globalThis, name: 'performance', descriptor: { value: globalThis.performance, writable: true, enumerable: true, configurable: true } }
}

/** What has come to stand in front of something inherited. */
function hiding(place: object, properties: readonly Property[]): readonly Property[] {
  const inherited = Reflect.getPrototypeOf(place)
  const names = new Set(properties.map(({ name }) => name))
  return Reflect.ownKeys(place).flatMap((name) => (!names.has(name) && inherited && name in inherited ? [{ place, name, descriptor: undefined }] : []))
}

function isReplaced({ place, name, descriptor }: Property): boolean {
  const now = Reflect.getOwnPropertyDescriptor(place, name)
  return !Object.is(now?.value, descriptor?.value) || now?.get !== descriptor?.get || now?.set !== descriptor?.set
}

function putBack({ place, name, descriptor }: Property): void {
  if (descriptor) Reflect.defineProperty(place, name, descriptor)
  else Reflect.deleteProperty(place, name)
}
