import type { Random } from './random.ts'

/**
 * A random module: `make()` gives `{ setup, tasks }` of async functions over shared state, and
 * `outcome(state, results)` all that can be observed at the end.
 */
export function generateModule(random: Random, { asksForTime = false } = {}): string {
  const pool = Array.from({ length: 3 + random.int(5) }, () => random.int(1000))
  const areRequests = random.chance(15)
  const tasks = Array.from({ length: 2 + random.int(2) }, (_, i) => task(random, { index: i, pool, asksForTime, areRequests }))
  return `
    let shared = 0
    let other = 0
    class Box {
      #n = 0
      static count = 0
      get n() { return this.#n }
      set n(v) { this.#n = v }
      async later(v) { await null; this.#n += v; return this.#n }
    }
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    function setup() {
      shared = 0
      other = 0
      Box.count = 0
      registry.n = 0
      registry.items.clear()
      registry.names.length = 0
      const s = { began: performance.now(), x: 0, y: 0, o: { a: 1 }, list: [], map: new Map(), set: new Set(), box: new Box(), emitter: new Emitter(), bytes: new Uint8Array(2), walk: [5, 6, 7].values(), steps: undefined, resolve: undefined, reject: undefined, p: undefined, a: deferred(), b: deferred(), pending: [Promise.resolve(1)], waiting: new Set(), letters: undefined, log: new Log(), derived: undefined, mine: undefined }
      s.p = new Promise((resolve, reject) => { s.resolve = resolve; s.reject = reject })
      s.p.catch(() => {})
      s.steps = count(s)
      s.letters = letters(s)
      s.few = few(s)
      s.derived = new Derived(s)
      s.mine = Mine.open()
      return s
    }
    const registry = { n: 0, items: new Map(), names: [] }
    const counters = new WeakMap()
    class Emitter {
      #listeners = new Set()
      on(f) { this.#listeners.add(f); return () => this.#listeners.delete(f) }
      emit(v) { for (const f of this.#listeners) f(v) }
    }
    class Base { constructor(s) { this.s = s } get m() { return this.n ?? 0 } set m(v) { this.n = v } async touch() { this.s.x++; await null; return this.s.y } }
    class Derived extends Base { bump(v) { super.k = v; super.m += v; super.m++; return super.m } async late(v) { super.m = super.m + (await v); return this.n } async touch() { const v = await super.touch(); this.s.x -= v; return v } }
    class Log extends Map { set(key, value) { return super.set(key, value) } size2() { return super.size } }
    class Mine extends Promise { static open() { let settle; const promise = new Mine((resolve) => { settle = resolve }); promise.settle = settle; return promise } }
    function deferred() { let settle, fail; const promise = new Promise((resolve, reject) => { settle = resolve; fail = reject }); promise.catch(() => {}); return { promise, settle, fail } }
    async function* letters(s) { try { while (true) { yield s.x; await null; yield s.y } } finally { s.y += 3 } }
    async function* few(s) { try { s.x = 1 + (yield s.x) } catch (e) { yield e.message } finally { await null; s.x++ } }
    const thenable = (s) => ({ then(done) { done(s.x) } })
    async function add(s, v) { const old = s.x; await null; s.x = old + v; return s.x }
    async function bump(v) { const old = shared; await null; shared = old + v; return shared }
    async function direct(s, v) { s.y += v; return s.y }
    async function nested(s, v) { return add(s, v) }
    async function fails(s) { await null; s.y++; throw new Error('y' + s.y) }
    function* count(s) { yield s.x; yield s.y }
    async function* stream(s) { yield s.x; await null; yield s.y }
    const tasks = [${tasks.join(',\n')}]
    function outcome(s, results) {
      return JSON.stringify([results, s.x, s.y, Object.entries(s.o).sort(), s.list, [...s.map].sort(), [...s.set].sort(), s.box.n, Box.count, shared, other, registry.n, [...registry.items].sort(), registry.names, [...s.bytes], s.pending.length, s.waiting.size, [...s.log].sort(), s.derived.n, s.derived.k])
    }
    return { setup, tasks, outcome }
  `
}

interface StatementOptions {
  readonly pool: readonly number[]
  readonly asksForTime: boolean
  /** Most statements are requests to async generators. */
  readonly areRequests: boolean
}

function task(random: Random, { index, ...options }: StatementOptions & { index: number }): string {
  const lines = Array.from({ length: 1 + random.int(3) }, () => statement(random, { depth: 0, ...options }))
  return `async function task${index}(s) { let v = ${index + 1}, w, p; const out = []; ${lines.join(' ')} return out }`
}

/** What an iteration finds, without its order: the order in which keys are added is no conflict. */
function collecting(pattern: string, source: string, found: string): string {
  return `{ const found = []; for (const ${pattern} of ${source}) { await null; found.push(${found}); } out.push(found.sort().join()); }`
}

const values = ['v', '1', '2', 'v + 1']

