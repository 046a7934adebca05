import { apart, changeAndLook, type Case } from './case.ts'

/** Looks at an object that another task changes by a plain statement. */
const looks: readonly { readonly look: string; readonly make?: string; readonly change: string }[] = [
  { look: 'Object.keys(o)', change: 'o.k = 1' },
  { look: 'Object.keys(o)', make: 'const o = { k: 1 }', change: 'delete o.k' },
  { look: 'Object.values(o)', change: 'o.k = 1' },
  { look: 'Object.values(o)', make: 'const o = { k: 0 }', change: 'o.k = 1' },
  { look: 'Object.entries(o)', change: 'o.k = 1' },
  { look: 'Object.getOwnPropertyNames(o)', change: 'o.k = 1' },
  { look: 'Object.getOwnPropertySymbols(o).length', change: 'o[Symbol.iterator] = 1' },
  { look: `Object.getOwnPropertyDescriptor(o, 'k') ?? null`, change: 'o.k = 1' },
  { look: `Object.getOwnPropertyDescriptor(o, 'k').writable`, make: 'const o = { k: 1 }', change: 'Object.freeze(o)' },
  { look: 'Object.getOwnPropertyDescriptors(o)', change: 'o.k = 1' },
  { look: `Object.hasOwn(o, 'k')`, change: 'o.k = 1' },
  { look: `o.hasOwnProperty('k')`, change: 'o.k = 1' },
  { look: `Object.prototype.hasOwnProperty.call(o, 'k')`, change: 'o.k = 1' },
  { look: `o.propertyIsEnumerable('k')`, change: 'o.k = 1' },
  { look: 'Object.isFrozen(o)', make: 'const o = { k: 1 }', change: 'Object.freeze(o)' },
  { look: 'Object.isFrozen(o)', make: 'const o = Object.preventExtensions({ k: 1 })', change: 'delete o.k' },
  { look: 'Object.isSealed(o)', make: 'const o = { k: 1 }', change: 'Object.seal(o)' },
  { look: 'Object.isExtensible(o)', change: 'Object.preventExtensions(o)' },
  { look: 'Reflect.isExtensible(o)', change: 'Reflect.preventExtensions(o)' },
  { look: `(() => { 'use strict'; try { o.k = 2; return 'set' } catch { return 'refused' } })()`, change: 'Object.freeze(o)' },
  { look: 'Object.getPrototypeOf(o) === null', change: 'Object.setPrototypeOf(o, null)' },
  { look: 'Reflect.getPrototypeOf(o) === null', change: 'Reflect.setPrototypeOf(o, null)' },
  { look: 'o.k ?? 0', change: 'Object.setPrototypeOf(o, { k: 1 })' },
  { look: 'o instanceof Map', change: 'Object.setPrototypeOf(o, Map.prototype)' },
  { look: `Array.prototype.isPrototypeOf(o)`, change: 'Object.setPrototypeOf(o, Array.prototype)' },
  { look: 'Object.assign({}, o)', change: 'o.k = 1' },
  { look: 'Object.fromEntries(o)', make: 'const o = []', change: `o.push(['k', 1])` },
  { look: 'Object.fromEntries(o)', make: 'const o = new Map()', change: `o.set('k', 1)` },
  { look: '({ ...o })', change: 'o.k = 1' },
  { look: '(({ k, ...rest }) => rest)(o)', change: 'o.other = 1' },
  { look: '(() => { const { k = 0 } = o; return k })()', change: 'o.k = 1' },
  { look: `'k' in o`, change: 'o.k = 1' },
  { look: '(() => { const keys = []; for (const key in o) keys.push(key); return keys })()', change: 'o.k = 1' },
  { look: 'o?.k ?? 0', change: 'o.k = 1' },
  { look: `Reflect.get(o, 'k') ?? 0`, change: 'o.k = 1' },
  { look: `Reflect.has(o, 'k')`, change: 'o.k = 1' },
  { look: 'Reflect.ownKeys(o)', change: 'o.k = 1' },
  { look: `Reflect.getOwnPropertyDescriptor(o, 'k') ?? null`, change: 'o.k = 1' },
  { look: 'Object.is(o.k, 1)', change: 'o.k = 1' },
  { look: 'String(o)', change: `o[Symbol.toStringTag] = 'K'` },
  { look: 'Object.prototype.toString.call(o)', change: `o[Symbol.toStringTag] = 'K'` },
]

