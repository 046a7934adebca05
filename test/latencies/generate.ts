import { allKinds, generate as generateProgram } from '../plain-order/generate.ts'
import { generate as generateBody, print } from '../reference/generate.ts'
import { Random } from '../reference/random.ts'
import { generateBodies } from './bodies.ts'
import { generateEmitters } from './emitters.ts'
import { generateNodeStreams } from './node-streams.ts'
import { generatePlatform } from './platform.ts'
import { generateWebStreams } from './web-streams.ts'

export type Kind = 'state' | 'promises' | 'timers' | 'asks' | 'mixed' | 'settling' | 'combining' | 'immediates' | 'calls' | 'streams' | 'idioms' | 'platform' | 'nodeStreams' | 'webStreams' | 'bodies' | 'emitters'

/**
 * A random body some of whose awaits stand for I/O: tasks over shared things, or a program of promises that notes its order, or tasks that
 * wait in loops that ask again, each time anew.
 */
export function generate(kind: Kind, seed: number): string {
  const random = new Random(seed)
  if (kind === 'timers') return generateTimers(random)
  if (kind === 'mixed') return generateMixed(random)
  if (kind === 'settling') return generateSettling(random)
  if (kind === 'combining') return generateCombining(random)
  if (kind === 'immediates') return generateImmediates(random)
  if (kind === 'calls') return generateCalls(random)
  if (kind === 'streams') return generateStreams(random)
  if (kind === 'idioms') return generateIdioms(random)
  if (kind === 'platform') return generatePlatform(random)
  if (kind === 'bodies') return generateBodies(random)
  if (kind === 'emitters') return generateEmitters(random)
  if (kind === 'nodeStreams') return generateNodeStreams(random)
  if (kind === 'webStreams') return generateWebStreams(random)
  const replaced = (source: string, pattern: RegExp, percent: number, by: string): string => source.replaceAll(pattern, (found) => (random.percent(percent) ? by : found))
  if (kind === 'asks') {
    return replaced(print(generateBody({ seed, asks: true })), /await (?:null|Promise\.resolve\(\)|nothing\(\)|new Promise\(\(resolve\) => (?:setImmediate|queueMicrotask)\(resolve\)\))/g, 100, 'await io(null)')
  }
  if (kind === 'state') {
    const source = print(generateBody({ seed }))
    return replaced(replaced(source, /await (?:null|Promise\.resolve\(\)|nothing\(\))/g, 65, 'await io(null)'), /await new Promise\(\(resolve\) => setTimeout\(resolve, 1\)\)/g, 30, 'await io(1)')
  }
  const source = generateProgram(random, { ...allKinds, answers: false }).replace('i < 8', 'i < 2')
  return replaced(replaced(replaced(source, /Promise\.resolve\('p'\)/g, 60, `io('p')`), /'x'/g, 40, `io('x')`), /(?<=await )d\[\d\]\.promise/g, 40, 'io(d[0].promise)')
}

/** Draws what changes the shared state, or notes it. */
function noting(random: Random): () => string {
  const place = (): string => random.one(['a', 'b'])
  return () => random.one([`log.push(${random.below(100)})`, `x.${place()}++`, `log.push(x.${place()})`, `x.${place()} = ${random.below(5)}`])
}

/** Tasks that set and clear timers, of lengths that are near each other, and wait for them and for answers. */
function generateTimers(random: Random): string {
  const length = (): number => random.one([1, 2, 3, 5, 8])
  const note = noting(random)
  const statement = (depth: number): string =>
    random.one([
      () => `${note()};`,
      () => `${note()};`,
      () => `await io(null); ${note()};`,
      () => `await io(null); ${note()};`,
      () => `await sleep(${length()}); ${note()};`,
      () => `t[${random.below(3)}] = setTimeout(() => { ${depth < 2 ? statement(depth + 1).replaceAll('await ', 'void ') : note()} }, ${length()});`,
      () => `clearTimeout(t[${random.below(3)}]);`,
      () => `setImmediate(() => { ${note()} });`,
      () => `log.push(await Promise.race([sleep(${length()}), io('done')]));`,
    ])()
  const task = (): string => `(async () => { ${Array.from({ length: 1 + random.below(3) }, () => statement(0)).join(' ')} })()`
  const tasks = Array.from({ length: 1 + random.below(3) }, task)
  return `const log = []; const x = { a: 0, b: 0 }; const t = [];
const sleep = (ms) => new Promise((end) => setTimeout(end, ms, 'slept'));
await Promise.all([${tasks.join(', ')}]); await sleep(30); return [log, x.a, x.b]`
}

