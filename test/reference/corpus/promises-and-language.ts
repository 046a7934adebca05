import type { Case } from './case.ts'

/** Two tasks of one await each before what they do, and what is seen at the end. */
const two = (make: string, one: string, other: string, end: string): string => `${make}
const one = async () => { await null; ${one} }
const other = async () => { await null; ${other} }
await Promise.all([one(), other()])
return ${end}`

const deferreds = `const make = () => { let settle, fail; const promise = new Promise((resolve, reject) => { settle = resolve; fail = reject }); return { promise, settle, fail } }
const a = make(), b = make()`

const races: readonly Case[] = [
  ...['.catch(() => {})', '.then()', '.finally()', '.catch(() => {}).then().finally()'].map((through) => ({
    name: `a race begun between two settlings, over p${through}`,
    source: `${deferreds}
const seen = []
const one = async () => { await null; a.settle('a') }
const other = async () => { await null; b.settle('b') }
const asking = async () => { await null; seen.push(await Promise.race([a.promise${through}, b.promise${through}])) }
await Promise.all([one(), other(), asking()])
return seen`,
    outcomes: ['["a"]', '["b"]'],
  })),
  {
    name: 'a race over what follows another promise only later',
    source: `${deferreds}
const outer = make()
const one = async () => { await null; outer.settle(a.promise) }
const other = async () => { await null; a.settle('a') }
const third = async () => { await null; b.settle('b') }
const [won] = await Promise.all([Promise.race([outer.promise, b.promise]), one(), other(), third()])
return won`,
    outcomes: ['"a"', '"b"'],
  },
  {
    name: 'a race over what follows only later, and what its rival has seen',
    source: `${deferreds}
const outer = make()
let x = 0, saw
const one = async () => { await null; outer.settle(a.promise) }
const other = async () => { await null; x = 1; a.settle('a') }
const third = async () => { await null; saw = x; b.settle('b') }
const [won] = await Promise.all([Promise.race([outer.promise, b.promise]), one(), other(), third()])
return won + saw`,
    outcomes: ['"a1"', '"b0"', '"b1"'],
  },
  {
    name: 'a race over Promise.all, and what its rival has seen of its parts',
    source: `${deferreds}
const c = make()
let x = '', saw
const one = async () => { await null; x += '1'; a.settle('a') }
const other = async () => { await null; x += '2'; b.settle('b') }
const third = async () => { await null; saw = x; c.settle('c') }
const [won] = await Promise.all([Promise.race([Promise.all([a.promise, b.promise]), c.promise]), one(), other(), third()])
return [won, saw].join()`,
    outcomes: ['"a,b,12"', '"a,b,21"', '"c,"', '"c,1"', '"c,2"'],
    overtaken: ['"c,12"', '"c,21"'],
  },
  {
    name: 'any over followers passes over the first rejection',
    source: `${deferreds}
const one = async () => { await null; a.fail('a') }
const other = async () => { await null; b.settle('b') }
const [won] = await Promise.all([Promise.any([a.promise.then(), b.promise.then()]), one(), other()])
return won`,
    outcomes: ['"b"'],
  },
  {
    name: 'any of which all are rejected keeps the order of its parts',
    source: `${deferreds}
const one = async () => { await null; a.fail('a') }
const other = async () => { await null; b.fail('b') }
const [errors] = await Promise.all([Promise.any([a.promise.then(), b.promise.then()]).catch((error) => error.errors), one(), other()])
return errors`,
    outcomes: ['["a","b"]'],
  },
  {
    name: 'what is passed on comes later than what is settled',
    source: `const p = Promise.resolve('p'), q = Promise.resolve('q')
return await Promise.race([p.catch(() => {}), q])`,
    outcomes: ['"q"'],
    executions: 1,
  },
  {
    name: 'a race within a race',
    source: `${deferreds}
const c = make()
const task = async (deferred, name) => { await null; deferred.settle(name) }
const [won] = await Promise.all([Promise.race([Promise.race([a.promise, b.promise]), c.promise]), task(a, 'a'), task(b, 'b'), task(c, 'c')])
return won`,
    outcomes: ['"a"', '"b"', '"c"'],
  },
  {
    name: 'a race with a loser that is rejected',
    source: two(`const task = async (fails) => { await null; if (fails) throw 'no'; return 'yes' }`, '', '', `await Promise.race([task(true), task(false)]).catch((error) => error)`),
    outcomes: ['"no"', '"yes"'],
  },
  {
    name: 'Promise.all of a promise that another task resolves with a third',
    source: `${deferreds}
const c = make()
const one = async () => { await null; a.settle(b.promise) }
const other = async () => { await null; b.settle('b') }
const third = async () => { await null; a.settle('a') }
const [all] = await Promise.all([Promise.all([a.promise, 'v']), one(), other(), third()])
return all`,
    outcomes: ['["a","v"]', '["b","v"]'],
  },
  {
    name: 'disjoint races',
    source: `const task = async (name) => { await null; return name }
return await Promise.all([Promise.race([task('a').then()]), Promise.race([task('b').catch(() => {})])])`,
    outcomes: ['["a","b"]'],
    executions: 1,
  },
]

