import type { Random } from '../reference/random.ts'

/**
 * Tasks that use what Node and the web have for asynchronous programs: signals that depend on others and limits of time, the promises of timers, events as promises
 * and as iterators, events of the web, contexts, message ports, callbacks made into promises and back, streams with backpressure, lines.
 */
export function generatePlatform(random: Random): string {
  const place = (): string => random.one(['a', 'b'])
  const value = (): string => String(random.below(9))
  const length = (): number => random.one([1, 2, 3])
  const note = (): string => random.one([`log.push(${random.below(100)})`, `x.${place()}++`, `log.push(x.${place()})`, `log.push(als.getStore())`, `e.emit('${place()}', ${value()})`, `t.dispatchEvent(new Event('${place()}'))`, `${random.one(['c', 'd'])}.abort(${value()})`])
  const answer = (): string => random.one([`io(${value()})`, `io(${value()})`, `asked(${value()})`, `later(${value()})`, `io(Promise.reject('no'))`])
  const signal = (): string => random.one(['c.signal', 'd.signal', 'both', 'both', 'undefined'])
  const caught = '.catch((error) => error?.name ?? error)'
  const statement = (depth: number): string =>
    random.one([
      () => `${note()};`,
      () => `${note()};`,
      () => `await ${answer()}; ${note()};`,
      () => `await ${answer()}; ${note()};`,
      () => `await als.run(${value()}, async () => { ${inner(depth)} });`,
      () => `als.enterWith(${value()}); ${inner(depth)}`,
      () => `void asking(${value()}, AsyncResource.bind((error, v) => { log.push(v); ${note()} }));`,
      () => `void callback(${value()}, (error, v) => { log.push(error ? 'error' : v); ${note()} });`,
      () => `log.push(await timersPromises.setTimeout(${length()}, ${value()}, { signal: ${signal()} })${caught});`,
      () => `log.push(await timersPromises.setImmediate(${value()}, { signal: ${signal()} })${caught});`,
      () => `for await (const v of timersPromises.setInterval(${length()}, ${value()})) { log.push(v); ${note()}; break }`,
      () => `log.push(await events.once(e, '${place()}', { signal: ${signal()} })${caught});`,
      () => `log.push(await events.once(t, '${place()}', { signal: c.signal }).then(([{ type }]) => type)${caught});`,
      () => `try { for await (const [v] of events.on(e, '${place()}', { signal: c.signal })) { log.push(v); ${random.percent(40) ? 'break;' : `${note()};`} } } catch (error) { log.push(error.name) }`,
      () => `t.addEventListener('${place()}', () => { ${note().replace(/t\.dispatch.*/, 'x.a++')} }, { ${random.one(['once: true', 'signal: c.signal', 'once: true, signal: d.signal'])} });`,
      () => `e.${random.one(['on', 'once', 'prependListener'])}('${place()}', (v) => { log.push('e' + v) });`,
      () => `both.addEventListener('abort', () => { log.push('both'); ${random.one(['x.a++', `log.push(${value()})`])} });`,
      () => `port.send(${value()});`,
      () => `await io(null); port.send(${value()}); ${note()};`,
      () => `log.push('m' + await port.next());`,
      () => `log.push(await written(${value()}));`,
      () => `log.push(await read(${value()}, ${1 + random.below(3)}));`,
      () => `log.push(await through(${value()}));`,
      () => `log.push(await web(${value()}, ${signal()})${caught});`,
      () => `log.push(await lines(${value()}));`,
      () => `log.push(await piped(${value()}, ${signal()})${caught});`,
      () => `log.push(await Promise.race([${answer()}, timersPromises.setTimeout(${length()}, 'late')])${caught});`,
      () => (depth < 2 ? `try { ${statement(depth + 1)} } catch (error) { log.push('c' + (error?.name ?? error)) } finally { ${note()} }` : `${note()};`),
      () => (depth < 2 ? `void (async () => { ${statement(depth + 1)} })()${caught};` : `${note()};`),
    ])()
  const inner = (depth: number): string => (depth < 1 ? statement(depth + 1) : `await ${answer()}; ${note()};`)
  const task = (): string => `(async () => { ${Array.from({ length: 1 + random.below(2) }, () => `{ ${statement(0)} }`).join(' ')} })()`
  return `const log = []; const x = { a: 0, b: 0 }; const e = new EventEmitter(); const t = new EventTarget(); const c = new AbortController(); const d = new AbortController();
const { Readable, Writable, Transform } = stream; const { AsyncLocalStorage, AsyncResource } = nodeAsyncHooks;
const both = AbortSignal.any([c.signal, d.signal]); const als = new AsyncLocalStorage();
const asking = (v, done) => { io(v).then((r) => done(null, r), done) };
const asked = nodeUtil.promisify(asking); const later = async (v) => { await null; return io(v) }; const callback = nodeUtil.callbackify(later);
const port = (() => { const { port1, port2 } = new MessageChannel(); const items = []; const takers = []; port1.on('message', (v) => { const taker = takers.shift(); if (taker) taker(v); else items.push(v) });
  return { send: (v) => port2.postMessage(v), next: () => new Promise((done) => { if (items.length > 0) done(items.shift()); else takers.push(done) }), close: () => { takers.forEach((done) => done('end')); port1.close() } } })();
const slowly = new Writable({ objectMode: true, highWaterMark: 2, write: (v, _, done) => { io(v).then((r) => { log.push('w' + r); done() }) } });
const written = async (v) => { if (!slowly.write(v)) { await events.once(slowly, 'drain'); return 'drained' } return 'ok' };
const read = async (v, n) => { let left = n; const source = new Readable({ objectMode: true, highWaterMark: 1, read() { if (left-- > 0) io(v).then((r) => this.push(r)); else this.push(null) } }); const got = []; source.on('data', (r) => { got.push(r); if (got.length === 1) { source.pause(); io(null).then(() => source.resume()) } }); await events.once(source, 'end'); return got };
const through = async (v) => { const s = new TransformStream({ async transform(one, controller) { controller.enqueue(one + await io(v)) } }, undefined, { highWaterMark: 1 }); const writer = s.writable.getWriter(); const writing = (async () => { for (const one of [1, 2]) { await writer.ready; await writer.write(one) } await writer.close() })(); const got = []; for await (const one of s.readable) got.push(one); await writing; return got };
const web = async (v, signal) => { const got = []; let n = 0; await new ReadableStream({ async pull(controller) { if (n++ < 2) controller.enqueue(await io(v)); else controller.close() } }).pipeTo(new WritableStream({ async write(one) { await io(null); got.push(one) } }), { signal }); return got };
const lines = async (v) => { const got = []; for await (const line of nodeReadline.createInterface({ input: Readable.from((async function* () { yield 'a' + await io(v) + '\\nb'; yield await io('c\\nd') })()) })) got.push(line); return got };
const piped = async (v, signal) => { const got = []; await stream.promises.pipeline(Readable.from([1, 2]), new Transform({ objectMode: true, highWaterMark: 1, transform(one, _, done) { io(v).then((r) => done(null, one + r), done) } }), async (source) => { for await (const one of source) got.push(one) }, ...(signal ? [{ signal }] : [])); return got };
const all = [${Array.from({ length: 1 + random.below(3) }, task).join(', ')}];
await Promise.race([Promise.allSettled(all), timersPromises.setTimeout(40)]); await timersPromises.setTimeout(10); port.close(); c.abort('end'); await timersPromises.setTimeout(10); als.disable(); return [log, x.a, x.b]`
}
