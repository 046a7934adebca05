import { apart, changeAndLook, changesAndEnd, type Case } from './case.ts'

const make = `const o = ['b', 'a']`

/** Looks that another task's push changes. */
const looksAtItems: readonly string[] = [
  'o.length', 'o.at(-1)', 'o[2] ?? null', `o.concat(['z'])`, '[].concat(o)', `o.every((item) => item !== 'c')`, `o.filter((item) => item === 'c')`,
  `o.find((item) => item === 'c') ?? null`, `o.findIndex((item) => item === 'c')`, `o.findLast(() => true)`, 'o.findLastIndex(() => true)', 'o.flat()',
  'o.flatMap((item) => [item])', '(() => { let n = 0; o.forEach(() => n++); return n })()', `o.includes('c')`, `o.indexOf('c')`, `o.join('')`, '[...o.keys()]',
  '[...o.values()]', '[...o.entries()]', `o.lastIndexOf('c')`, 'o.map((item) => item)', `o.reduce((all, item) => all + item, '')`,
  `o.reduceRight((all, item) => all + item, '')`, 'o.slice()', `o.some((item) => item === 'c')`, 'o.toReversed()', 'o.toSorted()', 'o.toSpliced(0, 1)',
  `o.with(0, 'z')`, 'o.toString()', 'o.toLocaleString()', '[...o]', 'Math.max(...o.map((item) => item.charCodeAt(0)))', '(([, , third = 0]) => third)(o)',
  '(() => { let n = 0; for (const item of o) n++; return n })()', '(() => { const [, ...rest] = o; return rest })()', 'Array.from(o)', 'Array.from(o, (item) => item)',
  'new Array(...o)', 'Array.of(...o)', '((...all) => all.length)(...o)', 'String.fromCharCode(...o.map((item) => item.charCodeAt(0)))', 'JSON.stringify(o)', 'structuredClone(o)', `o + ''`,
  '`${o}`', `o == 'b,a'`, 'String(o)', 'new Set(o).size', 'Object.keys(o)', '2 in o', 'Object.entries(o)', 'new Map(o.entries()).size', 'o.length > 2 ? 1 : 0', 'Reflect.apply(Math.max, null, o.map(() => o.length))',
  'opaque.describe(o)', 'Object.groupBy ? Object.keys(Object.groupBy(o, (item) => item)) : o.length', 'Array.prototype.slice.call(o)', 'Array.prototype.concat.apply([], [o])',
  'o[Symbol.iterator]().next.call(o[Symbol.iterator]()) && o.length', 'new Int8Array(o.map((item) => 1)).length', 'Promise.all(o).then((all) => all.length)', 'encodeURIComponent(o)', 'Number(o.length)',
]

/** Changes that another task's look sees. */
const changes: readonly { readonly change: string; readonly look?: string }[] = [
  { change: `o.push('c')` }, { change: 'o.pop()' }, { change: 'o.shift()' }, { change: `o.unshift('c')` }, { change: 'o.splice(0, 1)' }, { change: `o.splice(1, 1, 'c', 'd')` },
  { change: 'o.sort()' }, { change: 'o.reverse()' }, { change: `o.fill('c')` }, { change: 'o.copyWithin(0, 1)' }, { change: 'o.length = 0' }, { change: `o[5] = 'c'` },
  { change: `o[0] = 'c'` }, { change: 'delete o[0]' }, { change: `Object.assign(o, ['c'])` }, { change: `opaque.push(o, 'c')` }, { change: 'opaque.sort(o)' },
  { change: `;[o[0], o[1]] = [o[1], o[0]]` }, { change: `Array.prototype.push.apply(o, ['c', 'd'])` }, { change: `o.push(...['c', 'd'])` }, { change: `Reflect.set(o, 'length', 1)` },
  { change: `Object.defineProperty(o, 0, { value: 'c' })` }, { change: `for (o[0] of ['c']);` }, { change: `o.at(0) && o.splice(0)` },
]

const ends: readonly Case[] = [
  changesAndEnd({ name: 'push and push, the order looked at', make: 'const o = []', changes: ['o.push(1)', 'o.push(2)'], look: 'o', outcomes: ['[1,2]', '[2,1]'] }),
  changesAndEnd({ name: 'push and pop', make: 'const o = [0]', changes: ['o.push(1)', 'o.pop()'], look: 'o', outcomes: ['[0]', '[1]'] }),
  changesAndEnd({ name: 'shift and shift', make: 'const o = [1, 2]; const got = {}', changes: ['got.a = o.shift()', 'got.b = o.shift()'], look: '[got.a, got.b]', outcomes: ['[1,2]', '[2,1]'] }),
  changesAndEnd({ name: 'sort and push', make: 'const o = [2, 1]', changes: ['o.sort()', 'o.push(0)'], look: 'o', outcomes: ['[0,1,2]', '[1,2,0]'] }),
  changesAndEnd({ name: 'reverse and one element', make: 'const o = [1, 2]', changes: ['o.reverse()', 'o[0] = 9'], look: 'o', outcomes: ['[2,9]', '[9,1]'] }),
  changesAndEnd({ name: 'the results of push', make: 'const o = []; const got = {}', changes: ['got.a = o.push(1)', 'got.b = o.push(2)'], look: '[got.a, got.b]', outcomes: ['[1,2]', '[2,1]'] }),
  {
    name: 'an index that went and comes again, while all are looked at',
    source: `const o = [9]; o[1] = 8; let seen
const changing = async () => { await null; o.splice(0, 1); await null; o[o.length] = 3 }
const looking = async () => { await null; seen = [...o] }
await Promise.all([changing(), looking()])
return seen`,
    outcomes: ['[8,3]', '[8]', '[9,8]'],
  },
  changesAndEnd({ name: 'two elements of one array', make: 'const o = [0, 0]', changes: ['o[0]++', 'o[1]++'], look: 'o', outcomes: ['[1,1]'], executions: 1 }),
]

export const arrays: readonly Case[] = [
  ...looksAtItems.map((look) => changeAndLook({ name: `${look} while o.push`, make, change: `o.push('c')`, look: look.startsWith('Promise') ? `await ${look}` : look })),
  ...changes.map(({ change, look = 'o' }) => changeAndLook({ name: `${change} while the array is looked at`, make, change, look: `JSON.stringify(${look})` })),
  ...['push', 'shift', 'sort', 'splice', 'reverse', 'fill'].map((name) => apart({ name: `array.${name}`, make: 'const o = [2, 1]', change: `o.${name}(0)`.replace('sort(0)', 'sort()'), look: 'o.join()' })),
  ...ends,
]
