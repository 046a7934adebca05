import { apart, changeAndLook, changesAndEnd, type Case } from './case.ts'

const emitter = 'const o = new EventEmitter(); let n = 0; const listener = () => n++'
const target = 'const o = new EventTarget(); let n = 0; const listener = () => n++'
const fire = `o.dispatchEvent(new Event('k'))`

const emitters: readonly Case[] = [
  ...[`o.on('k', listener)`, `o.addListener('k', listener)`, `o.once('k', listener)`, `o.prependListener('k', listener)`, `o.prependOnceListener('k', listener)`, `EventEmitter.once(o, 'k').catch(() => {}); o.on('k', listener)`].map((change) =>
    changeAndLook({ name: `${change} while emit`, make: emitter, change, look: `(o.emit('k'), n)` }),
  ),
  ...[`o.off('k', listener)`, `o.removeListener('k', listener)`, `o.removeAllListeners('k')`, 'o.removeAllListeners()'].map((change) =>
    changeAndLook({ name: `${change} while emit`, make: `${emitter}; o.on('k', listener)`, change, look: `(o.emit('k'), n)` }),
  ),
  ...[`o.listenerCount('k')`, `o.listeners('k').length`, `o.rawListeners('k').length`, 'o.eventNames()', `o.emit('k')`, `EventEmitter.listenerCount(o, 'k')`, `events.getEventListeners(o, 'k').length`].map((look) =>
    changeAndLook({ name: `${look} while on`, make: emitter, change: `o.on('k', listener)`, look }),
  ),
  ...['o._eventsCount', 'typeof o._events.k', 'Object.keys(o._events)', 'JSON.stringify(o)', 'opaque.describe(o)', 'opaque.total(Object.keys({ ...o }._events))', '(({ _eventsCount }) => _eventsCount)(o)', 'new Proxy(o, {})._eventsCount'].map((look) =>
    changeAndLook({ name: `${look} while on`, make: emitter, change: `o.on('k', listener)`, look }),
  ),
  ...['typeof o._events.k', 'JSON.stringify(o)', 'opaque.describe(o)'].map((look) =>
    changeAndLook({ name: `${look} while one more listens`, make: `${emitter}; o.on('k', () => {})`, change: `o.on('k', listener)`, look }),
  ),
  changesAndEnd({ name: 'emit twice with a once listener', make: 'const o = new EventEmitter(); const got = []; o.once(\'k\', (value) => got.push(value))', changes: [`o.emit('k', 1)`, `o.emit('k', 2)`], look: 'got', outcomes: ['[1]', '[2]'] }),
  changesAndEnd({ name: 'emit with a once listener while listenerCount', make: 'const o = new EventEmitter(); let seen; o.once(\'k\', () => {})', changes: [`o.emit('k')`, `seen = o.listenerCount('k')`], look: 'seen', outcomes: ['0', '1'] }),
  changesAndEnd({ name: 'the order of listeners', make: 'const o = new EventEmitter(); const got = []', changes: [`o.on('k', () => got.push(1))`, `o.on('k', () => got.push(2))`], look: `(o.emit('k'), got)`, outcomes: ['[1,2]', '[2,1]'] }),
  changesAndEnd({ name: 'listeners of two events', make: 'const o = new EventEmitter(); let a = 0; let b = 0', changes: [`o.on('a', () => a++); o.emit('a')`, `o.on('b', () => b++); o.emit('b')`], look: 'a + b', outcomes: ['2'] }),
  changesAndEnd({ name: 'an error without a listener throws', make: `const o = new EventEmitter(); let seen`, changes: [`o.on('error', () => {})`, `try { o.emit('error', new Error('k')); seen = 'handled' } catch { seen = 'thrown' }`], look: 'seen', outcomes: ['"handled"', '"thrown"'] }),
  {
    name: 'events.once waits for emit',
    source: `const o = new EventEmitter()
const waiting = async () => { const [value] = await events.once(o, 'k'); return value }
const emitting = async () => { await null; o.emit('k', 1); o.emit('k', 2) }
const [value] = await Promise.all([waiting(), emitting()])
return value`,
    outcomes: ['1'],
  },
  {
    name: 'events.once while emit',
    source: `const o = new EventEmitter()
const waiting = async () => { await null; return (await Promise.race([events.once(o, 'k'), new Promise((resolve) => setTimeout(resolve, 5, ['late']))]))[0] }
const emitting = async () => { await null; o.emit('k', 'in time') }
const [value] = await Promise.all([waiting(), emitting()])
return value`,
    outcomes: ['"in time"', '"late"'],
  },
  {
    name: 'events.on while emit',
    source: `const o = new EventEmitter()
let seen = 'nothing'
const waiting = async () => { await null; for await (const [value] of events.on(o, 'k')) { seen = value; break } }
const emitting = async () => { await null; o.emit('k', 'seen') }
await Promise.race([Promise.all([waiting(), emitting()]), new Promise((resolve) => setTimeout(resolve, 5))])
return seen`,
    outcomes: ['"nothing"', '"seen"'],
  },
  {
    name: 'a class that extends EventEmitter',
    source: `class Bus extends EventEmitter { received = 0; start() { super.on('k', () => this.received++) } }
const bus = new Bus()
const starting = async () => { await null; bus.start() }
const sending = async () => { await null; bus.emit('k') }
await Promise.all([starting(), sending()])
return bus.received`,
    outcomes: ['0', '1'],
  },
  apart({ name: 'EventEmitter', make: 'const o = new EventEmitter()', change: `o.on('k', () => {})`, look: `o.listenerCount('k')` }),
  apart({ name: 'EventEmitter.once', make: 'const o = new EventEmitter()', change: `o.once('k', () => {}); o.emit('k')`, look: `o.listenerCount('k')` }),
]

