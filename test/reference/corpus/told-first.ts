import type { Case } from './case.ts'

/** What one step does decides what another one looks at, or whether it can change anything at all. */
function meeting(name: string, { make, change, look }: { readonly make: string; readonly change: string; readonly look: string }): Case {
  const source = `${make}
let seen
const changing = async () => { await null; ${change} }
const looking = async () => { await null; seen = (() => { try { ${look} } catch (error) { return error.name } })() }
await Promise.all([changing(), looking()])
return [seen, o]`
  return { name, source }
}

const object = 'const o = { a: 1, b: 2 }'

const fixings = [
  'Object.freeze(o)', 'Object.seal(o)', 'Object.preventExtensions(o)', `Object.defineProperty(o, 'a', { writable: false })`, `Object.defineProperty(o, 'a', { configurable: false })`,
  `Object.defineProperty(o, 'a', { get: () => 9, configurable: true })`, `Object.defineProperty(o, 'a', { get: () => 9, set(v) { this.b = v }, configurable: true })`,
]

const changes = [
  'o.a = 5', 'o.c = 5', 'o.a += 2', 'o.c += 2', 'o.a++', 'delete o.a', 'Object.assign(o, { a: 3, c: 4 })', 'o.a ||= 4; o.c ??= 5', '[o.a] = [7]', 'o.a += (o.b = 8, 1)',
  `return Reflect.set(o, 'c', 1)`, `return Reflect.set(o, 'a', 1)`, `return Reflect.deleteProperty(o, 'a')`,
]

const arrayFixings = ['Object.freeze(o)', 'Object.seal(o)', 'Object.preventExtensions(o)', 'Object.defineProperty(o, 0, { value: 4, writable: false })', 'Object.defineProperty(o, 1, { get: () => 7, configurable: true })', 'o.length = 0']

const arrayChanges = [
  'o.push(4)', 'return o.push(4)', 'o.pop()', 'o[0] = 9', 'o[5] = 9', 'o.length = 1', 'o.fill(3)', 'o.sort()', 'o.shift()', 'o.unshift(3)', 'o[0]++', 'o[7] += 1', 'delete o[1]', 'o.splice(1, 1)', 'o.reverse()',
  'o.copyWithin(0, 1)',
]

const walks = [
  'o.map((x) => x)', 'o.reduce((a, b) => a + b)', 'o.reduceRight((a, b) => a + b)', 'o.reduce((a, b) => a + b, 1)', 'o.findLast((x) => x === 1)', 'o.find((x) => x === undefined)',
  'o.findLastIndex((x) => x > 5)', 'o.some((x) => x > 1)', 'o.every((x) => x < 3)', 'o.filter((x) => x)', 'o.flatMap((x) => [x, x])', 'o.lastIndexOf(1)', 'o.indexOf(3)', 'o.includes(undefined)', 'o.join()',
  '[...o]', 'o.flat()', 'o.at(-1) ?? null', 'o.slice(1)', '2 in o', 'Object.entries(o).length',
]

const holes = ['o[1] = 7', 'o.push(1)', 'o.length = 1', 'delete o[0]', 'o[6] = 1', 'o.shift()']

const mapChanges = ['o.clear()', `o.delete('a')`, `o.set('c', 3)`, `o.set('a', 4)`]

const mapLooks = [
  '[...o]', 'o.size', 'structuredClone(o).size', '(o.clear(), o.size)', `(o.set('b', 9), [...o.keys()])`, 'Object.fromEntries(o)', 'o.forEach((value, key, map) => map.delete(key))', 'Array.from(o.values())',
]

const pairs = <A, B>(ones: readonly A[], others: readonly B[]): [A, B][] => ones.flatMap((one) => others.map((other): [A, B] => [one, other]))

const accessors = `const inner = { v: 1 }; const o = { get v() { return inner.v }, set v(x) { inner.v = x }, w: 2 }`

const redefinitions = [`Object.defineProperty(o, 'v', { value: 0 })`, `Object.defineProperty(o, 'v', { get: () => inner.v + 1 })`, 'delete o.v', 'o.v = 5', `Object.defineProperty(o, 'w', { get: () => inner.v })`]

const readings = ['JSON.stringify(o)', '({ ...o })', 'o.v + o.w', 'Object.values(o)', 'structuredClone({ ...o })', `Reflect.get(o, 'v')`, '(({ v, ...rest }) => [v, rest])(o)', 'Object.assign({}, o)', '(o.v += 1, inner.v)', '(o.w++, o.w)']

const followers = (tasks: readonly string[], end: string): string => `const c = new AbortController(); const got = []; let f = c.signal
const follow = (signal, n) => { const follower = AbortSignal.any([signal]); follower.addEventListener('abort', () => got.push(n)); return follower }
await Promise.all([${tasks.map((task) => `(async () => { await null; ${task} })()`).join(', ')}])
${end}
return got`

const signals: readonly Case[] = [
  { name: 'signals that follow, in their order', source: followers(['follow(f, 1)', 'follow(f, 2)', 'c.abort()'], ''), outcomes: 5 },
  { name: 'signals that follow, aborted when all do', source: followers(['follow(f, 1)', 'follow(f, 2)'], 'c.abort()'), outcomes: 2 },
  { name: 'signals that follow each other', source: followers(['f = follow(f, 1)', 'f = follow(f, 2)'], 'c.abort()'), outcomes: 2 },
  { name: 'signals that follow, heard by nobody', source: followers(['AbortSignal.any([f])', 'AbortSignal.any([f])', 'AbortSignal.any([f])'], 'c.abort()'), outcomes: 1, executions: 1 },
]

/** Who waits for all, when one of them is rejected. */
const late: readonly Case[] = ['Promise.all([p, q])', 'Promise.all([q, p])', 'Promise.allSettled([p, q])', 'Promise.any([p, q])', '(async () => q)()', 'new Promise((r) => r(q))', 'q.then()', 'Promise.all([Promise.all([q])])', 'Promise.resolve(q).finally(() => {})'].map((look) => ({
  name: `${look}, while one is rejected`,
  source: `let settle, fail; const p = new Promise((r) => { settle = r }); const q = new Promise((_, j) => { fail = j }); q.catch(() => {})
const got = []
await Promise.all([(async () => { await null; fail('q') })(), (async () => { await null; settle('p') })(), (async () => { await null; got.push(await ${look}.catch((e) => ['caught', e])) })()])
return got`,
  outcomes: 1,
}))

export const toldFirst: readonly Case[] = [
  ...pairs(fixings, changes).map(([change, look]) => meeting(`${look}, while ${change}`, { make: object, change, look })),
  ...pairs(arrayFixings, arrayChanges).map(([change, look]) => meeting(`of an array, ${look}, while ${change}`, { make: 'const o = [3, 1, 2]', change, look })),
  ...pairs(holes, walks).map(([change, look]) => meeting(`with holes, ${look}, while ${change}`, { make: 'const o = [1, , 3, , 1]', change, look: `return ${look}` })),
  ...pairs(mapChanges, mapLooks).map(([change, look]) => meeting(`of a Map, ${look}, while ${change}`, { make: `const o = new Map([['a', 1], ['b', 2]])`, change, look: `return ${look} ?? null` })),
  ...pairs(redefinitions, readings).map(([change, look]) => meeting(`of accessors, ${look}, while ${change}`, { make: accessors, change, look: `return ${look} ?? null` })),
  ...late,
  ...signals.map((body) => ({ ...body, needs: Reflect.get(AbortSignal, 'any') as unknown })),
]