/** Tasks that set immediates, which set others in their turn, beside answers. */
function generateImmediates(random: Random): string {
  const note = noting(random)
  const inner = (depth: number): string => Array.from({ length: 1 + random.below(2) }, () => (depth < 3 && random.percent(40) ? immediate(depth + 1) : `${note()};`)).join(' ')
  const immediate = (depth: number): string => `setImmediate(() => { ${inner(depth)} });`
  const statement = (): string => random.one([() => `${note()};`, () => immediate(1), () => immediate(1), () => `await io(null); ${note()};`, () => `void io(${random.below(9)}).then(() => { ${inner(1)} });`])()
  const task = (): string => `(async () => { ${Array.from({ length: 1 + random.below(3) }, statement).join(' ')} })()`
  const tasks = Array.from({ length: 1 + random.below(2) }, task)
  return `const log = []; const x = { a: 0, b: 0 };
await Promise.all([${tasks.join(', ')}]); await new Promise((end) => setTimeout(end, 30)); return [log, x.a, x.b]`
}

/** Tasks that mix answers and timers with what the language and Node have on top of them: combinators, async generators, signals, emitters, ticks and immediates. */
function generateMixed(random: Random): string {
  const place = (): string => random.one(['a', 'b'])
  const note = (): string => random.one([`log.push(${random.below(100)})`, `x.${place()}++`, `log.push(x.${place()})`, `x.${place()} = ${random.below(5)}`, `e.emit('${place()}', ${random.below(9)})`, `c.abort(${random.below(9)})`])
  const answer = (): string => random.one([`io(${random.below(9)})`, `io(${random.below(9)})`, `sleep(${random.one([1, 2, 3])})`, `io(Promise.reject('no'))`, `late(${random.below(9)})`, 'null'])
  const parts = (): string => Array.from({ length: 1 + random.below(3) }, answer).join(', ')
  // After each callback of the platform come ticks, and then microtasks.
  const queued = (): string => (random.percent(20) ? `queueMicrotask(() => { ${note()} }); process.nextTick(() => { ${note()} }); ` : '')
  const callback = (): string => `() => { ${queued()}${note()} }`
  const statement = (depth: number): string =>
    random.one([
      () => `${note()};`,
      () => `await ${answer()}; ${note()};`,
      () => `await ${answer()}; ${note()};`,
      () => `log.push(await Promise.${random.one(['race', 'any', 'all'])}([${parts()}]));`,
      () => `log.push((await Promise.allSettled([${parts()}])).length);`,
      () => `for await (const v of each([${parts()}])) { log.push(v); ${random.percent(30) ? 'break;' : note()} }`,
      () => `await ${answer()}.then?.((v) => { ${note()}; return v }).catch(${callback()}).finally(${callback()});`.replace('null.then', 'io(0).then'),
      () => `process.nextTick(${callback()});`,
      () => `queueMicrotask(${callback()});`,
      () => `setImmediate(${callback()});`,
      () => `setTimeout(${callback()}, ${random.one([1, 2, 3])});`,
      () => `c.signal.addEventListener('abort', ${callback().replace(/c\.abort\(\d\)/, 'x.a++')}, { once: true });`,
      () => `e.${random.one(['on', 'once'])}('${place()}', (v) => { log.push('e' + v) });`,
      () => `if (c.signal.aborted) { ${note()} } else { await ${answer()} }`,
      () => (depth < 2 ? `try { ${statement(depth + 1)} } catch (error) { log.push('caught ' + error) } finally { ${note()} }` : `${note()};`),
      () => (depth < 2 ? `const p${depth} = (async () => { ${statement(depth + 1)} })(); ${statement(depth + 1)} await p${depth};` : `${note()};`),
    ])()
  const task = (): string => `(async () => { ${Array.from({ length: 1 + random.below(3) }, () => `{ ${statement(0)} }`).join(' ')} })()`
  const tasks = Array.from({ length: 1 + random.below(3) }, task)
  return `const log = []; const x = { a: 0, b: 0 }; const c = new AbortController(); const e = new EventEmitter();
const sleep = (ms) => new Promise((end) => setTimeout(end, ms, 'slept'));
const late = async (v) => { await io(null); return v };
async function* each(all) { try { for (const one of all) yield await one } finally { x.b++ } }
const ended = await Promise.allSettled([${tasks.join(', ')}]); await sleep(30); return [log, x.a, x.b, ended.map(({ status, reason }) => status + reason)]`
}