const targets: readonly Case[] = [
  changeAndLook({ name: 'addEventListener while dispatchEvent', make: target, change: `o.addEventListener('k', listener)`, look: `(${fire}, n)` }),
  changeAndLook({ name: 'addEventListener with once while dispatchEvent', make: target, change: `o.addEventListener('k', listener, { once: true })`, look: `(${fire}, n)` }),
  changeAndLook({ name: 'addEventListener of an object while dispatchEvent', make: target, change: `o.addEventListener('k', { handleEvent: listener })`, look: `(${fire}, n)` }),
  changeAndLook({ name: 'removeEventListener while dispatchEvent', make: `${target}; o.addEventListener('k', listener)`, change: `o.removeEventListener('k', listener)`, look: `(${fire}, n)` }),
  changesAndEnd({ name: 'dispatchEvent twice with a once listener', make: `const o = new EventTarget(); const got = []; o.addEventListener('k', (event) => got.push(event.detail), { once: true })`, changes: [`o.dispatchEvent(Object.assign(new Event('k'), { detail: 1 }))`, `o.dispatchEvent(Object.assign(new Event('k'), { detail: 2 }))`], look: 'got', outcomes: ['[1]', '[2]'] }),
  changesAndEnd({ name: 'the order of event listeners', make: 'const o = new EventTarget(); const got = []', changes: [`o.addEventListener('k', () => got.push(1))`, `o.addEventListener('k', () => got.push(2))`], look: `(${fire}, got)`, outcomes: ['[1,2]', '[2,1]'] }),
  changesAndEnd({ name: 'stopImmediatePropagation', make: 'const o = new EventTarget(); const got = []', changes: [`o.addEventListener('k', (event) => event.stopImmediatePropagation())`, `o.addEventListener('k', () => got.push(2))`], look: `(${fire}, got)`, outcomes: ['[2]', '[]'] }),
  changeAndLook({ name: 'a listener with a signal that is aborted', make: `${target}; const controller = new AbortController(); o.addEventListener('k', listener, { signal: controller.signal })`, change: 'controller.abort()', look: `(${fire}, n)` }),
  apart({ name: 'EventTarget', make: 'const o = new EventTarget(); o.n = 0', change: `o.addEventListener('k', () => o.n++)`, look: `(${fire}, o.n)` }),
]

const controller = 'const o = new AbortController(); const { signal } = o; let n = 0; const listener = () => n++'

const aborts: readonly Case[] = [
  ...['o.signal.aborted', 'signal.aborted', 'signal.reason?.name ?? null', '(() => { try { signal.throwIfAborted(); return 0 } catch { return 1 } })()', 'AbortSignal.any([signal]).aborted', '(([{ aborted }]) => aborted)([signal])', `Reflect.get(signal, 'aborted')`, 'opaque.getProperty(signal, \'aborted\')', `signal['aborted']`].map((look) =>
    changeAndLook({ name: `${look} while abort`, make: controller, change: 'o.abort()', look }),
  ),
  changeAndLook({ name: 'signal.addEventListener while abort', make: controller, change: 'o.abort()', look: `(signal.addEventListener('abort', listener), await new Promise((resolve) => setTimeout(resolve, 1)), n)` }),
  changeAndLook({ name: 'signal.onabort while abort', make: controller, change: 'o.abort()', look: `(signal.onabort = listener, await new Promise((resolve) => setTimeout(resolve, 1)), n)` }),
  changeAndLook({ name: 'signal.removeEventListener while abort', make: `${controller}; signal.addEventListener('abort', listener)`, change: `signal.removeEventListener('abort', listener)`, look: '(o.abort(), n)' }),
  changeAndLook({ name: 'AbortSignal.any follows', make: `${controller}; const any = AbortSignal.any([signal, new AbortController().signal])`, change: 'o.abort()', look: 'any.aborted' }),
  changeAndLook({ name: 'AbortSignal.any calls its listeners', make: `${controller}; const any = AbortSignal.any([signal])`, change: 'o.abort()', look: `(any.addEventListener('abort', listener), await new Promise((resolve) => setTimeout(resolve, 1)), n)` }),
  changesAndEnd({ name: 'the first reason stays', make: controller, changes: [`o.abort('a')`, `o.abort('b')`], look: 'signal.reason', outcomes: ['"a"', '"b"'] }),
  changesAndEnd({ name: 'the first of two signals gives the reason of any', make: 'const one = new AbortController(); const two = new AbortController(); const any = AbortSignal.any([one.signal, two.signal])', changes: [`one.abort('a')`, `two.abort('b')`], look: 'any.reason', outcomes: ['"a"', '"b"'] }),
  {
    name: 'a listener of a signal resolves who waits',
    source: `const controller = new AbortController()
let log = ''
const waiting = async () => { await new Promise((resolve) => controller.signal.addEventListener('abort', resolve)); log += 'w' }
const aborting = async () => { await null; controller.abort(); await null; log += 'a' }
await Promise.all([waiting(), aborting()])
return log`,
    outcomes: ['"aw"', '"wa"'],
  },
  apart({ name: 'AbortController', make: 'const o = new AbortController()', change: 'o.abort()', look: 'o.signal.aborted' }),
]

