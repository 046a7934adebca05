import { apart, changeAndLook, changesAndEnd, type Case } from './case.ts'

const mapLooks: readonly string[] = [
  `o.get('k') ?? 0`, `o.has('k')`, 'o.size', '[...o]', '[...o.keys()]', '[...o.values()]', '[...o.entries()]', '(() => { let n = 0; o.forEach(() => n++); return n })()', '(() => { let n = 0; for (const [key] of o) n++; return n })()', 'Array.from(o)',
  'Object.fromEntries(o)', 'new Map(o).size', 'new Map([...o]).size', 'structuredClone(o).size', 'o.keys().next().done', 'o.entries().next().done', 'o[Symbol.iterator]().next().done', 'Array.from(o.values(), (value) => value)', '(([first = 0]) => first)(o)', 'Math.max(0, ...o.values())',
  'opaque.call((map) => map.size, o)', 'opaque.describe([...o])', `Reflect.get(o, 'size', o)`, 'new Set(o.keys()).size', `Object.getOwnPropertyDescriptor(Map.prototype, 'size').get.call(o)`,
]

const setLooks: readonly string[] = [
  `o.has('k')`, 'o.size', '[...o]', '[...o.keys()]', '[...o.values()]', '[...o.entries()]', '(() => { let n = 0; o.forEach(() => n++); return n })()', '(() => { let n = 0; for (const item of o) n++; return n })()', 'Array.from(o)', 'new Set(o).size', 'structuredClone(o).size', 'o.values().next().done', '(([first = 0]) => first)(o)', 'Array.from(o, (item) => item)', `[...o].join('')`,
]

const setAlgebra: readonly string[] = [`o.union(new Set()).size`, `new Set(['k']).intersection(o).size`, `new Set(['k']).difference(o).size`, `o.symmetricDifference(new Set()).size`, `new Set(['k']).isSubsetOf(o)`, `o.isSupersetOf(new Set(['k']))`, `o.isDisjointFrom(new Set(['k']))`]

const weak: readonly Case[] = [
  changeAndLook({ name: 'WeakMap.set while get', make: 'const key = {}; const o = new WeakMap()', change: 'o.set(key, 1)', look: 'o.get(key) ?? 0' }),
  changeAndLook({ name: 'WeakMap.set while has', make: 'const key = {}; const o = new WeakMap()', change: 'o.set(key, 1)', look: 'o.has(key)' }),
  changeAndLook({ name: 'WeakMap.delete while has', make: 'const key = {}; const o = new WeakMap([[key, 1]])', change: 'o.delete(key)', look: 'o.has(key)' }),
  changeAndLook({ name: 'WeakSet.add while has', make: 'const key = {}; const o = new WeakSet()', change: 'o.add(key)', look: 'o.has(key)' }),
  changeAndLook({ name: 'WeakSet.delete while has', make: 'const key = {}; const o = new WeakSet([key])', change: 'o.delete(key)', look: 'o.has(key)' }),
  changeAndLook({ name: 'WeakRef.deref is its target', make: 'const target = { k: 0 }; const o = new WeakRef(target)', change: 'o.deref().k = 1', look: 'target.k' }),
  changesAndEnd({ name: 'two keys of one WeakMap', make: 'const one = {}; const two = {}; const o = new WeakMap()', changes: ['o.set(one, 1)', 'o.set(two, 2)'], look: '[o.get(one), o.get(two)]', outcomes: ['[1,2]'], executions: 1 }),
  changesAndEnd({ name: 'two keys of one WeakSet', make: 'const one = {}; const two = {}; const o = new WeakSet()', changes: ['o.add(one)', 'o.add(two)'], look: 'o.has(one) && o.has(two)', outcomes: ['true'], executions: 1 }),
  apart({ name: 'WeakRef', make: 'const o = new WeakRef({ k: 0 })', change: 'o.deref().k++', look: 'o.deref().k' }),
]

const keys: readonly Case[] = [
  changesAndEnd({ name: 'two keys of one Map by get', make: 'const o = new Map()', changes: [`o.set('a', 1)`, `o.set('b', 2)`], look: `[o.get('a'), o.get('b')]`, outcomes: ['[1,2]'], executions: 1 }),
  changesAndEnd({ name: 'two members of one Set by has', make: 'const o = new Set()', changes: [`o.add('a')`, `o.add('b')`], look: `o.has('a') && o.has('b')`, outcomes: ['true'], executions: 1 }),
  changesAndEnd({ name: 'one key of one Map', make: 'const o = new Map()', changes: [`o.set('a', 1)`, `o.set('a', 2)`], look: `o.get('a')`, outcomes: ['1', '2'] }),
  changesAndEnd({ name: 'objects as keys', make: 'const one = {}; const two = {}; const o = new Map([[one, 0], [two, 0]])', changes: ['o.set(one, o.get(one) + 1)', 'o.set(two, o.get(two) + 1)'], look: '[...o.values()]', outcomes: ['[1,1]'], executions: 1 }),
  changesAndEnd({ name: 'the result of Set.delete', make: `const o = new Set(['k']); const got = {}`, changes: [`got.a = o.delete('k')`, `got.b = o.delete('k')`], look: '[got.a, got.b]', outcomes: ['[false,true]', '[true,false]'] }),
  changesAndEnd({ name: 'NaN, 0 and -0 as keys', make: 'const o = new Map()', changes: ['o.set(NaN, 1); o.set(0, 1)', 'o.set(NaN, 2); o.set(-0, 2)'], look: '[o.get(NaN), o.get(0)]', outcomes: ['[1,1]', '[2,2]'] }),
]

export const collections: readonly Case[] = [
  ...mapLooks.map((look) => changeAndLook({ name: `${look} while Map.set`, make: 'const o = new Map()', change: `o.set('k', 1)`, look })),
  ...[`o.set('k', 2)`, `o.delete('k')`, 'o.clear()', `opaque.call((map) => map.clear(), o)`].map((change) => changeAndLook({ name: `${change} while the map is looked at`, make: `const o = new Map([['k', 1]])`, change, look: '[...o]' })),
  ...setLooks.map((look) => changeAndLook({ name: `${look} while Set.add`, make: 'const o = new Set()', change: `o.add('k')`, look })),
  ...setAlgebra.map((look) => changeAndLook({ name: `${look} while Set.add`, make: 'const o = new Set()', change: `o.add('k')`, look, needs: 'union' in Set.prototype })),
  ...[`o.delete('k')`, 'o.clear()', `o.add('l')`].map((change) => changeAndLook({ name: `${change} while the set is looked at`, make: `const o = new Set(['k'])`, change, look: '[...o]' })),
  ...['get', 'has', 'delete'].map((name) => apart({ name: `Map.${name}`, make: 'const o = new Map()', change: `o.set('k', 1)`, look: `o.${name}('k')` })),
  ...['[...o]', 'o.size', 'Array.from(o.keys())'].map((look) => apart({ name: `Map, ${look}`, make: 'const o = new Map()', change: `o.set('k', 1)`, look })),
  ...['[...o]', 'o.size', `o.has('k')`].map((look) => apart({ name: `Set, ${look}`, make: 'const o = new Set()', change: `o.add('k')`, look })),
  ...weak,
  ...keys,
]