const inputs: readonly Case[] = [
  {
    name: 'Promise.all over a generator that looks',
    source: two('let n = 1; let seen; function* parts() { for (let i = 0; i < n; i++) yield Promise.resolve(i) }', 'n++', 'seen = await Promise.all(parts())', 'seen'),
    outcomes: ['[0,1]', '[0]'],
  },
  {
    name: 'Promise.all by call, over a list that grows',
    source: two('const list = [1]; let seen', 'list.push(2)', 'seen = await Promise.all.call(Promise, list)', 'seen'),
    outcomes: ['[1,2]', '[1]'],
  },
  {
    name: 'Promise.all of what is not iterable rejects',
    source: `return await Promise.all(5).catch((error) => error.name)`,
    outcomes: ['"TypeError"'],
  },
  {
    name: 'Promise.all of two lists apart',
    source: `const task = async (list) => { await null; list.push(3); return await Promise.all(list) }
return await Promise.all([task([1]), task([2])])`,
    outcomes: ['[[1,3],[2,3]]'],
    executions: 1,
  },
]

const thenables: readonly Case[] = [
  {
    name: 'a thenable is called in a step of its own',
    source: `let log = ''
const one = async () => { await { then(resolve) { log += 't'; resolve() } } }
const other = async () => { await null; log += 'o' }
await Promise.all([one(), other()])
return log`,
    outcomes: ['"ot"', '"to"'],
  },
  {
    name: 'a promise resolved with a thenable that looks',
    source: two('let n = 0; let settle; const promise = new Promise((resolve) => { settle = resolve })', 'n++', 'settle({ then(resolve) { resolve(n) } })', 'await promise'),
    outcomes: ['0', '1'],
  },
  {
    name: 'a thenable that calls back twice',
    source: `return await { then(resolve, reject) { resolve('first'); reject('second'); resolve('third') } }`,
    outcomes: ['"first"'],
  },
  {
    name: 'a thenable that throws after it has called back',
    source: `return await { then(resolve) { resolve('first'); throw new Error('late') } }`,
    outcomes: ['"first"'],
  },
  {
    name: 'a thenable that throws',
    source: `try { return await { then() { throw new Error('early') } } } catch (error) { return error.message }`,
    outcomes: ['"early"'],
  },
  {
    name: 'a getter then that throws',
    source: `try { return await { get then() { throw new Error('got') } } } catch (error) { return error.message }`,
    outcomes: ['"got"'],
  },
  {
    name: 'a getter then is read once',
    source: `let n = 0
const value = await (async () => ({ get then() { n++; return undefined }, name: 'v' }))()
return [n, value.name]`,
    outcomes: ['[1,"v"]'],
  },
  {
    name: 'a getter then of a class is read once by each who asks',
    source: `let n = 0
class C { get then() { n++; return undefined } }
const o = new C()
await new Promise((resolve) => resolve(o))
await Promise.resolve(o).then((value) => value)
return [n, Object.keys(o), await o === o, n]`,
    outcomes: ['[3,[],true,4]'],
  },
  {
    name: 'a getter then of a thenable is read once',
    source: `let n = 0
const o = { get then() { n++; return (resolve) => resolve(1) } }
return [await (async () => o)(), await o, await Promise.resolve(o), n]`,
    outcomes: ['[1,1,1,3]'],
  },
  {
    name: 'two callbacks of a thenable by two tasks',
    source: `let resolve, reject
const outcome = (async () => { try { return await { then(...settlers) { [resolve, reject] = settlers } } } catch (error) { return 'caught ' + error } })()
const one = async () => { await null; resolve?.('a') }
const other = async () => { await null; reject?.('b') }
await Promise.all([one(), other()])
return await outcome`,
    outcomes: ['"a"', '"caught b"', 'deadlock'],
  },
  {
    name: 'a thenable that gives a thenable',
    source: two('let n = 0; let seen', 'n++', 'seen = await { then(resolve) { resolve({ then(again) { again(n) } }) } }', 'seen'),
    outcomes: ['0', '1'],
  },
  {
    name: 'Promise.all of thenables that push',
    source: `const log = []
const pushing = (name) => ({ then(resolve) { log.push(name); resolve() } })
await Promise.all([pushing('a'), pushing('b')])
return log`,
    outcomes: ['["a","b"]', '["b","a"]'],
  },
  {
    name: 'a promise that is resolved with itself',
    source: `let settle; const promise = new Promise((resolve) => { settle = resolve }); settle(promise)
return await promise.catch((error) => error.message)`,
    outcomes: ['"Chaining cycle detected for promise #<Promise>"'],
  },
]