/** Requests to async generators of all tasks: waiting, at work, and over. */
function requests(value: string): (() => string)[] {
  return [
    () => `out.push((await s.letters.next()).value);`,
    () => `out.push((await s.letters.return(${value})).value);`,
    () => `out.push(await s.letters.throw(new Error('t')).catch((e) => e.message));`,
    () => `out.push((await s.letters.return(s.a.promise).catch((e) => ({ value: e }))).value);`,
    () => `out.push((await s.letters.return(direct(s, 1))).done, (await s.letters.next()).done);`,
    () => `{ const both = [s.letters.next(), s.letters.return(5)]; out.push((await both[1]).value, (await both[0]).value); }`,
    () => `for await (const item of s.letters) { out.push(item); break; }`,
    () => `for await (const item of s.letters) { if (out.push(item) > 2) break; }`,
    () => `out.push((await s.few.next()).value);`,
    () => `out.push((await s.few.return(6)).value);`,
    () => `out.push(await s.few.throw(new Error('u')).catch((e) => e.message));`,
    () => `for await (const item of s.few) { out.push(item); break; }`,
    () => `for await (const item of s.few) out.push(item);`,
    () => `s.few.next(); s.few.return(s.p.catch(() => 7)); out.push((await s.few.next()).done);`,
  ]
}