/** Tasks that settle promises which others wait for: by a call, or by what an answer, an async call or another such promise comes to. */
function generateSettling(random: Random): string {
  const shared = (): string => `d[${random.below(2)}]`
  const value = (): string => String(random.below(9))
  const note = (): string => random.one([`log.push(${random.below(100)})`, `x.a++`, `log.push(x.a)`])
  const promise = (): string => random.one([`late(${value()})`, `late(${value()})`, `fails(${value()})`, `twice(${value()})`, `io(${value()})`, `${shared()}.promise`, `(async () => { ${note()}; await io(0); ${note()}; return ${value()} })()`])
  const settlers = (one: string): string => random.one([`${one}.resolve, ${one}.reject`, `${one}.resolve, ${one}.reject`, `${one}.resolve`, `undefined, ${one}.reject`, `${one}.reject, ${one}.resolve`, `d[0].resolve, d[1].reject`, `(v) => { ${note()}; ${one}.resolve(v) }, ${one}.reject`])
  const statement = (): string =>
    random.one([
      () => `${note()};`,
      () => `await io(null); ${note()};`,
      () => `void ${promise()}.then(${settlers(shared())})${random.percent(30) ? '.finally(() => {})' : ''}.catch(() => {});`,
      () => `void ${promise()}.then(${settlers(shared())})${random.percent(30) ? `.then(() => { ${note()} })` : ''}.catch(() => {});`,
      () => `log.push(await ${shared()}.promise.catch((e) => 'e' + e)); ${note()};`,
      () => `log.push(await new Promise((resolve, reject) => { ${promise()}.then(resolve, reject); ${promise()}.then(resolve, reject) }).finally(() => { ${note()} }).catch((e) => 'c' + e));`,
      () => `await io(null); ${shared()}.resolve(${random.one([value(), promise()])});`,
      () => `${shared()}.reject(${value()});`,
    ])()
  const task = (): string => `(async () => { ${Array.from({ length: 1 + random.below(3) }, statement).join(' ')} })()`
  const tasks = Array.from({ length: 1 + random.below(3) }, task)
  return `const log = []; const x = { a: 0 };
const deferred = () => { const made = {}; made.promise = new Promise((resolve, reject) => { made.resolve = resolve; made.reject = reject }); made.promise.catch(() => {}); return made };
const d = [deferred(), deferred()];
const late = async (v) => { await io(null); return v };
const fails = async (v) => { await io(null); throw v };
const twice = async (v) => { await null; await io(null); return late(v) };
const all = [${tasks.join(', ')}]; await io(null); await io(null); d[0].resolve('end'); d[1].resolve('end');
const ended = await Promise.allSettled(all); return [log, x.a, ended.map(({ status, reason }) => status + reason)]`
}