const generators: readonly Case[] = [
  {
    name: 'return while next is waited for',
    source: `let log = ''
async function* numbers() { try { await null; yield 1; yield 2 } finally { log += 'f' } }
const o = numbers()
const take = async () => { const { value, done } = await o.next(); log += value + (done ? '!' : '') }
const end = async () => { await null; const { value, done } = await o.return('r'); log += value + (done ? '!' : '') }
await Promise.all([take(), end()])
return log`,
    outcomes: 3,
  },
  {
    name: 'a yield of a rejected promise throws inside',
    source: `async function* numbers() { try { yield Promise.reject('no') } catch (error) { yield 'caught ' + error } }
const got = []
for await (const item of numbers()) got.push(item)
return got`,
    outcomes: ['["caught no"]'],
  },
  {
    name: 'a yield waits',
    source: `let log = ''
async function* letters() { log += 'a'; yield 'x'; log += 'b' }
const one = async () => { for await (const letter of letters()) log += letter }
const other = async () => { await null; log += 'o' }
await Promise.all([one(), other()])
return log`,
    outcomes: ['"aoxb"', '"axbo"'],
  },
  {
    name: 'a request lost against a timer, at a yield',
    source: `async function* letters() { yield 'x' }
let settle
const rival = new Promise((resolve) => { settle = resolve })
const other = async () => { await null; settle('rival') }
const [won] = await Promise.all([Promise.race([letters().next().then(({ value }) => value), rival]), other()])
return won`,
    outcomes: ['"rival"', '"x"'],
  },
  {
    name: 'yield* of another generator that two tasks ask',
    source: `async function* inner() { yield 'a'; yield 'b' }
async function* outer() { yield* inner(); return 'r' }
const o = outer()
const task = async () => { const got = []; for await (const item of o) got.push(item); return got.join('') }
return await Promise.all([task(), task()])`,
    outcomes: ['["a","b"]'],
  },
  {
    name: 'yield* of a sync iterable of promises',
    source: `async function* outer() { yield* [Promise.resolve('a'), 'b'] }
const got = []
for await (const item of outer()) got.push(item)
return got`,
    outcomes: ['["a","b"]'],
  },
  {
    name: 'yield* of a list that grows',
    source: two('const list = [1]; const got = []; async function* outer() { yield* list }', 'list.push(2)', 'for await (const item of outer()) got.push(item)', 'got'),
    outcomes: ['[1,2]', '[1]'],
  },
  {
    name: 'an async generator with super',
    source: `class Base { *parts() { yield this.n; yield this.n } get k() { return this.n } set k(v) { this.n = v } }
class Sub extends Base { n = 0; async *all() { super.k = super.k + 1; for (const part of super.parts()) { await null; yield part + super.k } } }
const o = new Sub()
const got = []
const one = async () => { for await (const item of o.all()) got.push(item) }
const other = async () => { await null; o.n = 5 }
await Promise.all([one(), other()])
return got`,
    outcomes: ['[2,10]', '[2,2]', '[2,6]', '[6,10]'],
  },
  {
    name: 'break calls return, which waits',
    source: `let log = ''
const iterable = { [Symbol.asyncIterator]: () => ({ async next() { return { value: 'n', done: false } }, async return() { await null; log += 'r'; return {} } }) }
const one = async () => { for await (const item of iterable) { log += item; break } log += 'e' }
const other = async () => { await null; log += 'o' }
await Promise.all([one(), other()])
return log`,
    outcomes: 4,
  },
  {
    name: 'break out of a sync iterable waits',
    source: `let log = ''
const one = async () => { for await (const item of ['a', 'b']) { log += item; break } log += 'e' }
const other = async () => { await null; log += 'o' }
await Promise.all([one(), other()])
return log`,
    outcomes: ['"aeo"', '"aoe"', '"oae"'],
  },
  {
    name: 'a throw in the loop closes the iterator and is thrown',
    source: `let log = ''
const iterable = { i: 0, [Symbol.asyncIterator]() { return this }, next() { return { value: this.i++, done: false } }, return() { log += 'r'; throw new Error('hidden') } }
try { for await (const item of iterable) { log += item; throw new Error('thrown') } } catch (error) { log += error.message }
return log`,
    outcomes: ['"0rthrown"'],
  },
]