/** Statements come from a small pool for each program, so that its tasks meet at the same places. */
function statement(random: Random, { depth, ...options }: StatementOptions & { depth: number }): string {
  const { pool, asksForTime, areRequests } = options
  const value = random.pick(values)
  const inner = (): string => statement(random, { depth: depth + 1, ...options })
  const kinds = [
    () => `s.x = ${value};`,
    () => `s.y += ${value};`,
    () => `v = s.x;`,
    () => `v = s.y; out.push(v);`,
    () => `shared = ${value};`,
    () => `v = shared;`,
    () => `other++;`,
    () => `out.push(other);`,
    () => `s.map.set('${random.pick(['a', 'b'])}', ${value});`,
    () => `out.push(s.map.get('${random.pick(['a', 'b'])}'));`,
    () => `s.map.delete('a');`,
    () => `out.push(s.map.size);`,
    () => `out.push([...s.map.keys()].length);`,
    () => `s.set.add(${value});`,
    () => `out.push(s.set.has(1));`,
    () => `s.list.push(${value});`,
    () => `out.push(s.list.shift());`,
    () => `out.push(s.list.length);`,
    () => `for (const item of s.list) { v += item; }`,
    () => `s.list[0] = ${value};`,
    () => `s.o.${random.pick(['a', 'b'])} = ${value};`,
    () => `delete s.o.a;`,
    () => `out.push(Object.keys(s.o).length);`,
    () => `out.push('a' in s.o);`,
    () => `{ const { x, y } = s; out.push(x, y); }`,
    () => `out.push({ ...s.o }.a);`,
    () => `s.box.n += ${value};`,
    () => `Box.count++;`,
    () => `out.push(s.box?.n, Box.count);`,
    () => `out.push([...count(s)].join());`,
    () => `[s.x, s.y] = [s.y, s.x];`,
    () => `s.z ??= ${value};`,
    () => `out.push(s.z);`,
    () => `registry.n += ${value};`,
    () => `registry.items.set('k', ${value}); out.push(registry.items.size);`,
    () => `registry.names.push(${value}); out.push(registry.names.join());`,
    () => `Object.assign(s.o, { ${random.pick(['a', 'b'])}: ${value} });`,
    () => `{ const keys = []; for (const key in s.o) keys.push(key + s.o[key]); out.push(keys.sort().join()); }`,
    () => `out.push([...JSON.stringify(s.o)].sort().join(''));`,
    () => `s.list.splice(0, 1, ${value});`,
    () => `out.push(s.list.map((item) => item + 1).join());`,
    () => `s.list.sort();`,
    () => `out.push(s.list.at(-1), s.list.includes(1));`,
    () => `s.bytes[0] = ${value}; out.push(s.bytes[1]);`,
    () => `s.bytes.fill(${value});`,
    () => `counters.set(s, (counters.get(s) ?? 0) + 1); out.push(counters.get(s)); counters.delete(s);`,
    () => `s.emitter.emit(${value});`,
    () => `w = s.emitter.on((e) => { s.x += e; });`,
    () => `({ x: s.y, y: v } = s);`,
    () => `{ const [first, ...rest] = s.list; out.push(first, rest.length); }`,
    () => `{ const { a, ...rest } = s.o; out.push(a, Object.keys(rest).sort().join()); }`,
    () => `s.o = { ...s.o, c: ${value} };`,
    () => `out.push(Reflect.has(s.o, 'a'), Object.hasOwn(s.o, 'b'));`,
    () => `s.x++; s.y--; out.push(s.x);`,
    () => `s.z &&= ${value};`,
    // Switch points.
    () => collecting('[key, item]', 's.map.entries()', 'key + item'),
    () => `for (const item of s.list) { await null; out.push(item); }`,
    () => collecting('key', 's.map.keys()', 'key'),
    () => collecting('item', 's.map.values()', 'item'),
    () => collecting('item', 's.set', 'item'),
    () => `for (const item of s.walk) { out.push(item); break; }`,
    () => `for (const item of s.steps) { await null; out.push(item); }`,
    () => `out.push(s.walk.next().value, s.steps.next().value);`,
    () => `v = await new Derived(s).touch();`,
    () => `v = await thenable(s);`,
    () => `await Promise.all([fails(s), fails(s)]).catch((e) => { out.push(e.message); });`,
    () => `await direct(s, 1).finally(async () => { await null; s.y += 2; });`,
    () => `await new Promise((resolve) => { resolve(add(s, 1)); resolve(5); }).then((r) => { out.push(r); });`,
    () => `p = s.p.then((r) => { s.x = r; return r; }, () => 3); out.push(await p);`,
    () => `w = setInterval(() => { s.y++; }, 1); await sleep(2); clearInterval(w);`,
    () => `out.push(await Promise.race([sleep(2).then(() => 'slow'), add(s, 1)]));`,
    () => `await null;`,
    () => `await null;`,
    () => `await null;`,
    () => `v = await add(s, ${value});`,
    () => `v = await nested(s, ${value});`,
    () => `await direct(s, ${value});`,
    () => `v = await bump(1);`,
    () => `v = await s.box.later(1);`,
    () => `p = add(s, 1); s.y = v; v = await p;`,
    () => `[v, w] = await Promise.all([add(s, 1), direct(s, 2)]);`,
    () => `v = await Promise.race([add(s, 1), bump(2)]);`,
    () => `v = await Promise.any([fails(s), direct(s, 3)]);`,
    () => `out.push((await Promise.allSettled([fails(s), bump(1)])).map((r) => r.status).join());`,
    () => `try { await fails(s); } catch (e) { out.push(e.message); }`,
    () => `add(s, 1).then((r) => { s.y = r; });`,
    () => `await direct(s, 1).then((r) => s.x + r).then((r) => { out.push(r); });`,
    () => `direct(s, 1).finally(() => { s.x++; });`,
    () => `s.resolve(${value});`,
    () => `s.reject(new Error('no'));`,
    () => `try { out.push(await s.p); } catch (e) { out.push(e.message); }`,
    () => `await sleep(${random.pick([1, 2])});`,
    () => `setTimeout(() => { s.x = ${value}; }, 1);`,
    () => `w = setTimeout(() => { s.y = 7; }, 1); await sleep(1); clearTimeout(w);`,
    () => `queueMicrotask(() => { s.x += 10; });`,
    () => `for await (const item of stream(s)) { out.push(item); }`,
    // Promises that pass on the outcomes of others, and what asks who is first.
    () => `s.a.settle(${value});`,
    () => `s.b.settle(s.a.promise);`,
    () => `s.b.fail('b');`,
    () => `out.push(await Promise.race([s.a.promise.catch(() => {}), s.b.promise.then(), add(s, 1)]));`,
    () => `out.push(await Promise.race([Promise.all([s.a.promise]), (async () => s.b.promise)(), sleep(1)]).catch((e) => e));`,
    () => `out.push(await Promise.any([s.b.promise.finally(), direct(s, 2).then()]));`,
    () => `out.push((await Promise.all(s.pending)).length);`,
    () => `s.pending.push(direct(s, 1));`,
    () => `out.push((await Promise.allSettled(s.waiting)).length);`,
    () => `s.waiting.add(direct(s, 1));`,
    () => `for await (const item of s.list) { out.push(item); }`,
    ...requests(value),
    () => `v = await new Promise((resolve) => resolve({ then(done) { s.y++; done(s.x) } }));`,
    () => `s.b.settle({ then(done) { done(s.x) } });`,
    () => `s.mine.settle(${value});`,
    () => `out.push(await Mine.race([s.mine.then((r) => r), Mine.resolve(s.x).then()]));`,
    () => `s.log.set('${random.pick(['a', 'b'])}', ${value}); out.push(s.log.get('a'));`,
    () => `out.push(s.derived.bump(${value}));`,
    () => `out.push(await s.derived.late(${value}), s.derived.k);`,
  ]
  if (asksForTime) kinds.push(() => `out.push(performance.now() - s.began);`, () => `setTimeout(() => { out.push(performance.now() - s.began); }, 2);`)
  if (depth < 2) {
    kinds.push(
      () => `if (s.x < ${random.int(3)}) { ${inner()} }`,
      () => `if (${random.pick(['shared', 's.y', 's.list.length', 'v'])} > 0) { ${inner()} } else { ${inner()} }`,
      () => `await (async () => { ${inner()} ${inner()} })();`,
    )
  }
  if (areRequests && random.chance(75)) return random.pick(requests(value))()
  const choice = random.chance(25) ? random.int(kinds.length) : random.pick(pool)
  return kinds[choice % kinds.length]!()
}
