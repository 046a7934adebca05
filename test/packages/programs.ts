import { Random } from '../reference/random.ts'

/** Draws parts of a program. */
export interface Draw {
  readonly one: <T>(values: readonly T[]) => T
  readonly below: (end: number) => number
  /** A digit. */
  readonly value: () => string
  /** Changes the shared state, or notes it; an expression. */
  readonly note: () => string
  /** What takes its time, and may fail. */
  readonly answer: () => string
  /** A function that does work. */
  readonly work: () => string
}

/** How programs use a package. */
interface Use {
  /** Run once, before the tasks. The package is `lib`. */
  readonly setup: (draw: Draw) => string
  readonly statements: readonly ((draw: Draw) => string)[]
}

/** By the module that is imported. */
export const uses: Readonly<Record<string, Use>> = {
  'p-queue': {
    setup: (draw) => `const PQueue = lib.default; const q = new PQueue({ concurrency: ${draw.one(['1', '2'])} });`,
    statements: [
      (draw) => `await q.add(${draw.work()}${draw.one(['', ', { priority: ' + draw.value() + ' }'])});`,
      (draw) => `void q.add(${draw.work()}).catch(() => {});`,
      () => `log.push(q.size, q.pending);`,
      () => `await q.onIdle(); log.push('idle');`,
      () => `q.onEmpty().then(() => log.push('empty'));`,
      () => `q.pause();`,
      () => `q.start();`,
      () => `q.clear();`,
      (draw) => `await q.onSizeLessThan(2); ${draw.note()};`,
      (draw) => `await q.add(${draw.work()}, { timeout: 2 }).catch((e) => log.push(e?.name ?? e));`,
      (draw) => `await q.add(${draw.work()}, { signal: c.signal }).catch((e) => log.push('s' + (e?.name ?? e)));`,
      (draw) => `await q.addAll([${draw.work()}, ${draw.work()}]);`,
      () => `await io(0); c.abort(5);`,
    ],
  },
  'p-limit': {
    setup: (draw) => `const limit = lib.default(${draw.one(['1', '2'])});`,
    statements: [
      (draw) => `await limit(${draw.work()});`,
      (draw) => `void limit(${draw.work()}).catch(() => {});`,
      () => `log.push(limit.activeCount, limit.pendingCount);`,
      () => `limit.clearQueue();`,
      (draw) => `await limit.map([1, 2], async (v) => { await io(v); ${draw.note()} });`,
      (draw) => `limit.concurrency = ${1 + draw.below(2)};`,
    ],
  },
  'p-map': {
    setup: () => `const pMap = lib.default;`,
    statements: [
      (draw) => `log.push(await pMap([1, 2, 3], async (v) => { await io(v); ${draw.note()}; ${draw.one(['', 'if (v === 2) throw "no";'])} return v }, { concurrency: ${1 + draw.below(2)}${draw.one(['', ', stopOnError: false'])}, signal: c.signal }).catch((e) => 'c' + (e?.name ?? e)));`,
      (draw) => `for await (const v of lib.pMapIterable([1, 2, 3], async (v) => { await io(v); ${draw.note()}; return v }, { concurrency: ${1 + draw.below(2)} })) { log.push(v); ${draw.one(['', 'break;',draw.note()])} }`,
      () => `await io(0); c.abort(5);`,
    ],
  },
  'p-retry': {
    setup: () => `const pRetry = lib.default;`,
    statements: [
      (draw) => `log.push(await pRetry(async (i) => { await ${draw.answer()}; ${draw.note()}; if (i < 2) throw new Error('no'); return i }, { retries: 1, minTimeout: 1, signal: c.signal }).catch((e) => 'c' + (e?.name ?? e)));`,
      () => `await io(0); c.abort(5);`,
    ],
  },
  'p-debounce': {
    setup: () => `const deb = lib.default(async (v) => { log.push('r' + v); await io(v); return v }, 2); const prom = lib.default.promise(async (v) => { log.push('p' + v); await io(v); return v });`,
    statements: [
      (draw) => `log.push(await deb(${draw.value()}));`,
      (draw) => `void deb(${draw.value()});`,
      (draw) => `log.push(await prom(${draw.value()}));`,
    ],
  },
  'p-memoize': {
    setup: () => `const memo = lib.default(async (k) => { log.push('m' + k); await io(k); if (k > 6) throw 'no'; return x.a++ });`,
    statements: [
      (draw) => `log.push(await memo(${draw.below(2)}).catch((e) => e));`,
      (draw) => `log.push(await memo(${draw.value()}).catch((e) => e));`,
    ],
  },
  'p-event': {
    setup: () => `const e = new EventEmitter(); const { pEvent, pEventMultiple, pEventIterator } = lib;`,
    statements: [
      () => `log.push(await pEvent(e, 'a', { timeout: 3 }).catch((x) => x.name));`,
      (draw) => `log.push(await pEvent(e, 'a', { filter: (v) => v > ${draw.value()}, rejectionEvents: ['b'], signal: c.signal }).catch((x) => x?.name ?? x));`,
      (draw) => `await io(0); e.emit('a', ${draw.value()});`,
      (draw) => `await io(0); e.emit('b', ${draw.value()});`,
      () => `log.push(await pEventMultiple(e, 'a', { count: 2, timeout: 4 }).catch((x) => x.name));`,
      (draw) => `for await (const v of pEventIterator(e, 'a', { limit: ${1 + draw.below(2)}, resolutionEvents: ['b'] })) log.push('i' + v);`,
      () => `await io(0); c.abort(5);`,
    ],
  },
  'async-mutex': {
    setup: (draw) => `const { Mutex, Semaphore, withTimeout, tryAcquire } = lib; const m = new Mutex(); const s = new Semaphore(${draw.one(['1', '2'])}); const t = withTimeout(m, 2);`,
    statements: [
      (draw) => `await m.runExclusive(${draw.work()}).catch((e) => log.push('c' + (e?.name ?? e?.message ?? e)));`,
      (draw) => `await s.runExclusive(async ([v]) => { log.push(v); await io(0); ${draw.note()} }, ${1 + draw.below(2)}).catch((e) => log.push('c' + (e?.message ?? e)));`,
      (draw) => `{ const release = await m.acquire().catch((e) => log.push('x') && undefined); ${draw.note()}; await io(0); release?.() }`,
      () => `log.push(m.isLocked());`,
      (draw) => `await t.runExclusive(${draw.work()}).catch((e) => log.push('t' + (e?.message ?? e)));`,
      () => `m.cancel();`,
      () => `await m.waitForUnlock(); log.push('free');`,
      (draw) => `await tryAcquire(m).runExclusive(${draw.work()}).catch((e) => log.push('n'));`,
    ],
  },
  dataloader: {
    setup: () => `const dl = new lib.default(async (keys) => { log.push('b' + keys.join('')); await io(0); x.b++; return keys.map((k) => k > 6 ? new Error('no') : k * 10 + x.a) });`,
    statements: [
      (draw) => `log.push(await dl.load(${draw.value()}).catch((e) => e.message));`,
      (draw) => `void dl.load(${draw.below(3)}).then((v) => log.push(v));`,
      (draw) => `log.push(...await dl.loadMany([${draw.below(3)}, ${draw.below(3)}]));`,
      (draw) => `dl.clear(${draw.below(3)});`,
      () => `dl.clearAll();`,
      (draw) => `dl.prime(${draw.below(3)}, 'p');`,
    ],
  },
  rxjs: {
    setup: () => `const { Subject, BehaviorSubject, from, of, mergeMap, switchMap, concatMap, exhaustMap, debounceTime, throttleTime, combineLatest, race, shareReplay, retry, timer, takeUntil, firstValueFrom, lastValueFrom, bufferTime, delay, catchError, timeout, merge, zip, scan, finalize } = lib; const s = new Subject(); const b = new BehaviorSubject(0); const stop = new Subject(); const shared = from(Promise.resolve().then(() => io(7))).pipe(shareReplay(1));`,
    statements: [
      (draw) => `s.pipe(${draw.one(['mergeMap', 'switchMap', 'concatMap', 'exhaustMap'])}((v) => from(io(v))), takeUntil(stop)).subscribe((v) => { log.push('s' + v); ${draw.note()} });`,
      (draw) => `await io(0); s.next(${draw.value()});`,
      (draw) => `s.next(${draw.value()});`,
      (draw) => `b.next(${draw.value()});`,
      () => `combineLatest([b, s]).subscribe(([p, q]) => { log.push(p + ', ' + q) });`,
      (draw) => `s.pipe(debounceTime(${1 + draw.below(3)})).subscribe((v) => { log.push('d' + v) });`,
      (draw) => `log.push(await firstValueFrom(race(from(io(1)), from(io(2)), timer(${1 + draw.below(3)}))));`,
      () => `log.push(await firstValueFrom(shared));`,
      () => `await io(0); stop.next();`,
      () => `log.push(await lastValueFrom(from(io(1)).pipe(mergeMap((v) => { if (x.a++ < 1) throw 'no'; return of(v) }), retry({ count: 2, delay: 1 }), catchError((e) => of(e)))));`,
      () => `log.push(await firstValueFrom(from(io(3)).pipe(delay(2), timeout(3), catchError((e) => of(e.name)))));`,
      (draw) => `log.push(await lastValueFrom(merge(from(io(1)), from(io(2))).pipe(scan((p, q) => p + ', ' + q), finalize(() => { ${draw.note()} }))));`,
      () => `log.push(await lastValueFrom(zip(from(io(1)), from(io(2)))));`,
    ],
  },
  'zustand/vanilla': {
    setup: () => `const st = lib.createStore((set, get) => ({ n: 0, load: async (v) => { const at = get().n; await io(v); set({ n: at + v }) }, inc: async () => { await io(0); set((s) => ({ n: s.n + 1 })) } })); st.subscribe((s, p) => { log.push(p.n + '>' + s.n) });`,
    statements: [
      (draw) => `await st.getState().load(${draw.value()});`,
      () => `await st.getState().inc();`,
      () => `log.push(st.getState().n);`,
      (draw) => `st.setState({ n: ${draw.value()} });`,
      () => `await io(0); { const off = st.subscribe((s) => { log.push('z' + s.n); off() }) }`,
    ],
  },
  'lru-cache': {
    setup: () => `const lru = new lib.LRUCache({ max: 2, fetchMethod: async (k, old, { signal }) => { log.push('f' + k); signal.addEventListener('abort', () => log.push('ab')); await io(k); if (k > 6) throw 'no'; return k + ':' + x.a++ }, dispose: (v, k, why) => { log.push(why + k) } });`,
    statements: [
      (draw) => `log.push(await lru.fetch(${draw.below(3)}).catch((e) => 'c' + (e?.message ?? e)));`,
      (draw) => `log.push(await lru.fetch(${draw.value()}, { forceRefresh: true }).catch((e) => 'c' + (e?.message ?? e)));`,
      (draw) => `lru.delete(${draw.below(3)});`,
      (draw) => `lru.set(${draw.below(3)}, 's');`,
      (draw) => `log.push(lru.get(${draw.below(3)}));`,
      (draw) => `void lru.fetch(${draw.below(3)}, { signal: c.signal }).catch(() => log.push('sa'));`,
      () => `await io(0); c.abort(5);`,
    ],
  },
  '@tanstack/query-core': {
    setup: () => `const { QueryClient, QueryObserver } = lib; const qc = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Infinity } } }); const fetchOf = (k) => ({ queryKey: [k], queryFn: async ({ signal }) => { log.push('f' + k); await io(k); x.a++; return x.a } });`,
    statements: [
      (draw) => `log.push(await qc.fetchQuery(fetchOf(${draw.below(2)})).catch((e) => 'c' + e?.name));`,
      (draw) => `await qc.invalidateQueries({ queryKey: [${draw.below(2)}] });`,
      (draw) => `await qc.cancelQueries({ queryKey: [${draw.below(2)}] });`,
      (draw) => `qc.setQueryData([${draw.below(2)}], (v) => (v ?? 0) + 10);`,
      (draw) => `log.push(qc.getQueryData([${draw.below(2)}]));`,
      (draw) => `{ const ob = new QueryObserver(qc, fetchOf(${draw.below(2)})); const off = ob.subscribe((r) => { log.push(r.status[0] + r.fetchStatus[0] + r.data) }); await io(0); off() }`,
      (draw) => `await qc.ensureQueryData(fetchOf(${draw.below(2)})).catch((e) => log.push('c' + e?.name));`,
      (draw) => `await qc.refetchQueries({ queryKey: [${draw.below(2)}] });`,
    ],
  },
  async: {
    setup: (draw) => `const A = lib; const task = (v, done) => { io(v).then((r) => { log.push('t' + r); done(r > 6 ? 'no' : null, r) }) }; const q = A.queue(task, ${draw.one(['1', '2'])}); q.drain(() => { log.push('drain') });`,
    statements: [
      (draw) => `log.push(await A.parallel([(done) => task(${draw.value()}, done), (done) => task(1, done)]).catch((e) => 'c' + e));`,
      (draw) => `log.push(await A.mapLimit([1, 2, 3], 2, async (v) => { await io(v); ${draw.note()}; return v }));`,
      (draw) => `q.push(${draw.value()}, (e) => { log.push('q' + e) });`,
      (draw) => `q.unshift(${draw.value()}, () => {});`,
      () => `q.pause();`,
      () => `q.resume();`,
      () => `log.push(await A.race([(done) => task(1, done), (done) => task(2, done)]));`,
      () => `log.push(await A.auto({ a: (done) => task(1, done), b: (done) => task(2, done), c: ['a', 'b', (r, done) => done(null, r.a + r.b)] }).then((r) => r.c));`,
      () => `log.push(await A.waterfall([(done) => task(1, done), (v, done) => task(v + 1, done)]));`,
      () => `A.retry({ times: 2, interval: 1 }, (done) => { x.b++; done(x.b < 2 ? 'no' : null, x.b) }, (e, r) => { log.push('r' + e + r) });`,
      () => `await A.series([(done) => task(3, done), (done) => task(4, done)]).catch((e) => log.push('c' + e));`,
    ],
  },
  fastq: {
    setup: (draw) => `const fq = lib.default.promise(async (v) => { await io(v); log.push('w' + v); if (v > 6) throw 'no'; return v }, ${draw.one(['1', '2'])});`,
    statements: [
      (draw) => `log.push(await fq.push(${draw.value()}).catch((e) => e));`,
      (draw) => `void fq.push(${draw.value()}).catch(() => {});`,
      (draw) => `log.push(await fq.unshift(${draw.value()}).catch((e) => e));`,
      () => `await fq.drained(); log.push('drained');`,
      () => `fq.pause();`,
      () => `fq.resume();`,
      () => `log.push(fq.length(), fq.idle());`,
    ],
  },
  emittery: {
    setup: () => `const em = new lib.default();`,
    statements: [
      (draw) => `em.on('a', async (v) => { const d = v?.data ?? v; await io(0); log.push('l' + JSON.stringify(d)); ${draw.note()} });`,
      (draw) => `await em.emit('a', ${draw.value()}); ${draw.note()};`,
      (draw) => `await em.emitSerial('a', ${draw.value()}); log.push('es');`,
      () => `em.once('a').then((v) => log.push('o' + JSON.stringify(v?.data ?? v)));`,
      (draw) => `void em.emit('a', ${draw.value()});`,
      () => `em.clearListeners();`,
      () => `for await (const v of em.events('a')) { log.push('i' + JSON.stringify(v?.data ?? v)); break }`,
    ],
  },
  nanostores: {
    setup: () => `const { atom, map, computed, onMount, task, allTasks, listenKeys } = lib; const a = atom(0); const m = map({ p: 1, q: 2 }); const sum = computed([a, m], (v, w) => v + w.p); onMount(a, () => { log.push('mount'); task(async () => { await io(0); a.set(a.get() + 10) }); return () => { log.push('un') } });`,
    statements: [
      (draw) => `{ const off = ${draw.one(['a', 'sum', 'm'])}.subscribe((v) => { log.push(JSON.stringify(v)) }); await io(0); off() }`,
      (draw) => `await io(0); a.set(${draw.value()});`,
      (draw) => `m.setKey('p', ${draw.value()});`,
      () => `await allTasks(); log.push('all');`,
      () => `log.push(sum.get());`,
      () => `listenKeys(m, ['p'], (v) => { log.push('k' + v.p) });`,
    ],
  },
  'jotai/vanilla': {
    setup: () => `const { atom, createStore } = lib; const st = createStore(); const n = atom(1); const later = atom(async (get) => { const v = get(n); await io(0); return v * 10 }); const both = atom(async (get) => (await get(later)) + get(n)); const add = atom(null, async (get, set, v) => { await io(0); set(n, get(n) + v) });`,
    statements: [
      () => `log.push(await st.get(later));`,
      () => `log.push(await st.get(both));`,
      (draw) => `await st.set(add, ${draw.value()});`,
      (draw) => `st.set(n, ${draw.value()});`,
      (draw) => `{ const off = st.sub(${draw.one(['n', 'later', 'both'])}, () => { log.push('sub') }); await io(0); off() }`,
      () => `log.push(st.get(n));`,
    ],
  },
  cockatiel: {
    setup: () => `const { retry, handleAll, ConstantBackoff, timeout, TimeoutStrategy, bulkhead, circuitBreaker, ConsecutiveBreaker, wrap, fallback } = lib; const bh = bulkhead(1, 1); const br = circuitBreaker(handleAll, { halfOpenAfter: 5, breaker: new ConsecutiveBreaker(2) }); const rt = retry(handleAll, { maxAttempts: 1, backoff: new ConstantBackoff(1) });`,
    statements: [
      (draw) => `log.push(await bh.execute(${draw.work()}).catch((e) => 'b' + (e?.name ?? e?.message ?? e)));`,
      (draw) => `log.push(await br.execute(${draw.work()}).catch((e) => 'k' + (e?.constructor?.name ?? e)));`,
      (draw) => `log.push(await rt.execute(${draw.work()}).catch((e) => 'r' + e));`,
      (draw) => `log.push(await timeout(2, TimeoutStrategy.${draw.one(['Aggressive', 'Cooperative'])}).execute(async ({ signal }) => { await ${draw.answer()}; log.push(signal.aborted); return 1 }).catch((e) => 't' + (e?.constructor?.name ?? e)));`,
      (draw) => `log.push(await wrap(rt, bh).execute(${draw.work()}).catch((e) => 'w' + (e?.message ?? e)));`,
    ],
  },
  'bottleneck/light': {
    setup: (draw) => `const bn = new lib.default({ maxConcurrent: ${draw.one(['1', '2'])}, minTime: 0 });`,
    statements: [
      (draw) => `log.push(await bn.schedule(${draw.work()}).catch((e) => 'c' + (e?.message ?? e)));`,
      (draw) => `void bn.schedule({ priority: ${draw.value()} }, ${draw.work()}).catch(() => {});`,
      () => `log.push(bn.counts().RUNNING, bn.queued());`,
      () => `await bn.stop({ dropWaitingJobs: false }).catch(() => log.push('st'));`,
    ],
  },
}