const supers: readonly Case[] = [
  {
    name: 'super.set in a subclass of Map',
    source: two('class Log extends Map { set(key, value) { return super.set(key, value + 1) } }; const o = new Log(); let seen', `o.set('k', 1)`, `seen = o.get('k') ?? null`, 'seen'),
    outcomes: ['2', 'null'],
  },
  {
    name: 'super.set of two keys is apart',
    source: two('class Log extends Map { set(key, value) { return super.set(key, value) } }; const o = new Log()', `o.set('a', 1)`, `o.set('b', 1)`, 'o.size'),
    outcomes: ['2'],
    executions: 1,
  },
  {
    name: 'super.push in a subclass of Array',
    source: two('class Log extends Array { push(...items) { return super.push(...items) } }; const o = new Log()', `o.push('a')`, `o.push('b')`, 'o.join("")'),
    outcomes: ['"ab"', '"ba"'],
  },
  {
    name: 'super.x ??= v across an await',
    source: two('class Base {}; class Sub extends Base { async go(v) { super.k ??= await v } }; const o = new Sub()', `await o.go('a')`, `await o.go('b')`, 'o.k'),
    outcomes: ['"a"', '"b"'],
  },
  {
    name: 'super.x += v across an await',
    source: two('class Base { get k() { return this.n } set k(v) { this.n = v } }; class Sub extends Base { n = 0; async go(v) { super.k += await v } }; const o = new Sub()', 'await o.go(1)', 'await o.go(2)', 'o.n'),
    outcomes: ['1', '2', '3'],
  },
  {
    name: 'super.m() in an arrow in an async method',
    source: two('class Base { n = 0; add(by) { this.n += by; return this.n } }; class Sub extends Base { async go(by) { const add = () => super.add(by); await null; return add() } }; const o = new Sub(); const got = {}', 'got.one = await o.go(1)', 'got.other = await o.go(2)', '[got.one, got.other]'),
    outcomes: ['[1,3]', '[3,2]'],
  },
  {
    name: 'super.x of an object literal',
    source: two('const base = { k: 0 }; const o = { __proto__: base, go() { return super.k } }; let seen', 'base.k = 1', 'seen = o.go()', 'seen'),
    outcomes: ['0', '1'],
  },
  {
    name: 'super.x of a static method',
    source: two('class Base { static k = 0 }; class Sub extends Base { static go() { return super.k } }; let seen', 'Base.k = 1', 'seen = Sub.go()', 'seen'),
    outcomes: ['0', '1'],
  },
  {
    name: 'super.x = v of two objects is apart',
    source: two('class Base {}; class Sub extends Base { go() { super.k = 1 } }; const a = new Sub(), b = new Sub()', 'a.go()', 'b.go()', 'a.k + b.k'),
    outcomes: ['2'],
    executions: 1,
  },
]

