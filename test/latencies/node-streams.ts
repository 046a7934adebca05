import type { Random } from '../reference/random.ts'

/** Tasks that let data flow through streams of Node: sources that push, that are read and that iterate, transformers and sinks that take their time, errors, signals, and one stream that all share. */
export function generateNodeStreams(random: Random): string {
  const note = (): string => random.one([`log.push(${10 + random.below(90)})`, 'x++', 'log.push(x)'])
  const source = (): string =>
    random.one([
      `reading(${1 + random.below(2)})`, `pushing(${1 + random.below(2)})`, 'Readable.from(generated(2))', 'Readable.from([1, 2])', `failing(${random.below(2)})`, 'shared', `slow(reading(1))`,
      'Readable.fromWeb(new ReadableStream({ async pull(c) { c.enqueue(await io(1)); c.close() } }))', `Readable.from(generated(2)).map(async (v) => { await io(0); return v + 1 }, { concurrency: ${1 + random.below(2)} })`,
      'Duplex.from(async function* () { yield await io(5) })', 'new Reading(2)', 'opening(reading(1))', 'Duplex.from(io(4))', 'Duplex.from({ readable: reading(1), writable: quick() })', 'compose(reading(1), transformer())', 'reading(2).take(1)',
    ])
  const through = (): string => random.one(['', '', 'transformer(), ', 'passing(), ', 'generating, ', 'new Changing(), ', 'compose(passing(), transformer()), '])
  const sink = (): string => random.one(['writing()', 'writing()', 'gathering', 'quick()', 'batching()', 'new Writing()', 'last'])
  const flow = (): string =>
    random.one([
      () => `await stream.promises.pipeline(${source()}, ${through()}${sink()}${random.one(['', '', ', { signal: c.signal }', ', { end: false }'])});`,
      () => `await stream.promises.pipeline([${source()}, ${through()}${sink()}]);`,
      () => `for await (const v of ${source()}) { log.push(v); ${random.one(['', 'break;', 'await io(3);', `${note()};`])} }`,
      () => `const s = ${source()}; s.on('data', (v) => { log.push(v); ${random.one(['', 's.pause(); io(0).then(() => s.resume())', 's.destroy()', note()])} }); await stream.promises.finished(s);`,
      () => `const s = ${source()}; s.pipe(${random.one(['transformer()', 'passing()'])}).on('data', (v) => { log.push(v) }); await events.once(s, '${random.one(['end', 'close'])}', { signal: c.signal });`,
      () => `const s = ${source()}; s.on('readable', () => { let v; while ((v = s.read()) !== null) log.push(v) }); await events.once(s, 'end', { signal: c.signal });`,
      () => `log.push(await ${source()}.toArray());`,
      () => `const s = ${source()}; for await (const v of s.iterator({ destroyOnReturn: false })) { log.push(v); break } log.push(s.destroyed); for await (const v of s) log.push(v);`,
      () => `stream.pipeline(${source()}, ${through()}${sink()}, (error) => { log.push(error?.code ?? 'done'); ${note()} });`,
      () => `log.push(await ${source()}.${random.one(['reduce((a, v) => a + v, 0)', 'some((v) => v > 0)', 'find(async (v) => { await io(0); return v > 0 })'])});`,
      () => `const s = addAbortSignal(c.signal, ${source()}); for await (const v of s) log.push(v);`,
    ])()
  const statement = (): string =>
    random.one([
      () => `${note()};`,
      () => `await io(0); ${note()};`,
      () => `try { ${flow()} } catch (error) { log.push('c' + (error?.code ?? error?.name ?? error)) }`,
      () => `try { ${flow()} } catch (error) { log.push('c' + (error?.code ?? error?.name ?? error)) }`,
      () => `if (shared.writable) log.push(shared.write(${random.below(9)}));`,
      () => `await io(1); if (shared.writable) shared.${random.one([`write(${random.below(9)})`, 'end()', 'destroy()', `cork(); shared.write(8); io(0).then(() => shared.uncork())`])};`,
      () => 'await io(1); c.abort(5);',
    ])()
  const task = (): string => `(async () => { ${Array.from({ length: 1 + random.below(2) }, statement).join(' ')} })()`
  return `const log = []; let x = 0; const c = new AbortController(); const { addAbortSignal, compose, Duplex, PassThrough, Readable, Transform, Writable } = stream; const objectMode = true;
const generated = async function* (n) { try { for (let i = 0; i < n; i++) yield await io(i) } finally { log.push('f') } };
const reading = (n) => new Readable({ objectMode, highWaterMark: 1, read() { if (n-- > 0) io(n).then((v) => this.push(v)); else this.push(null) }, destroy(error, done) { io(0).then(() => { log.push('d'); done(error) }) } });
const pushing = (n) => { const s = new Readable({ objectMode, read() {} }); for (let i = 0; i < n; i++) io(i).then((v) => { if (!s.destroyed) s.push(v) }); io(9).then(() => { if (!s.destroyed) s.push(null) }); s.on('error', () => {}); return s };
const failing = (n) => new Readable({ objectMode, read() { if (n-- > 0) io(n).then((v) => this.push(v)); else io(0).then(() => this.destroy(new TypeError('no'))) } }).on('error', () => { log.push('E') });
const transformer = () => new Transform({ objectMode, highWaterMark: 1, transform(v, _, done) { io(v).then((w) => { this.push(w); done(null, x) }) }, flush(done) { io(0).then(() => done(null, 8)) } });
const passing = () => new Transform({ objectMode, transform(v, _, done) { x++; done(null, v) } });
const slow = (from) => from.compose(async function* (values) { for await (const v of values) { await io(0); yield v } });
const generating = async function* (values) { for await (const v of values) yield v + (await io(1)) };
const writing = () => new Writable({ objectMode, highWaterMark: 1, write(v, _, done) { io(0).then(() => { log.push(v); done() }) }, final(done) { io(0).then(() => { log.push('e'); done() }) } });
const batching = () => new Writable({ objectMode, highWaterMark: 4, writev(all, done) { io(0).then(() => { log.push(all.map(({ chunk }) => chunk)); done() }) } });
const quick = () => new Writable({ objectMode, write(v, _, done) { log.push(v); done() } });
const gathering = async (values) => { for await (const v of values) log.push(v) };
class Reading extends Readable { #left; constructor(n) { super({ objectMode, highWaterMark: 1 }); this.#left = n } _construct(done) { io(0).then(() => done()) } async _read() { const v = await io(this.#left); this.push(this.#left-- > 0 ? v : null) } }
class Changing extends Transform { constructor() { super({ objectMode }) } async _transform(v, _, done) { const w = await io(v); x++; done(null, w) } _flush(done) { this.push(7); done() } }
class Writing extends Writable { constructor() { super({ objectMode, highWaterMark: 1 }) } async _write(v, _, done) { await io(0); log.push(v); done() } _final(done) { log.push('E'); done() } _destroy(error, done) { io(0).then(() => { log.push('D'); done(error) }) } }
const opening = (from) => from.pipe(new Transform({ objectMode, construct(done) { io(0).then(() => done()) }, transform(v, _, done) { done(null, v) } }));
const last = async function (values) { let kept; for await (const v of values) kept = v; log.push(kept); await io(0); log.push('l') };
const shared = new PassThrough({ objectMode, highWaterMark: 1 }); shared.on('error', () => {});
await Promise.race([Promise.allSettled([${Array.from({ length: 1 + random.below(2) }, task).join(', ')}]), new Promise((end) => setTimeout(end, 20))]); return [log, x]`
}