const streams: readonly Case[] = [
  changeAndLook({ name: 'Readable.push while read', make: 'const o = new stream.Readable({ read() {} })', change: `o.push('k')`, look: 'String(o.read())' }),
  changeAndLook({ name: 'Readable.push while readableLength', make: 'const o = new stream.Readable({ read() {} })', change: `o.push('k')`, look: 'o.readableLength' }),
  changeAndLook({ name: 'Readable.destroy while destroyed', make: 'const o = new stream.Readable({ read() {} })', change: 'o.destroy()', look: 'o.destroyed' }),
  changesAndEnd({ name: 'Readable.push twice', make: 'const o = new stream.Readable({ read() {} })', changes: [`o.push('a')`, `o.push('b')`], look: 'String(o.read())', outcomes: ['"ab"', '"ba"'] }),
  changesAndEnd({ name: 'Writable.write twice', make: `let log = ''; const o = new stream.Writable({ write(chunk, encoding, done) { log += chunk; done() } })`, changes: [`o.write('a')`, `o.write('b')`], look: 'log', outcomes: ['"ab"', '"ba"'] }),
  changeAndLook({ name: 'Writable.end while writableEnded', make: `const o = new stream.Writable({ write(chunk, encoding, done) { done() } })`, change: 'o.end()', look: 'o.writableEnded' }),
  changeAndLook({ name: 'Writable.cork while writableCorked', make: `const o = new stream.Writable({ write(chunk, encoding, done) { done() } })`, change: 'o.cork()', look: 'o.writableCorked' }),
  changeAndLook({ name: 'ReadableStream.getReader while locked', make: 'const o = new ReadableStream()', change: 'o.getReader()', look: 'o.locked' }),
  changeAndLook({ name: 'reader.releaseLock while locked', make: 'const o = new ReadableStream(); const reader = o.getReader()', change: 'reader.releaseLock()', look: 'o.locked' }),
  changeAndLook({ name: 'controller.enqueue while desiredSize', make: `let o; new ReadableStream({ start(controller) { o = controller } }, { highWaterMark: 3 })`, change: `o.enqueue('k')`, look: 'o.desiredSize' }),
  changesAndEnd({
    name: 'controller.enqueue twice',
    make: `let o; const readable = new ReadableStream({ start(controller) { o = controller } })`,
    changes: [`o.enqueue('a')`, `o.enqueue('b')`],
    look: `(await readable.getReader().read()).value`,
    outcomes: ['"a"', '"b"'],
  }),
  changesAndEnd({
    name: 'two reads of one reader',
    make: `const readable = new ReadableStream({ start(controller) { controller.enqueue('a'); controller.enqueue('b') } }); const reader = readable.getReader(); const got = {}`,
    changes: ['got.a = (await reader.read()).value', 'got.b = (await reader.read()).value'],
    look: 'got.a + got.b',
    outcomes: ['"ab"', '"ba"'],
  }),
  changesAndEnd({ name: 'getReader twice', make: 'const o = new ReadableStream(); let seen', changes: [`try { o.getReader(); seen ??= 'a' } catch {}`, `try { o.getReader(); seen ??= 'b' } catch {}`], look: 'seen', outcomes: ['"a"', '"b"'] }),
  apart({ name: 'Readable', make: 'const o = new stream.Readable({ read() {} })', change: `o.push('k')`, look: 'String(o.read())' }),
  apart({ name: 'ReadableStream', make: 'const o = new ReadableStream()', change: 'o.getReader()', look: 'o.locked' }),
]

export const happenings: readonly Case[] = [...emitters, ...targets, ...aborts, ...streams]
