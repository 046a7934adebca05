import type { Case } from './case.ts'

/** Two parts of a race, each after one await; which of them wins is the order of their ends. */
const part = (name: string, through: string): string => `const ${name} = (async () => { await null; return '${name}' })()${through}`

const following: readonly string[] = [
  '', '.catch(() => {})', '.then()', '.then((value) => value)', '.finally(() => {})', '.then(async (value) => value)', '.then((value) => Promise.resolve(value))', '.catch(() => {}).finally(() => {}).then()',
]

const wrappers: readonly { readonly name: string; readonly wrap: (promise: string) => string }[] = [
  { name: 'new Promise(r => r(p))', wrap: (promise) => `new Promise((resolve) => resolve(${promise}))` },
  { name: 'Promise.resolve(p)', wrap: (promise) => `Promise.resolve(${promise})` },
  { name: 'an async function returning p', wrap: (promise) => `(async () => ${promise})()` },
  { name: 'an async function awaiting p', wrap: (promise) => `(async () => await ${promise})()` },
  { name: 'Promise.all([p])', wrap: (promise) => `Promise.all([${promise}]).then(([value]) => value)` },
  { name: 'Promise.all([p]), bare', wrap: (promise) => `Promise.all([${promise}])` },
  { name: 'Promise.race([p])', wrap: (promise) => `Promise.race([${promise}])` },
  { name: 'Promise.any([p])', wrap: (promise) => `Promise.any([${promise}])` },
  { name: 'a thenable', wrap: (promise) => `({ then: (resolve, reject) => ${promise}.then(resolve, reject) })` },
  { name: 'a thenable by call', wrap: (promise) => `({ then(...handlers) { return Promise.prototype.then.apply(${promise}, handlers) } })` },
  { name: 'withResolvers', wrap: (promise) => `(() => { let settle; const made = new Promise((resolve) => { settle = resolve }); settle(${promise}); return made })()` },
]

const races: readonly Case[] = [
  ...following.map((through) => ({
    name: `race of p${through || ', bare'}`,
    source: `${part('a', through)}\n${part('b', through)}\nreturn await Promise.race([a, b])`,
    outcomes: ['"a"', '"b"'],
  })),
  ...following.slice(1).map((through) => ({
    name: `race of p and of q${through}`,
    source: `${part('a', '')}\n${part('b', through)}\nreturn await Promise.race([a, b])`,
    outcomes: ['"a"', '"b"'],
  })),
  ...wrappers.flatMap(({ name, wrap }) => [
    {
      name: `race of ${name}`,
      source: `${part('a', '')}\n${part('b', '')}\nreturn String(await Promise.race([${wrap('a')}, ${wrap('b')}]))`,
      outcomes: ['"a"', '"b"'],
    },
    {
      name: `any of ${name}`,
      source: `${part('a', '')}\n${part('b', '')}\nreturn String(await Promise.any([${wrap('a')}, ${wrap('b')}]))`,
      outcomes: ['"a"', '"b"'],
    },
    {
      name: `a race of ${name} begun late`,
      source: `${part('a', '')}\n${part('b', '')}
const asking = async () => { await null; return String(await Promise.race([${wrap('a')}, ${wrap('b')}])) }
return await asking()`,
      outcomes: ['"a"', '"b"'],
    },
  ]),
  {
    name: 'a race that is begun in one of several orders',
    source: `${part('a', '')}\n${part('b', '')}
const whole = Promise.all([a, b])
let isLate = false
const asking = async () => { await null; return isLate ? String(await Promise.race([whole, a.then(() => 'first')])) : 'none' }
return (await Promise.all([asking(), (async () => { await null; isLate = true })()]))[0]`,
    outcomes: 3,
  },
  {
    name: 'race of what is settled already takes the first',
    source: `return await Promise.race([Promise.resolve('a'), Promise.resolve('b')])`,
    outcomes: ['"a"'],
    executions: 1,
  },
  {
    name: 'race with a value that is no promise',
    source: `${part('a', '')}\nreturn await Promise.race([a, 'value'])`,
    outcomes: ['"value"'],
  },
  {
    name: 'any passes over rejections',
    source: `const task = async (name, fails) => { await null; if (fails) throw name; return name }
return await Promise.any([task('a', true), task('b'), task('c')])`,
    outcomes: ['"b"', '"c"'],
  },
  {
    name: 'all with two rejections throws the first',
    source: `const task = async (name) => { await null; throw name }
return await Promise.all([task('a'), task('b')]).catch((error) => error)`,
    outcomes: ['"a"', '"b"'],
  },
  {
    name: 'all keeps the places of its parts',
    source: `const task = async (name) => { await null; return name }
return await Promise.all([task('a'), task('b')])`,
    outcomes: ['["a","b"]'],
    executions: 1,
  },
  {
    name: 'allSettled keeps the places of its parts',
    source: `const task = async (name) => { await null; if (name === 'b') throw name; return name }
return (await Promise.allSettled([task('a'), task('b')])).map(({ status }) => status)`,
    outcomes: ['["fulfilled","rejected"]'],
    executions: 1,
  },
  {
    name: 'a race against a timeout that is cleared',
    source: `let timer
const timeout = new Promise((resolve) => { timer = setTimeout(resolve, 5, 'timeout') })
const work = (async () => { await null; return 'work' })()
const result = await Promise.race([timeout, work])
clearTimeout(timer)
return result`,
    outcomes: ['"work"'],
  },
  {
    name: 'a race of two timers of two tasks',
    source: `const sleep = async (name) => { await null; return new Promise((resolve) => setTimeout(resolve, 5, name)) }
return await Promise.race([sleep('a'), sleep('b')])`,
    outcomes: ['"a"', '"b"'],
  },
]

