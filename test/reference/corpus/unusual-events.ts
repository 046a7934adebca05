import { apart, changeAndLook, changesAndEnd, type Case, type Changes, type Sharing } from './case.ts'

/** Emitters, targets, signals, timers, streams, the process and the global object. */

interface Row extends Sharing {
  /** Left out of the forms in which each task has an object of its own: it needs more than that object. */
  readonly isApart?: false
}

/** One task changes, one looks. */
const shared: readonly Row[] = [
  { name: 'emitter on, emit', make: 'const o = Object.assign(new EventEmitter(), { n: 0 })', change: `o.on('a', () => o.n++)`, look: `o.emit('a')` },
  { name: 'emitter prepend order', make: `const o = Object.assign(new EventEmitter(), { n: '' }); o.on('a', () => { o.n += 'x' })`, change: `o.prependListener('a', () => { o.n += 'y' })`, look: `(o.emit('a'), o.n)` },
  { name: 'emitter prependOnce', make: `const o = Object.assign(new EventEmitter(), { n: '' })`, change: `o.prependOnceListener('a', () => { o.n += 'y' })`, look: `(o.emit('a'), o.emit('a'), o.n)` },
  { name: 'emitter once consumed', make: `const o = new EventEmitter(); o.once('a', () => {})`, change: `o.emit('a')`, look: `o.listenerCount('a')` },
  { name: 'emitter once consumed, emit', make: `const o = new EventEmitter(); o.once('a', () => {})`, change: `o.emit('a')`, look: `o.emit('a')` },
  { name: 'emitter off', make: `const f = () => {}; const o = Object.assign(new EventEmitter(), { f }); o.on('a', f)`, change: `o.off('a', o.f)`, look: `o.listenerCount('a')` },
  { name: 'emitter removeAll', make: `const o = new EventEmitter(); o.on('a', () => {})`, change: 'o.removeAllListeners()', look: 'o.eventNames().length' },
  { name: 'emitter removeAll of one', make: `const o = new EventEmitter(); o.on('a', () => {})`, change: `o.removeAllListeners('a')`, look: `o.listeners('a').length` },
  { name: 'emitter rawListeners', make: 'const o = new EventEmitter()', change: `o.once('a', () => {})`, look: `o.rawListeners('a').length` },
  { name: 'emitter eventNames', make: 'const o = new EventEmitter()', change: `o.on('b', () => {})`, look: 'o.eventNames()' },
  { name: 'emitter error unheard throws', make: 'const o = new EventEmitter()', change: `o.on('error', () => {})`, look: `(() => { try { o.emit('error', new Error('x')); return 'ok' } catch (e) { return e.message } })()` },
  { name: 'emitter errorMonitor throws', make: 'const o = Object.assign(new EventEmitter(), { n: 0 })', change: 'o.on(events.errorMonitor, () => o.n++)', look: `(() => { try { o.emit('error', new Error('x')) } catch {} return o.n })()` },
  { name: 'emitter newListener', make: `const o = Object.assign(new EventEmitter(), { n: '' })`, change: `o.on('newListener', (e) => { o.n += String(e) })`, look: `(o.on('z', () => {}), o.n)` },
  { name: 'emitter removeListener event', make: `const o = Object.assign(new EventEmitter(), { n: '' }); o.once('z', () => {})`, change: `o.on('removeListener', (e) => { o.n += e })`, look: `(o.emit('z'), o.n)` },
  { name: 'emitter max listeners', make: 'const o = new EventEmitter()', change: 'o.setMaxListeners(3)', look: 'o.getMaxListeners()' },
  { name: 'emitter events.listenerCount', make: 'const o = new EventEmitter()', change: `o.on('b', () => {})`, look: `events.listenerCount(o, 'b')` },
  { name: 'emitter events.getEventListeners', make: 'const o = new EventEmitter()', change: `o.on('b', () => {})`, look: `events.getEventListeners(o, 'b').length` },
  { name: 'emitter symbol event', make: `const s = Symbol('e'); const o = Object.assign(new EventEmitter(), { s })`, change: 'o.on(o.s, () => {})', look: 'o.emit(o.s)' },
  { name: 'emitter subclass emit', make: 'class E extends EventEmitter { n = 0; emit(e, ...a) { this.n++; return super.emit(e, ...a) } }; const o = new E()', change: `o.emit('q')`, look: 'o.n' },
  { name: 'emitter subclass on', make: `class E extends EventEmitter { on(e, f) { return super.on('x' + e, f) } }; const o = new E()`, change: `o.on('q', () => {})`, look: `o.emit('xq')` },
  { name: 'emitter listener adds listener', make: `const o = Object.assign(new EventEmitter(), { n: 0 }); o.once('a', () => o.on('a', () => o.n++))`, change: `o.emit('a')`, look: `(o.emit('a'), o.n)` },
  { name: 'emitter this in listener', make: `const o = new EventEmitter(); o.on('a', function () { this.seen = true })`, change: `o.emit('a')`, look: 'o.seen ?? false' },
  { name: 'emitter in an object', make: `const o = { e: new EventEmitter(), n: 0 }; o.e.on('a', (x) => { o.n += x })`, change: `o.e.emit('a', 2)`, look: 'o.n' },
  { name: 'target add', make: 'const o = Object.assign(new EventTarget(), { n: 0 })', change: `o.addEventListener('a', () => o.n++)`, look: `(o.dispatchEvent(new Event('a')), o.n)` },
  { name: 'target remove', make: `const o = Object.assign(new EventTarget(), { n: 0 }); o.f = () => o.n++; o.addEventListener('a', o.f)`, change: `o.removeEventListener('a', o.f)`, look: `(o.dispatchEvent(new Event('a')), o.n)` },
  { name: 'target once', make: `const o = Object.assign(new EventTarget(), { n: 0 }); o.addEventListener('a', () => o.n++, { once: true })`, change: `o.dispatchEvent(new Event('a'))`, look: `(o.n = 0, o.dispatchEvent(new Event('a')), o.n)` },
  { name: 'target signal removes', make: `const o = Object.assign(new EventTarget(), { n: 0, c: new AbortController() }); o.addEventListener('a', () => o.n++, { signal: o.c.signal })`, change: 'o.c.abort()', look: `(o.dispatchEvent(new Event('a')), o.n)` },
  { name: 'target preventDefault', make: 'const o = new EventTarget()', change: `o.addEventListener('a', (e) => e.preventDefault())`, look: `o.dispatchEvent(new Event('a', { cancelable: true }))` },
  { name: 'target stopImmediate', make: `const o = Object.assign(new EventTarget(), { n: 0 }); o.addEventListener('a', (e) => { if (o.stop) e.stopImmediatePropagation() }); o.addEventListener('a', () => o.n++)`, change: 'o.stop = true', look: `(o.dispatchEvent(new Event('a')), o.n)` },
  { name: 'target handleEvent object', make: `const o = { t: new EventTarget(), n: 0, handleEvent() { this.n++ } }; o.t.addEventListener('a', o)`, change: 'o.handleEvent = () => { o.n += 10 }', look: `(o.t.dispatchEvent(new Event('a')), o.n)` },
  { name: 'event defaultPrevented', make: `const o = new Event('a', { cancelable: true })`, change: 'o.preventDefault()', look: 'o.defaultPrevented' },
  { name: 'event cancelBubble', make: `const o = new Event('a')`, change: 'o.stopPropagation()', look: 'o.cancelBubble' },
  { name: 'custom event detail', make: `const o = { e: new CustomEvent('a', { detail: { n: 1 } }) }`, change: 'o.e.detail.n = 2', look: 'o.e.detail.n' },
  { name: 'abort aborted', make: 'const o = new AbortController()', change: 'o.abort()', look: 'o.signal.aborted' },
  { name: 'abort reason', make: 'const o = new AbortController()', change: `o.abort('r')`, look: 'o.signal.reason ?? null' },
  { name: 'abort throwIfAborted', make: 'const o = new AbortController()', change: `o.abort('r')`, look: `(() => { try { o.signal.throwIfAborted(); return 'ok' } catch (e) { return e } })()` },
  { name: 'abort onabort', make: 'const o = Object.assign(new AbortController(), { n: 0 })', change: 'o.signal.onabort = () => o.n++', look: '(o.abort(), o.n)' },
  { name: 'abort onabort cleared', make: 'const o = Object.assign(new AbortController(), { n: 0 }); o.signal.onabort = () => o.n++', change: 'o.signal.onabort = null', look: '(o.abort(), o.n)' },
  { name: 'abort twice first reason', make: 'const o = new AbortController()', change: 'o.abort(1)', look: '(o.abort(2), o.signal.reason)' },
  { name: 'abort any', make: 'const o = { a: new AbortController(), b: new AbortController() }; o.s = AbortSignal.any([o.a.signal, o.b.signal])', change: `o.b.abort('b')`, look: 'o.s.aborted' },
  { name: 'abort any reason', make: 'const o = { a: new AbortController(), b: new AbortController() }; o.s = AbortSignal.any([o.a.signal, o.b.signal])', change: `o.b.abort('b')`, look: `(o.a.abort('a'), o.s.reason)` },
  { name: 'abort any of any', make: 'const o = { a: new AbortController() }; o.s = AbortSignal.any([AbortSignal.any([o.a.signal])])', change: `o.a.abort('b')`, look: 'o.s.reason ?? null' },
  { name: 'abort any listener', make: `const o = { a: new AbortController(), n: 0 }; o.s = AbortSignal.any([o.a.signal]); o.s.addEventListener('abort', () => o.n++)`, change: `o.a.abort('b')`, look: 'o.n' },
  { name: 'abort any made now', make: 'const o = { a: new AbortController() }', change: `o.a.abort('b')`, look: 'AbortSignal.any([o.a.signal]).aborted' },
  { name: 'abort any list read', make: 'const o = { l: [] }', change: 'o.l.push(AbortSignal.abort(1))', look: 'AbortSignal.any(o.l).aborted' },
  { name: 'abort listener dispatch', make: 'const o = Object.assign(new AbortController(), { n: 0 })', change: `o.signal.addEventListener('abort', () => o.n++)`, look: `(o.signal.dispatchEvent(new Event('abort')), o.n)` },
  { name: 'process env', make: 'const o = process.env; delete o.Q_BODY', change: `o.Q_BODY = '1'`, look: 'o.Q_BODY ?? null', isApart: false },
  { name: 'process env in', make: 'const o = process.env; delete o.Q_BODY', change: `o.Q_BODY = '1'`, look: `'Q_BODY' in o`, isApart: false },
  { name: 'process env delete', make: `const o = process.env; o.Q_BODY = 'x'`, change: 'delete o.Q_BODY', look: `Object.keys(o).includes('Q_BODY')`, isApart: false },
  { name: 'process env destructured', make: `const o = { p: process }; o.p.env.Q_BODY = 'x'`, change: `process.env.Q_BODY = 'y'`, look: '(({ Q_BODY }) => Q_BODY)(o.p.env)', isApart: false },
  { name: 'globalThis property', make: 'globalThis.qBody = 1', change: 'globalThis.qBody = 2', look: 'qBody', isApart: false },
  { name: 'globalThis typeof', make: 'delete globalThis.qBody', change: 'globalThis.qBody = 2', look: 'typeof qBody', isApart: false },
  { name: 'globalThis in', make: 'delete globalThis.qBody', change: 'globalThis.qBody = 2', look: `'qBody' in globalThis`, isApart: false },
]