/** A random body whose tasks use a package. @param code an expression for the package */
export function generate(name: string, code: string, seed: number): string {
  const random = new Random(seed * 31 + name.length)
  const { setup, statements } = uses[name]!
  const value = (): string => String(random.below(9))
  const note = (): string => random.one([`log.push(${10 + random.below(90)})`, 'x.a++', 'log.push(x.a)', 'x.b = x.a'])
  const answer = (): string => random.one([`io(${value()})`, `io(${value()})`, `io(Promise.reject('no'))`, `sleep(${1 + random.below(3)})`])
  const work = (): string => random.one([`async () => { await ${answer()}; ${note()}; return ${value()} }`, `async () => { ${note()}; await io(0); ${note()} }`, `async () => { ${note()}; return ${value()} }`, `() => io(${value()})`])
  const draw: Draw = { one: (values) => random.one(values), below: (end) => random.below(end), value, note, answer, work }
  const statement = (): string => (random.percent(70) ? random.one(statements)(draw) : random.one([`${note()};`, `await io(0); ${note()};`]))
  const task = (): string => `(async () => { ${Array.from({ length: 1 + random.below(3) }, statement).join(' ')} })()`
  return `const log = []; const x = { a: 0, b: 0 }; const c = new AbortController(); const sleep = (ms) => new Promise((end) => setTimeout(end, ms));
const lib = ${code};
${setup(draw)}
const all = [${Array.from({ length: 2 + random.below(2) }, task).join(', ')}];
const ended = await Promise.race([Promise.allSettled(all), sleep(50)]); await sleep(20); return [log, x.a, x.b, ended?.map(({ status, reason }) => status[0] + (reason?.name ?? reason))]`
}