/** Changes of an object that another task looks at by a plain expression. */
const changes: readonly { readonly change: string; readonly make?: string; readonly look?: string }[] = [
  { change: `Object.defineProperty(o, 'k', { value: 1 })` },
  { change: `Object.defineProperty(o, 'k', { get: () => 1 })` },
  { change: `Object.defineProperties(o, { k: { value: 1 } })` },
  { change: 'Object.assign(o, { k: 1 })' },
  { change: 'Object.assign(o, { other: 2 }, { k: 1 })' },
  { change: `Reflect.set(o, 'k', 1)` },
  { change: `Reflect.defineProperty(o, 'k', { value: 1 })` },
  { change: `Reflect.deleteProperty(o, 'k')`, make: 'const o = { k: 1 }' },
  { change: `o['k'] = 1` },
  { change: `o.k ??= 1` },
  { change: `o.k ||= 1`, make: 'const o = { k: 0 }' },
  { change: `o.k &&= 0`, make: 'const o = { k: 1 }' },
  { change: `o.k++`, make: 'const o = { k: 0 }' },
  { change: `;[o.k] = [1]` },
  { change: `;({ k: o.k } = { k: 1 })` },
  { change: `for (o.k of [1]);` },
  { change: `for (o.k in { a: 1 });` },
  { change: `delete o.k`, make: 'const o = { k: 1 }' },
  { change: `o.__proto__ = { k: 1 }` },
  { change: `o.__defineGetter__('k', () => 1)` },
  { change: 'opaque.setProperty(o, \'k\', 1)' },
  { change: 'opaque.merge(o, { k: 1 })' },
  { change: 'o.set(1)', make: 'const o = { k: 0, set(value) { this.k = value } }' },
  { change: 'o.v = 1', make: 'const o = { k: 0, set v(value) { this.k = value } }' },
]

const disjoint: readonly Case[] = [
  apart({ name: 'object, properties', make: 'const o = { k: 0 }', change: 'o.k++', look: 'o.k' }),
  apart({ name: 'object, Object.assign', make: 'const o = {}', change: 'Object.assign(o, { k: 1 })', look: 'o.k' }),
  apart({ name: 'object, defineProperty', make: 'const o = {}', change: `Object.defineProperty(o, 'k', { value: 1 })`, look: `Object.getOwnPropertyDescriptor(o, 'k')` }),
  apart({ name: 'object, defineProperties', make: 'const o = {}', change: `Object.defineProperties(o, { k: { value: 1 } })`, look: 'Object.getOwnPropertyDescriptors(o)' }),
  apart({ name: 'object, freeze', make: 'const o = { k: 1 }', change: 'Object.freeze(o)', look: 'Object.isFrozen(o)' }),
  apart({ name: 'object, setPrototypeOf', make: 'const o = {}', change: 'Object.setPrototypeOf(o, { k: 1 })', look: 'o.k' }),
  apart({ name: 'object, Reflect', make: 'const o = {}', change: `Reflect.set(o, 'k', 1)`, look: 'Reflect.ownKeys(o)' }),
  apart({ name: 'object, spread', make: 'const o = {}', change: 'o.k = 1', look: '({ ...o })' }),
  {
    name: 'two keys of one object',
    source: `const o = { a: 0, b: 0 }
const task = async (key) => { await null; o[key]++; await null; return o[key] }
return await Promise.all([task('a'), task('b')])`,
    outcomes: 1,
    executions: 1,
  },
  {
    name: 'two keys of one object by Reflect and descriptors',
    source: `const o = { a: 0, b: 0 }
const task = async (key) => { await null; Reflect.set(o, key, 1); await null; return Object.getOwnPropertyDescriptor(o, key).value + Object.hasOwn(o, key) }
return await Promise.all([task('a'), task('b')])`,
    outcomes: 1,
    executions: 1,
  },
]

export const objects: readonly Case[] = [
  ...looks.map(({ look, make = 'const o = {}', change }) => changeAndLook({ name: `${look} while ${change}${make.length > 12 ? ` (${make})` : ''}`, make, change, look })),
  ...changes.map(({ change, make = 'const o = {}', look = 'o.k ?? null' }) => changeAndLook({ name: `${change} while o.k`, make, change, look })),
  ...disjoint,
]