/** All tasks change, the end looks. */
const changing: readonly Changes[] = [
  { name: 'once and once', make: `const e = new EventEmitter(); let n = ''; e.once('a', () => { n += 'x' })`, changes: [`e.emit('a') && (n += '1')`, `e.emit('a') && (n += '2')`], look: 'n', outcomes: ['"x1"', '"x2"'] },
  { name: 'on and emit and off', make: `const e = new EventEmitter(); let n = ''; const f = () => { n += 'f' }`, changes: [`e.on('a', f)`, `e.emit('a')`, `e.off('a', f)`], look: 'n', outcomes: ['""', '"f"'] },
  { name: 'order of listeners', make: `const e = new EventEmitter(); let n = ''; const add = (x) => e.on('a', () => { n += x })`, changes: [`add('1')`, `add('2')`], look: `(e.emit('a'), n)`, outcomes: ['"12"', '"21"'] },
  { name: 'prepend and append', make: `const e = new EventEmitter(); let n = ''`, changes: [`e.on('a', () => { n += 1 })`, `e.prependListener('a', () => { n += 2 })`, `e.prependListener('a', () => { n += 3 })`], look: `(e.emit('a'), n)`, outcomes: ['"231"', '"321"'] },
  { name: 'order of target listeners', make: `const e = new EventTarget(); let n = ''; const add = (x) => e.addEventListener('a', () => { n += x })`, changes: [`add('1')`, `add('2')`], look: `(e.dispatchEvent(new Event('a')), n)`, outcomes: ['"12"', '"21"'] },
  { name: 'abort reasons', make: 'const c = new AbortController()', changes: [`c.abort('a')`, `c.abort('b')`], look: 'c.signal.reason', outcomes: ['"a"', '"b"'] },
  { name: 'abort and listener', make: 'const c = new AbortController(); let n = 0', changes: ['c.abort()', `c.signal.addEventListener('abort', () => { n++ })`], look: 'n', outcomes: ['0', '1'] },
  { name: 'abort any two', make: 'const a = new AbortController(), b = new AbortController(); const s = AbortSignal.any([a.signal, b.signal])', changes: [`a.abort('a')`, `b.abort('b')`], look: 's.reason', outcomes: ['"a"', '"b"'] },
]