/** Combinators of combinators: of answers, and of what takes more or fewer microtasks, as promises of other classes, thenables and async calls do. */
function generateCombining(random: Random): string {
  const value = (): string => String(random.below(9))
  const note = (): string => `log.push(${10 + random.below(90)})`
  const leaf = (): string => random.one([`io(${value()})`, `io(${value()})`, `io(Promise.reject('no'))`, `late(${value()})`, value(), `Promise.resolve(${value()})`, `Special.resolve(${value()})`, `thenable(${value()})`, `Promise.reject('e')`, `d.promise`, `(async () => ${random.one(['io(1)', 'late(2)', 'Promise.resolve(3)', '4'])})()`])
  const part = (depth: number): string =>
    random.one([
      leaf,
      leaf,
      leaf,
      () => (depth < 2 ? `${random.one(['Promise', 'Promise', 'Promise', 'Special'])}.${random.one(['race', 'any', 'all', 'allSettled'])}([${Array.from({ length: 1 + random.below(3) }, () => part(depth + 1)).join(', ')}])${random.one(['', '', '.then(shown)', '.finally(() => {})', '.catch(() => 0)'])}` : leaf()),
      () => `new Promise((resolve) => resolve(${leaf()}))`,
    ])()
  const queued = (): string => random.one([`queueMicrotask(() => { ${note()} });`, `process.nextTick(() => { ${note()} });`, `queueMicrotask(() => { ${note()}; queueMicrotask(() => { ${note()} }) });`, `setTimeout(() => { ${note()}; d.resolve('d') }, 1);`, `${note()};`, `d.resolve(${value()});`])
  const task = (): string => `(async () => { ${random.percent(40) ? queued() : ''} log.push(shown(await Promise.${random.one(['race', 'race', 'any', 'all', 'allSettled'])}([${Array.from({ length: 2 + random.below(2) }, () => part(0)).join(', ')}]).catch((e) => 'c' + e))); ${random.percent(30) ? queued() : ''} })()`
  return `const log = []; class Special extends Promise {}
const shown = (v) => typeof v === 'object' ? JSON.stringify(v) : String(v);
const late = async (v) => { await io(null); return v };
const thenable = (v) => ({ then(resolve) { resolve(v) } });
const d = {}; d.promise = new Promise((resolve) => { d.resolve = resolve });
const all = [${Array.from({ length: 1 + random.below(2) }, task).join(', ')}]; await io(null); await new Promise((end) => setTimeout(end, 5)); d.resolve('end');
await Promise.all(all); return log`
}

/** Async calls that ask several times, are kept, and are waited for later: by nobody, by one or by several, and by those that have asked for something else meanwhile. */
function generateCalls(random: Random): string {
  const note = noting(random)
  const kept = (): string => `p[${random.below(3)}]`
  const times = (): number => random.below(3)
  const call = (): string => random.one([`asks(${times()})`, `asks(${times()})`, `asks(${times()})`, `passes(${times()})`, `both(${times()}, ${times()})`, `after(${kept()})`, `after(d.promise)`, `(async () => { await ${kept()}; ${note()}; await io(null); ${note()} })()`])
  const statement = (): string =>
    random.one([
      () => `${note()};`,
      () => `${kept()} = ${call()};`,
      () => `${kept()} = ${call()};`,
      () => `${kept()} = ${call()};`,
      () => `await ${kept()}; ${note()};`,
      () => `await ${kept()}; ${note()};`,
      () => `await ${call()}; ${note()};`,
      () => `await Promise.all([${kept()}, ${call()}]); ${note()};`,
      () => `await io(null); ${note()};`,
      () => `await null; ${note()};`,
      () => `d.resolve();`,
    ])()
  const task = (): string => `(async () => { ${Array.from({ length: 1 + random.below(4) }, statement).join(' ')} })()`
  return `const log = []; const x = { a: 0, b: 0 }; const p = []; const d = {}; d.promise = new Promise((resolve) => { d.resolve = resolve });
const asks = async (times) => { for (let i = 0; i < times; i++) { await io(null); ${note()} } return times };
const passes = async (times) => { ${note()}; return asks(times) };
const both = async (one, other) => { const first = asks(one); const second = asks(other); await first; ${note()}; await second; ${note()} };
const after = async (promise) => { await promise; await io(null); ${note()} };
const all = [${Array.from({ length: 1 + random.below(2) }, task).join(', ')}]; await io(null); d.resolve(); await Promise.all(all); await Promise.all(p); return [log, x.a, x.b]`
}