const inputs: readonly Case[] = ['all', 'allSettled', 'race', 'any'].flatMap((name) => [
  {
    name: `Promise.${name}(pending) reads the list`,
    source: `const pending = [Promise.resolve(1)]
let seen
const adding = async () => { await null; pending.unshift(Promise.resolve(2)) }
const waiting = async () => { await null; const got = await Promise.${name}(pending); seen = Array.isArray(got) ? got.length : got }
await Promise.all([adding(), waiting()])
return seen`,
    outcomes: 2,
  },
  {
    name: `Promise.${name}(set) reads the Set`,
    source: `const pending = new Set()
let seen
const adding = async () => { await null; pending.add(Promise.resolve(2)) }
const waiting = async () => { await null; const got = await Promise.race([Promise.${name}(pending), new Promise((resolve) => setTimeout(resolve, 5, 'none'))]).catch(() => 'none'); seen = Array.isArray(got) ? got.length : got }
await Promise.all([adding(), waiting()])
return seen`,
    outcomes: 2,
  },
  {
    name: `Promise.${name}(map.values()) reads the Map`,
    source: `const pending = new Map([['a', Promise.resolve(1)]])
let seen
const adding = async () => { await null; pending.set('a', Promise.resolve(2)) }
const waiting = async () => { await null; const got = await Promise.${name}(pending.values()); seen = got }
await Promise.all([adding(), waiting()])
return seen`,
    outcomes: 2,
  },
])