const bodies: readonly Case[] = [
  {
    name: 'events.once',
    source: [
      'const e = new EventEmitter(); let seen = null',
      `const w = async () => { await null; [seen] = await events.once(e, 'a') }`,
      `const s = async () => { await null; e.emit('a', 1); await null; e.emit('a', 2) }`,
      'await Promise.all([w(), s()])',
      'return seen',
    ].join('\n'),
    outcomes: ['1', '2', 'deadlock'],
  },
  {
    name: 'events.once rejects on error throws',
    source: [
      'const e = new EventEmitter(); let seen = null',
      `const w = async () => { try { [seen] = await events.once(e, 'a') } catch (x) { seen = x.message } }`,
      'const s = async (ev, v) => { await null; if (e.listenerCount(ev)) e.emit(ev, v) }',
      `await Promise.all([w(), s('a', 1), s('error', new Error('no'))])`,
      'return seen',
    ].join('\n'),
    outcomes: ['"no"', '1'],
  },
  {
    name: 'events.once with a signal throws',
    source: [
      'const e = new EventEmitter(); const c = new AbortController(); let seen = null',
      `const w = async () => { try { [seen] = await events.once(e, 'a', { signal: c.signal }) } catch (x) { seen = x.name } }`,
      `const s = async () => { await null; e.emit('a', 1) }`,
      'const a = async () => { await null; c.abort() }',
      'await Promise.all([w(), s(), a()])',
      'return seen',
    ].join('\n'),
    outcomes: ['"AbortError"', '1'],
  },
  {
    name: 'events.on',
    source: [
      'const e = new EventEmitter(); const got = []',
      `const w = async () => { for await (const [x] of events.on(e, 'a')) { got.push(x); if (got.length === 2) break } }`,
      `const s = async (x) => { await null; e.emit('a', x) }`,
      'await Promise.all([w(), s(1), s(2)])',
      `return [got, e.listenerCount('a')]`,
    ].join('\n'),
    outcomes: ['[[1,2],0]', '[[2,1],0]'],
  },
  {
    name: 'promise by emitter once',
    source: [
      'const e = new EventEmitter(); let ready = false',
      `const wait = async () => { await null; if (!ready) await new Promise(r => e.once('ready', r)); return 'go' }`,
      `const set = async () => { await null; ready = true; await null; e.emit('ready') }`,
      'await Promise.all([wait(), set()])',
      `return 'done'`,
    ].join('\n'),
    outcomes: ['"done"'],
  },
  {
    name: 'promise by emitter once, check lost',
    source: [
      'const e = new EventEmitter(); let ready = false',
      `const wait = async () => { await null; const r = ready; await null; if (!r) await new Promise(r => e.once('ready', r)); return 'go' }`,
      `const set = async () => { await null; ready = true; e.emit('ready') }`,
      'await Promise.all([wait(), set()])',
      `return 'done'`,
    ].join('\n'),
    outcomes: ['"done"', 'deadlock'],
  },
  {
    name: 'abort stops a loop',
    source: [
      'const c = new AbortController(); let n = 0',
      'const work = async () => { for (let i = 0; i < 2; i++) { await null; if (c.signal.aborted) return; n++ } }',
      'const stop = async () => { await null; c.abort() }',
      'await Promise.all([work(), stop()])',
      'return n',
    ].join('\n'),
    outcomes: ['0', '1', '2'],
  },
  {
    name: 'abort rejects who waits',
    source: [
      'const c = new AbortController(); let got = null',
      `const wait = (signal) => new Promise((resolve, reject) => { signal.addEventListener('abort', () => reject(signal.reason), { once: true }); queueMicrotask(() => resolve('done')) })`,
      'const a = async () => { await null; got = await wait(c.signal).catch((e) => e) }',
      `const b = async () => { await null; c.abort('stopped') }`,
      'await Promise.all([a(), b()])',
      'return got',
    ].join('\n'),
    outcomes: ['"done"', '"stopped"'],
  },
  {
    name: 'AbortSignal.timeout against abort',
    source: [
      'const c = new AbortController(); const s = AbortSignal.any([c.signal, AbortSignal.timeout(5)])',
      `const b = async () => { await new Promise(r => setTimeout(r, 10)); c.abort('late') }`,
      'await b()',
      'return s.reason.name ?? s.reason',
    ].join('\n'),
    outcomes: ['"TimeoutError"'],
  },
  {
    name: 'timers of equal length and state',
    source: [
      `let n = ''`,
      `setTimeout(() => { n += 'a' }, 1); setTimeout(() => { n += 'b' }, 2)`,
      `const t = async () => { await null; n += 'c' }`,
      'await Promise.all([t(), new Promise(r => setTimeout(r, 3))])',
      'return n',
    ].join('\n'),
    outcomes: ['"cab"'],
  },
  {
    name: 'interval cleared',
    source: [
      'let n = 0',
      'await new Promise(r => { const i = setInterval(() => { if (++n === 2) { clearInterval(i); r() } }, 1) })',
      'return n',
    ].join('\n'),
    outcomes: ['2'],
  },
  {
    name: 'clearTimeout by another',
    source: [
      `let n = ''`,
      `const t = setTimeout(() => { n += 'fired' }, 5)`,
      `const a = async () => { await null; clearTimeout(t); n += 'cleared' }`,
      `const b = async () => { await new Promise(r => setTimeout(r, 10)); n += 'end' }`,
      'await Promise.all([a(), b()])',
      'return n',
    ].join('\n'),
    outcomes: ['"clearedend"'],
  },
  {
    name: 'two emitters are apart',
    source: [
      `const t = async () => { await null; const e = new EventEmitter(); let n = 0; e.on('a', () => n++); e.once('a', () => n++); await null; e.emit('a'); return [n, e.listenerCount('a')] }`,
      'return await Promise.all([t(), t()])',
    ].join('\n'),
    outcomes: ['[[2,1],[2,1]]'],
    executions: 1,
  },
  {
    name: 'two signals are apart',
    source: [
      `const t = async () => { await null; const c = new AbortController(); let n = 0; c.signal.addEventListener('abort', () => n++); await null; c.abort(); return [n, c.signal.aborted] }`,
      'return await Promise.all([t(), t()])',
    ].join('\n'),
    outcomes: ['[[1,true],[1,true]]'],
    executions: 1,
  },
  {
    name: 'two events of one emitter are apart',
    source: [
      'const e = new EventEmitter(); const n = { a: 0, b: 0 }',
      `e.on('a', () => n.a++); e.on('b', () => n.b++)`,
      'const t = async (k) => { await null; e.emit(k); await null; e.emit(k) }',
      `await Promise.all([t('a'), t('b')])`,
      'return n',
    ].join('\n'),
    outcomes: ['{"a":2,"b":2}'],
    executions: 1,
  },
  {
    name: 'two events of one target are apart',
    source: [
      'const e = new EventTarget(); const n = { a: 0, b: 0 }',
      `e.addEventListener('a', () => n.a++); e.addEventListener('b', () => n.b++)`,
      'const t = async (k) => { await null; e.dispatchEvent(new Event(k)); await null; return n[k] }',
      `return await Promise.all([t('a'), t('b')])`,
    ].join('\n'),
    outcomes: ['[1,1]'],
    executions: 1,
  },
  {
    name: 'node readable push and read',
    source: [
      'const r = new stream.Readable({ read() {}, objectMode: true }); const g = []',
      'const p = async (x) => { await null; r.push(x) }',
      'const q = async () => { await null; g.push(r.read()) }',
      `await Promise.all([p('a'), p('b'), q()])`,
      'return g',
    ].join('\n'),
    outcomes: ['["a"]', '["b"]', '[null]'],
  },
  {
    name: 'writable log order',
    source: [
      'const out = []; const w = new stream.Writable({ objectMode: true, write(c, e, cb) { out.push(c); cb() } })',
      'const t = async (x) => { await null; w.write(x) }',
      `await Promise.all([t('a'), t('b')])`,
      'return out',
    ].join('\n'),
    outcomes: ['["a","b"]', '["b","a"]'],
  },
  {
    name: 'writable ended throws',
    source: [
      'const w = new stream.Writable({ write(c, e, cb) { cb() } }); let g = null',
      `w.on('error', (e) => { g = e.code })`,
      'const a = async () => { await null; w.end() }',
      'const b = async () => { await null; g = w.writableEnded }',
      'await Promise.all([a(), b()])',
      'return g',
    ].join('\n'),
    outcomes: ['false', 'true'],
  },
  {
    name: 'web stream queue',
    source: [
      'const got = []; let c',
      'const s = new ReadableStream({ start(x) { c = x } })',
      'const p = async (x) => { await null; c.enqueue(x) }',
      `await Promise.all([p('a'), p('b')])`,
      'const r = s.getReader(); got.push((await r.read()).value, (await r.read()).value)',
      'return got',
    ].join('\n'),
    outcomes: ['["a","b"]', '["b","a"]'],
  },
  {
    name: 'web stream locked throws',
    source: [
      `const s = new ReadableStream({ start(c) { c.enqueue('a'); c.close() } }); const g = {}`,
      `const t = async (k) => { await null; try { const r = s.getReader(); g[k] = 'got' } catch { g[k] = 'locked' } }`,
      `await Promise.all([t('a'), t('b')])`,
      'return g',
    ].join('\n'),
    outcomes: ['{"a":"got","b":"locked"}', '{"b":"got","a":"locked"}'],
  },
  {
    name: 'refresh of a timer that is due',
    source: [
      `let n = ''; const t = setTimeout(() => { n += 't' }, 2)`,
      `const a = async () => { await new Promise((r) => setTimeout(r, 2)); t.refresh(); n += 'r' }`,
      'await a(); await new Promise((r) => setTimeout(r, 10))',
      'return n',
    ].join('\n'),
    outcomes: ['"trt"'],
  },
  {
    name: 'refresh before it is due',
    source: [
      `let n = ''; const t = setTimeout(() => { n += 't' }, 3)`,
      `const a = async () => { await new Promise((r) => setTimeout(r, 2)); t.refresh(); n += 'r' }`,
      `const b = async () => { await new Promise((r) => setTimeout(r, 4)); n += 'b' }`,
      'await Promise.all([a(), b()]); await new Promise((r) => setTimeout(r, 10))',
      'return n',
    ].join('\n'),
    outcomes: ['"rbt"'],
  },
  {
    name: 'two timers due with a refresh between',
    source: [
      `let n = ''; let t`,
      `const s = async () => { await null; t = setTimeout(() => { n += 't' }, 2) }`,
      `const a = async () => { await null; await new Promise((r) => setTimeout(r, 2)); t?.refresh(); n += 'r' }`,
      'await Promise.all([s(), a()]); await new Promise((r) => setTimeout(r, 10))',
      'return n',
    ].join('\n'),
    outcomes: ['"rt"', '"trt"'],
  },
  {
    name: 'clear of a timer that is due',
    source: [
      `let n = ''; let t`,
      `const s = async () => { await null; t = setTimeout(() => { n += 't' }, 2) }`,
      `const a = async () => { await null; await new Promise((r) => setTimeout(r, 2)); clearTimeout(t); n += 'c' }`,
      'await Promise.all([s(), a()]); await new Promise((r) => setTimeout(r, 10))',
      'return n',
    ].join('\n'),
    outcomes: ['"c"', '"tc"'],
  },
]

export const unusualEvents: readonly Case[] = [...shared.map(changeAndLook), ...shared.filter(({ isApart = true }) => isApart).map(apart), ...changing.map(changesAndEnd), ...bodies]
