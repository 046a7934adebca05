import { apart, type Case } from './case.ts'

/** Lists so long that what moves in them is told once for all of it. */

const make = 'const o = Array.from({ length: 70 }, (_, i) => i)'

const moves = ['o.shift()', 'o.unshift(-1)', 'o.splice(0, 1)', `o.splice(2, 0, 'x')`, 'o.splice(60, 3)']

const others = [
  'seen = o[0]', 'seen = o[5]', 'seen = o[69] ?? null', 'seen = o.at(-1)', 'seen = o.length', 'seen = o.includes(0)', 'seen = o.indexOf(5)', `seen = o.slice(0, 3).join()`,
  'seen = 69 in o', 'seen = Object.keys(o).length', 'seen = (([first]) => first)(o)', `o[5] = 'z'`, `o[69] = 'z'`, `o[70] = 'z'`, 'o[5] += 100', `o.push('z')`, 'o.pop()', 'o.shift()',
  'o.reverse()', 'o.length = 3', 'delete o[5]', `o.fill('z', 3, 5)`, `Object.defineProperty(o, 5, { value: 'z' })`,
]

/** `before` runs in a step of its own, before both. */
function moved(move: string, other: string, before: string): Case {
  const source = `${make}
let seen
await null
${before}
await null
await Promise.all([(async () => { await null; ${move} })(), (async () => { await null; ${other} })()])
return [seen, o.length, o.slice(0, 8), o.slice(-8)]`
  return { name: `${move} and ${other}${before === '' ? '' : `, after ${before}`}`, source }
}

export const longLists: readonly Case[] = [
  ...moves.flatMap((move) => others.map((other) => moved(move, other, ''))),
  ...others.map((other) => moved('o.shift()', other, 'o.shift()')),
  ...others.map((other) => moved(`o[5] = 'y'`, other, 'o.shift()')),
  moved('o.shift()', 'seen = o[5]; o[6] = seen', `o.push('y')`),
  ...['o.shift()', 'o.unshift(3)', 'o.splice(0, 1)'].map((change) => apart({ name: change, make, change, look: 'o.join()' })),
  {
    name: 'the last of none',
    source: `const o = []
let seen
await Promise.all([(async () => { await null; o.push(1) })(), (async () => { await null; seen = o.at(-1) ?? null })()])
return [seen, o.length]`,
  },
  {
    name: 'a queue that three drain',
    source: `${make}
const got = []
const take = async (count) => { for (let i = 0; i < count; i++) { await null; got.push(o.shift()) } }
await Promise.all([take(2), take(1), (async () => { await null; o.push('z') })()])
return [got, o.length]`,
  },
  {
    name: 'a list that its maker moved',
    source: `let o
await (async () => { await null; o = Array.from({ length: 70 }, (_, i) => i); o.shift(); o.shift(); o.push(1) })()
let seen
await Promise.all([(async () => { await null; seen = o[0] })(), (async () => { await null; o[0] = 'z' })(), (async () => { await null; o.shift() })()])
return [seen, o[0]]`,
  },
]

/** The keys of a Map, one by one. */
const mapMake = 'const o = new Map([[1, 1], [2, 2]])'
const firstKeys = ['o.keys().next().value', '[...o.keys()].join()', '(() => { for (const key of o.keys()) return key })()', '(() => { const walk = o.keys(); walk.next(); return walk.next().value ?? null })()']
const setMake = 'const o = new Set([1, 2])'
const setLooks = ['o.values().next().value', '[...o].join()', 'o.keys().next().value', '[...o.entries()].join()', '[...o.values()].join()']

function walked(declared: string, change: string, look: string): Case {
  const source = `${declared}
let seen
await Promise.all([(async () => { await null; ${change} })(), (async () => { await null; seen = ${look} ?? null })()])
return [seen, [...o.keys()]]`
  return { name: `${look} while ${change}, ${declared === mapMake ? 'a Map' : 'a Set'}`, source }
}

export const firstOfMany: readonly Case[] = [
  ...firstKeys.flatMap((look) => ['o.delete(1)', 'o.set(3, 3)', 'o.set(1, 5)', 'o.delete(1); o.set(1, 1)', 'o.clear()', 'o.delete(9)'].map((change) => walked(mapMake, change, look))),
  ...setLooks.flatMap((look) => ['o.delete(1)', 'o.add(3)', 'o.add(1)', 'o.delete(1); o.add(1)', 'o.clear()'].map((change) => walked(setMake, change, look))),
  {
    name: 'the values of keys that stay, while the first key is asked for',
    source: `${mapMake}
let seen
await Promise.all([(async () => { await null; o.set(2, 5) })(), (async () => { await null; seen = o.keys().next().value })()])
return [seen, o.get(2)]`,
    outcomes: ['[1,5]'],
    executions: 1,
  },
  {
    name: 'two that take the oldest',
    source: `${mapMake}
const got = []
const take = async () => { await null; const [key] = o.keys(); o.delete(key); await null; got.push(key) }
await Promise.all([take(), take()])
return [got, o.size]`,
  },
]