const settling: readonly Case[] = [
  {
    name: 'a promise resolved by two calls',
    source: `let settle
const promise = new Promise((resolve) => { settle = resolve })
const task = async (name) => { await null; settle(name) }
await Promise.all([task('a'), task('b')])
return await promise`,
    outcomes: ['"a"', '"b"'],
  },
  {
    name: 'a promise resolved and rejected',
    source: `let settle; let fail
const promise = new Promise((resolve, reject) => { settle = resolve; fail = reject })
const caught = promise.catch((error) => error)
const one = async () => { await null; settle('a') }
const two = async () => { await null; fail('b') }
await Promise.all([one(), two()])
return await caught`,
    outcomes: ['"a"', '"b"'],
  },
  {
    name: 'resolve given to opaque code',
    source: `let settle
const promise = new Promise((resolve) => { settle = resolve })
const task = async (name) => { await null; opaque.call(settle, name) }
await Promise.all([task('a'), task('b')])
return await promise`,
    outcomes: ['"a"', '"b"'],
  },
  {
    name: 'resolve as a callback',
    source: `let settle
const promise = new Promise((resolve) => { settle = resolve })
const task = async (name) => { await null; [name].forEach(settle) }
await Promise.all([task('a'), task('b')])
return await promise`,
    outcomes: ['"a"', '"b"'],
  },
  {
    name: 'resolve with a promise that another task resolves',
    source: `let settleInner; const inner = new Promise((resolve) => { settleInner = resolve })
let settle; const outer = new Promise((resolve) => { settle = resolve })
const one = async () => { await null; settle(inner) }
const two = async () => { await null; settle('direct') }
const three = async () => { await null; settleInner('inner') }
await Promise.all([one(), two(), three()])
return await outer`,
    outcomes: ['"direct"', '"inner"'],
  },
  {
    name: 'a late rejection handler',
    source: `const failing = (async () => { await null; throw new Error('late') })()
const handling = async () => { await null; await failing.catch(() => {}) }
await handling()
return 'fine'`,
    outcomes: ['"fine"', 'unhandled rejection Error: late'],
  },
  {
    name: 'a rejection that a combinator handles late',
    source: `const failing = (async () => { await null; throw new Error('late') })()
await null
return (await Promise.allSettled([failing]))[0].status`,
    outcomes: ['"rejected"', 'unhandled rejection Error: late'],
  },
  {
    name: 'a derived promise without a handler',
    source: `const failing = Promise.reject(new Error('derived'))
failing.then(() => {})
failing.catch(() => {})
await null
return 'fine'`,
    outcomes: ['unhandled rejection Error: derived'],
  },
  {
    name: 'a reaction that throws',
    source: `const promise = Promise.resolve().then(() => { throw new Error('thrown') })
await null
promise.catch(() => {})
await null
return 'fine'`,
    outcomes: ['"fine"', 'unhandled rejection Error: thrown'],
  },
]

const thenables: readonly Case[] = [
  {
    name: 'a thenable that keeps its resolve',
    source: `let settle
const thenable = { then(resolve) { settle = resolve } }
let log = ''
const one = async () => { const value = await thenable; log += value }
const two = async () => { await null; settle?.('v'); log += 't' }
await Promise.all([one(), two()])
return log`,
    outcomes: ['"tv"', 'deadlock'],
  },
  {
    name: 'a thenable that looks when it is asked',
    source: `let n = 0
const thenable = { then(resolve) { resolve(n) } }
const one = async () => { await null; return await thenable }
const two = async () => { await null; n++ }
return (await Promise.all([one(), two()]))[0]`,
    outcomes: ['0', '1'],
  },
  {
    name: 'a query that starts when it is awaited',
    source: `const rows = []
const insert = (row) => ({ then(resolve) { rows.push(row); resolve(rows.length) } })
const task = async (row) => { await null; return await insert(row) }
return await Promise.all([task('a'), task('b')])`,
    outcomes: ['[1,2]', '[2,1]'],
  },
  {
    name: 'a thenable returned by an async function',
    source: `let n = 0
const one = async () => { await null; return { then(resolve) { resolve(n) } } }
const two = async () => { await null; n++ }
return (await Promise.all([one(), two()]))[0]`,
    outcomes: ['0', '1'],
  },
  {
    name: 'a class with then',
    source: `class Later { constructor(list) { this.list = list } then(resolve) { resolve(this.list.length) } }
const list = []
const one = async () => { await null; return await new Later(list) }
const two = async () => { await null; list.push(1) }
return (await Promise.all([one(), two()]))[0]`,
    outcomes: ['0', '1'],
  },
  {
    name: 'thenables apart',
    source: `const task = async (name) => { await null; return await { then(resolve) { resolve(name) } } }
return await Promise.all([task('a'), task('b')])`,
    outcomes: ['["a","b"]'],
    executions: 1,
  },
]