/** What data flows through in memory: streams of Node's and of the web, bodies, emitters and generators, into which answers put it and from which tasks take it. */
function generateStreams(random: Random): string {
  const note = noting(random)
  const all = ['written', 'read', 'shared', 'transformed', 'generated', 'pulled', 'branches', 'body', 'emitted', 'left', 'ended', 'slow']
  const ways = Array.from({ length: 3 }, () => random.one(all))
  const call = (): string => `${random.one(ways)}(${random.below(9)})`
  const kept = (): string => `p[${random.below(2)}]`
  const statement = (): string =>
    random.one([
      () => `${note()};`,
      () => `log.push(await ${call()});`,
      () => `log.push(await ${call()});`,
      () => `${kept()} = ${call()};`,
      () => `await ${kept()}; ${note()};`,
      () => `log.push('r' + await Promise.race([${call()}, ${call()}]));`,
      () => `await io(null); ${note()};`,
    ])()
  const task = (): string => `(async () => { ${Array.from({ length: 1 + random.below(3) }, statement).join(' ')} })()`
  return `const log = []; const x = { a: 0, b: 0 }; const p = []; const e = new EventEmitter(); const { PassThrough, Readable, Transform, Writable } = stream;
const objects = () => new PassThrough({ objectMode: true });
const all = async (values) => { let text = ''; for await (const value of values) text += value; return text };
const one = objects(); one.on('data', (value) => { log.push('d' + value) });
const slowly = new Writable({ objectMode: true, highWaterMark: 1, write: (value, _, done) => { io(value).then((v) => { log.push('w' + v); done() }) } });
const written = (v) => { const s = objects(); io(v).then((value) => { s.write(value); s.end('e') }); return all(s) };
const read = (v) => all(Readable.from((async function* () { yield await io(v); yield await io('b') })()));
const shared = async (v) => { one.write(await io(v)); return 's' };
const transformed = async (v) => { const got = []; await stream.promises.pipeline(Readable.from([1, 2]), new Transform({ objectMode: true, transform: (value, _, done) => { io(v).then((w) => done(null, value + w)) } }), new Writable({ objectMode: true, write: (value, _, done) => { got.push(value); done() } })); return 't' + got };
const generated = async (v) => { const got = []; await stream.promises.pipeline([1], async function* (values) { for await (const value of values) yield value + (await io(v)) }, async (values) => { for await (const value of values) got.push(value) }); return 'g' + got };
const pulled = (v) => all(new ReadableStream({ async pull(controller) { controller.enqueue(await io(v)); controller.close() } }));
const branches = async (v) => (await Promise.all(new ReadableStream({ async start(controller) { controller.enqueue(await io(v)); controller.close() } }).tee().map(all))).join();
const body = async (v) => (await new Response(JSON.stringify({ v: await io(v) })).json()).v;
const emitted = async (v) => { io(v).then((value) => e.emit('x', value)); return 'e' + (await events.once(e, 'x')) };
const left = async (v) => { for await (const value of Readable.from((async function* () { try { yield await io(v); yield 'no' } finally { ${note()} } })())) return 'l' + value };
const ended = async (v) => { const s = new PassThrough(); s.resume(); io(v).then(() => s.end()); await stream.promises.finished(s); return 'f' };
const slow = (v) => new Promise((done) => (slowly.write(v) ? done('ok') : slowly.once('drain', () => done('drained'))));
await Promise.all([${Array.from({ length: 1 + random.below(2) }, task).join(', ')}]); await Promise.all(p); await new Promise((end) => setTimeout(end, 5)); return [log, x.a, x.b]`
}

/**
 * What asynchronous programs have of their own on top of the language: a mutex and a semaphore, answers that are shared while they are under way, channels,
 * workers that take from one list, retries, limits of time, signals that end a wait, resources that are closed, pages of a generator, callbacks, lazy thenables.
 */