const subclasses: readonly Case[] = [
  {
    name: 'a subclass with a constructor of its own',
    source: `class Named extends Promise { constructor(executor) { super((resolve, reject) => executor((value) => resolve('<' + value + '>'), reject)) } static get [Symbol.species]() { return Promise } }
let settle
const promise = new Named((resolve) => { settle = resolve })
const derived = promise.then((value) => value)
const task = async (name) => { await null; settle(name) }
await Promise.all([task('a'), task('b')])
return [await promise, await derived, derived instanceof Named, promise instanceof Named]`,
    outcomes: ['["<a>","<a>",false,true]', '["<b>","<b>",false,true]'],
  },
  {
    name: 'static methods of a subclass give its class',
    source: `class Mine extends Promise {}
const made = [Mine.resolve(1), Mine.reject(1), Mine.all([]), Mine.allSettled([]), Mine.race([1]), Mine.any([1]), Mine.resolve(Promise.resolve(1))]
for (const promise of made) promise.catch(() => {})
return made.map((promise) => promise.constructor.name).join()`,
    outcomes: ['"Mine,Mine,Mine,Mine,Mine,Mine,Mine"'],
  },
  {
    name: 'a subclass whose then is its own',
    source: `let log = ''
class Loud extends Promise { then(...args) { log += 't'; return super.then(...args) } }
const one = async () => { const value = await Loud.resolve('v'); log += value }
const other = async () => { await null; log += 'o' }
await Promise.all([one(), other()])
return log`,
    outcomes: ['"otv"', '"tov"', '"tvo"'],
  },
  {
    name: 'reactions of a subclass are steps',
    source: `class Mine extends Promise {}
let log = ''
await Promise.all(['a', 'b'].map((name) => Mine.resolve(name).then((value) => { log += value })))
return log`,
    outcomes: ['"ab"', '"ba"'],
  },
  {
    name: 'finally on a subclass',
    source: `class Mine extends Promise {}
let log = ''
const run = (name) => Mine.resolve(name).finally(() => { log += name })
return [await Promise.all([run('a'), run('b')]), log]`,
    outcomes: ['[["a","b"],"ab"]', '[["a","b"],"ba"]'],
  },
  {
    name: 'a race of a subclass over followers',
    source: `class Mine extends Promise {}
const task = async (name) => { await null; return name }
return await Mine.race([task('a').catch(() => {}), task('b').then()])`,
    outcomes: ['"a"', '"b"'],
  },
]

export const promisesAndLanguage: readonly Case[] = [...races, ...inputs, ...thenables, ...generators, ...supers, ...subclasses]