const subclasses: readonly Case[] = [
  {
    name: 'a subclass of Promise stays',
    source: `class Mine extends Promise { get isMine() { return true } }
const one = new Mine((resolve) => resolve('a'))
const kinds = [one.isMine, one.then(() => {}).isMine, one.catch(() => {}).isMine, one.finally(() => {}).isMine, Mine.resolve(1).isMine, Mine.all([]).isMine, Mine.race([1]).isMine]
return [kinds.every(Boolean), await one, one instanceof Promise, one.constructor.name]`,
    outcomes: ['[true,"a",true,"Mine"]'],
  },
  {
    name: 'a subclass of Promise raced',
    source: `class Mine extends Promise {}
const task = (name) => new Mine((resolve) => { Promise.resolve().then(() => resolve(name)) })
return await Mine.race([task('a'), task('b')])`,
    outcomes: ['"a"', '"b"'],
  },
  {
    name: 'a subclass of Promise resolved by two tasks',
    source: `class Deferred extends Promise { static make() { let settle; const promise = new Deferred((resolve) => { settle = resolve }); promise.settle = settle; return promise } }
const promise = Deferred.make()
const task = async (name) => { await null; promise.settle(name) }
await Promise.all([task('a'), task('b')])
return await promise`,
    outcomes: ['"a"', '"b"'],
  },
  {
    name: 'a subclass of Promise with state',
    source: `class Counted extends Promise { static made = 0; constructor(executor) { super(executor); Counted.made++ } }
const task = async () => { await null; const seen = Counted.made; Counted.resolve(1); return seen }
return await Promise.all([task(), task()])`,
    outcomes: ['[0,1]', '[1,0]'],
  },
  {
    name: 'then by call and by Reflect.apply',
    source: `let log = ''
const add = (name) => () => { log += name }
await Promise.all([Promise.prototype.then.call(Promise.resolve(), add('a')), Reflect.apply(Promise.prototype.then, Promise.resolve(), [add('b')])])
return log`,
    outcomes: ['"ab"', '"ba"'],
  },
  {
    name: 'combinators by bare names',
    source: `const all = Promise.all.bind(Promise); const { resolve } = Promise
const task = async (name) => { await null; return name }
return await all([task('a'), resolve.call(Promise, 'b')])`,
    outcomes: ['["a","b"]'],
  },
  {
    name: 'reactions by opaque code',
    source: `let log = ''
await Promise.all([opaque.invoke(Promise.resolve('a'), 'then', [(value) => { log += value }]), (async () => { await null; log += 'b' })()])
return log`,
    outcomes: ['"ab"', '"ba"'],
  },
]

/** Callbacks that code which is not instrumented registers. */
const registered: readonly Case[] = [
  { register: `'then', [(value) => { log += value }]`, promise: `Promise.resolve('a')`, outcomes: ['"ab"', '"ba"'] },
  { register: `'then', [(value) => { log += value }]`, promise: `(async () => { await null; return 'a' })()`, outcomes: ['"ab"', '"ba"'] },
  { register: `'catch', [(error) => { log += error }]`, promise: `Promise.reject('a')`, outcomes: ['"ab"', '"ba"'] },
  { register: `'finally', [() => { log += 'a' }]`, promise: `Promise.resolve(1)`, outcomes: ['"ab"', '"ba"'] },
  { register: `'then', [null, (error) => { log += error }]`, promise: `(async () => { await null; throw 'a' })()`, outcomes: ['"ab"', '"ba"'] },
  { register: `'then', [opaque.call.bind(null, () => { log += 'a' })]`, promise: `Promise.resolve(1)`, outcomes: ['"ab"', '"ba"'] },
].map(({ register, promise, outcomes }) => ({
  name: `${register} of ${promise} by opaque code`,
  source: `let log = ''
await Promise.all([opaque.invoke(${promise}, ${register}), (async () => { await null; log += 'b' })()])
return log`,
  outcomes,
}))

/** Code that is not instrumented and its own callbacks. */
const registeredByOwn: readonly Case[] = [
  {
    name: 'a callback of opaque code that opaque code registers',
    source: `const kept = opaque.invoke(Promise.resolve('a'), 'then', [opaque.keep]); let seen
await Promise.all([kept, (async () => { await null; seen = opaque.kept() ?? 'none' })()])
return seen`,
    outcomes: ['"a"', '"none"'],
  },
  {
    name: 'reactions of one promise, one by opaque code',
    source: `let log = ''; const p = (async () => { await null; return 'a' })()
await Promise.all([opaque.invoke(p, 'then', [(value) => { log += value }]), p.then(() => { log += 'c' }), (async () => { await null; log += 'b' })()])
return log`,
    outcomes: ['"abc"', '"acb"', '"bac"'],
  },
]

export const promises: readonly Case[] = [...races, ...inputs, ...settling, ...thenables, ...subclasses, ...registered, ...registeredByOwn]