function generateIdioms(random: Random): string {
  const note = noting(random)
  const value = (): string => String(random.below(9))
  const answer = (): string => random.one([`io(${value()})`, `io(${value()})`, `memo(${random.below(2)})`, `asked(${value()})`, `lazy(${value()})`, `io(Promise.reject('no'))`])
  const work = (depth: number): string => `async () => { ${Array.from({ length: 1 + random.below(2) }, () => statement(depth + 1)).join(' ')} }`
  const small = (): string => random.one([`async () => { await ${answer()}; ${note()} }`, `async () => { ${note()}; await ${answer()}; ${note()} }`, `() => ${answer()}`, `async () => { ${note()} }`])
  const inner = (depth: number): string => (depth < 1 ? work(depth) : small())
  const statement = (depth: number): string =>
    random.one([
      () => `${note()};`,
      () => `await ${answer()}; ${note()};`,
      () => `await mutex.run(${inner(depth)});`,
      () => `${random.one(['await ', 'void '])}pool.use(${inner(depth)})${random.one(['', '.catch(() => {})'])};`,
      () => `log.push(await memo(${random.below(2)})); ${note()};`,
      () => `channel.put(${value()});`,
      () => `log.push(await channel.take());`,
      () => `await each([${value()}, ${value()}], ${1 + random.below(2)}, async (v) => { await ${answer()}; log.push(v) });`,
      () => `log.push(await retry(async (i) => { if (i < ${random.below(2)}) throw await ${answer()}; return i }));`,
      () => `log.push(await within(${1 + random.below(3)}, ${answer()}).catch((e) => 'w' + e));`,
      () => `log.push(await until(c.signal, ${answer()}).catch((e) => 'u' + e));`,
      () => `c.abort(${value()});`,
      () => `await using(${inner(depth)});`,
      () => `for await (const v of pages(${1 + random.below(2)})) { log.push(v); ${random.one(['break;', `${note()};`, `await ${answer()};`])} }`,
      () => `log.push((await EventEmitter.once(e, 'a'))[0]);`,
      () => `e.emit('a', ${value()});`,
      () => `log.push((await Promise.allSettled([${answer()}, Promise.race([${answer()}, ${answer()}])])).map((r) => r.status[0]).join(''));`,
    ])()
  const task = (): string => `(async () => { ${Array.from({ length: 1 + random.below(2) }, () => statement(0)).join(' ')} })()`
  return `const log = []; const x = { a: 0, b: 0 }; const c = new AbortController(); const e = new EventEmitter();
const sleep = (ms) => new Promise((end) => setTimeout(end, ms));
const ask = (v, done) => { io(v).then((r) => done(null, r), done) };
const asked = (v) => new Promise((resolve, reject) => ask(v, (error, r) => (error ? reject(error) : resolve(r))));
const lazy = (v) => ({ then(resolve, reject) { return io(v).then(resolve, reject) } });
class Mutex { #tail = Promise.resolve(); run(work) { const mine = this.#tail.then(work); this.#tail = mine.catch(() => {}); return mine } }
class Pool { #free = 1; #waiting = []; async use(work) { if (this.#free === 0) await new Promise((go) => this.#waiting.push(go)); else this.#free--; try { return await work() } finally { const next = this.#waiting.shift(); if (next) next(); else this.#free++ } } }
class Channel { #items = []; #takers = []; put(v) { const taker = this.#takers.shift(); if (taker) taker(v); else this.#items.push(v) } take() { return this.#items.length > 0 ? Promise.resolve(this.#items.shift()) : new Promise((taker) => this.#takers.push(taker)) } }
const mutex = new Mutex(); const pool = new Pool(); const channel = new Channel(); const known = new Map();
const memo = (k) => { let one = known.get(k); if (!one) known.set(k, one = io(k).finally(() => known.delete(k))); return one };
const each = (items, n, work) => { const left = items.values(); return Promise.all(Array.from({ length: n }, async () => { for (const item of left) await work(item) })) };
const retry = async (work) => { for (let i = 0; ; i++) try { return await work(i) } catch (error) { if (i === 2) throw error; await sleep(i + 1) } };
const within = (ms, work) => { let timer; return Promise.race([work, new Promise((_, reject) => { timer = setTimeout(() => reject('late'), ms) })]).finally(() => clearTimeout(timer)) };
const until = (signal, work) => new Promise((resolve, reject) => { if (signal.aborted) return reject(signal.reason); const end = () => reject(signal.reason); signal.addEventListener('abort', end, { once: true }); work.then(resolve, reject); });
const using = async (work) => { x.b++; try { return await work() } finally { await io(null); x.b-- } };
async function* pages(n) { try { for (let i = 0; i < n; i++) yield await io('p' + i) } finally { await io(null); log.push('closed') } }
const all = [${Array.from({ length: 2 + (random.percent(30) ? 1 : 0) }, task).join(', ')}];
const ended = await Promise.race([Promise.allSettled(all), sleep(50)]); await sleep(20); return [log, x.a, x.b, ended?.map(({ status, reason }) => status + reason)]`
}
