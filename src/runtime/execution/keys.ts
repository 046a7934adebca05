import { Number } from '../../engine/intrinsics.ts'
import type { ObjectId } from './identity.ts'

/**
 * What of an object an access is about: its own properties and elements, the parts of a built-in that no property shows, and
 * what the runtime keeps of it. Keys are interned: equal ones are one object.
 */
export type Key =
  /** A property, a private field among them (`#count`). */
  | NameKey
  /** An element of an array or a typed array's view of it. */
  | ElementKey
  /** The entry of a Map, Set, WeakMap or WeakSet for a primitive key, */
  | { readonly kind: 'entry'; readonly key: unknown }
  /** or for an object. */
  | { readonly kind: 'entry of object'; readonly object: ObjectId }
  /** Which keys or entries there are, how many, and in which order. */
  | { readonly kind: 'order' }
  /** A byte of a buffer, from its start. */
  | { readonly kind: 'byte'; readonly offset: number }
  /** Whether properties can be added, changed and removed. */
  | { readonly kind: 'extensibility' }
  /** A variable of a scope; `setter`: the function that is called to give it a value, where a package keeps it. */
  | { readonly kind: 'variable'; readonly name: string; readonly setter?: string }
  /** All that a built-in keeps inside: the time of a Date, the listeners of an emitter. */
  | { readonly kind: 'state' }
  /** What a function, or a package, that is not instrumented keeps to itself. */
  | { readonly kind: 'opaque' }
  /** Whether and how a promise is settled, */
  | { readonly kind: 'settled' }
  /** what waits for that, in which order, */
  | { readonly kind: 'reactions' }
  /** whether a part of a combinator has counted, */
  | { readonly kind: 'part'; readonly index: number }
  /** and whether something will see its rejection. */
  | { readonly kind: 'handled' }
  /** How many ask for the moment in which a promise is settled. */
  | { readonly kind: 'watched' }
  /** Whether a timer has fired or was cleared. */
  | { readonly kind: 'fired' }
  /** Whether a continuation has had its turn. */
  | { readonly kind: 'turn' }
  /** The virtual time. */
  | { readonly kind: 'clock' }
  /** State that only its user knows of. */
  | { readonly kind: 'resource'; readonly key: string | number | undefined }
  /** Which rows a table has, and what is in them. */
  | { readonly kind: 'rows' }
  /** What a store has under one key, for which the object stands. */
  | { readonly kind: 'stored' }

interface ElementKey {
  readonly kind: 'element'
  readonly index: number
}

/** The key of a property. */
export class NameKey {
  readonly kind = 'property'
  readonly name: PropertyKey
  /** Of all names, from 1. */
  readonly number: number
  /** There are accessors of this name whose meaning is known: most properties are none of them, and need no search for one. */
  isOfAccessors = false

  constructor(name: PropertyKey) {
    this.name = name
    this.number = ++nameCount
  }
}

let nameCount = 0

export const ORDER: Key = { kind: 'order' }
/** The order of entries of what may have several of one name, beside that of its properties. */
export const NAMES: Key = { kind: 'order' }
export const EXTENSIBILITY: Key = { kind: 'extensibility' }
export const STATE: Key = { kind: 'state' }
export const OPAQUE: Key = { kind: 'opaque' }
export const SETTLED: Key = { kind: 'settled' }
export const REACTIONS: Key = { kind: 'reactions' }
export const HANDLED: Key = { kind: 'handled' }
export const WATCHED: Key & { readonly kind: 'watched' } = { kind: 'watched' }
/** What may decide a promise later, in a step of its own. */
export const DECIDING: Key = { kind: 'watched' }
export const FIRED: Key = { kind: 'fired' }
export const TURN: Key = { kind: 'turn' }
export const CLOCK: Key = { kind: 'clock' }

/** Kinds of what the runtime has of its own. */
const ofRuntime: ReadonlySet<string> = new Set(['settled', 'handled', 'fired', 'watched', 'reactions', 'part', 'clock', 'turn'])

export const isOfRuntime = ({ kind }: Key): boolean => ofRuntime.has(kind)
export const ROWS: Key = { kind: 'rows' }
export const STORED: Key = { kind: 'stored' }

/** Makes one key for each argument. */
function interned<T, K extends Key>(make: (part: T) => K): (part: T) => K {
  const known = new Map<T, K>()
  return (part) => {
    let key = known.get(part)
    if (key === undefined) known.set(part, (key = make(part)))
    return key
  }
}

const named = interned((name: PropertyKey) => new NameKey(name))
const symbols = new Map<string, NameKey>()

/** The names of symbols that steps of this execution have made. */
const namesOfSymbols = new Map<symbol, ObjectId>()

export function nameSymbol(symbol: symbol, name: ObjectId): void {
  namesOfSymbols.set(symbol, name)
}

export function nameOfSymbol(symbol: symbol): ObjectId | undefined {
  return namesOfSymbols.get(symbol)
}

export function forgetSymbols(): void {
  if (namesOfSymbols.size > 0) namesOfSymbols.clear()
}

/** Those of different executions are different symbols: what has one name, or is older and looks the same, is one key. */
function ofSymbol(symbol: symbol): NameKey {
  const name = `${nameOfSymbol(symbol) ?? ''} ${symbol.description ?? ''}`
  let key = symbols.get(name)
  if (key === undefined) symbols.set(name, (key = new NameKey(symbol)))
  return key
}

const farElements = new Map<number, ElementKey>()
const nearElements: ElementKey[] = []

/** An element; one before the first of an array, which nobody has, is one as well. Arrays are mostly gone through from the start, so the keys are a list. */
export function element(index: number): ElementKey {
  if (index >= 0 && index < nearElements.length) return nearElements[index]!
  const key: ElementKey = farElements.get(index) ?? { kind: 'element', index }
  if (index === nearElements.length) nearElements.push(key)
  else farElements.set(index, key)
  return key
}

export const partKey = interned((index: number): Key => ({ kind: 'part', index }))
export const byte = interned((offset: number): Key => ({ kind: 'byte', offset }))
export const variable = interned((name: string): Key => ({ kind: 'variable', name }))
export const entryOfObject = interned((object: ObjectId): Key => ({ kind: 'entry of object', object }))
export const resourceKey = interned((key: string | number | undefined): Key => ({ kind: 'resource', key }))

const entries = interned((key: unknown): Key => ({ kind: 'entry', key }))

/** The entry for a primitive. */
export function entry(key: unknown): Key {
  return typeof key === 'symbol' ? entries(`@@${key.description ?? ''}`) : entries(key)
}

/** A named property; elements of arrays have keys of their own. */
export function property(name: PropertyKey): NameKey {
  // One operation asks several times.
  if (name === lastKey?.name) return lastKey
  return (lastKey = typeof name === 'symbol' ? ofSymbol(name) : named(name))
}

let lastKey: NameKey | undefined

/** The number in an array index, -1 for every other key. */
export function indexOf(key: PropertyKey): number {
  if (typeof key === 'number') return Number.isInteger(key) && key >= 0 ? key : -1
  if (typeof key === 'symbol' || key === '') return -1
  const first = key.codePointAt(0)!
  if (first < 48 || first > 57 || (first === 48 && key.length > 1)) return -1
  const index = globalThis.Number(key)
  return Number.isInteger(index) && index < 2 ** 32 - 1 && String(index) === key ? index : -1
}
