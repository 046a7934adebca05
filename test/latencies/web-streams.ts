import type { Random } from '../reference/random.ts'

/** Tasks that let data flow through streams of the web: sources that push, that are pulled and that iterate, transformers and sinks that take their time, branches, signals, and one stream that all share. */
export function generateWebStreams(random: Random): string {
  const note = (): string => random.one([`log.push(${10 + random.below(90)})`, 'x++', 'log.push(x)'])
  const source = (): string =>
    random.one([
      `pulled(${1 + random.below(2)})`, `pushed(${1 + random.below(2)})`, 'started()', 'ReadableStream.from(generated(2))', 'ReadableStream.from([io(1), io(2)])', 'bytes()', 'pulled(2).tee()[0]', `new Pulled(${1 + random.below(2)})`,
      'shared.readable', 'stream.Readable.toWeb(stream.Readable.from(generated(2)))',
    ])
  const through = (): string => random.one(['', '', '.pipeThrough(slow())', '.pipeThrough(quick())', '.pipeThrough(new Slow())', '.pipeThrough(slow(), { signal: c.signal })', '.pipeThrough(slow(), { preventCancel: true })'])
  const sink = (from: string): string =>
    random.one([
      `await (${from}).pipeTo(sink());`,
      `await (${from}).pipeTo(sink(), { signal: c.signal });`,
      `await (${from}).pipeTo(quickSink());`,
      `await (${from}).pipeTo(new Sink());`,
      `await (${from}).pipeTo(quickSink(), { preventClose: true });`,
      `for await (const v of ${from}) { log.push(shown(v)); ${random.one(['', 'break;', 'await io(3);', `${note()};`])} }`,
      `{ const r = (${from}).getReader(); for (;;) { const { done, value } = await r.read(); if (done) break; log.push(shown(value)); ${random.one(['', 'if (x > 1) { await r.cancel(); break }'])} } }`,
      `{ const r = (${from}).getReader(); log.push(...(await Promise.all([r.read(), r.read()])).map((one) => shown(one.value))); await r.cancel('c') }`,
      `await Promise.all((${from}).tee().map(async (branch, i) => { for await (const v of branch) log.push(i + shown(v)) }));`,
      `log.push(await new Response((${from}).pipeThrough(text())).text());`,
    ])
  const flow = (): string => `try { ${sink(source() + through())} } catch (error) { log.push('c' + (error?.name ?? error)) }`
  const statement = (): string =>
    random.one([
      () => `${note()};`,
      () => `await io(0); ${note()};`,
      flow,
      flow,
      () => `try { const w = shared.writable.getWriter(); try { await w.write(${random.below(9)}); ${note()} } finally { w.releaseLock() } } catch (error) { log.push('w' + (error?.name ?? error)) }`,
      () => 'await io(1); c.abort(5);',
      () => `shared.writable.close().catch(() => log.push('n'));`,
      () => `shared.readable.cancel(1).catch(() => log.push('n'));`,
    ])()
  const task = (): string => `(async () => { ${Array.from({ length: 1 + random.below(2) }, statement).join(' ')} })()`
  return `const log = []; let x = 0; const c = new AbortController(); const shown = (v) => v instanceof Uint8Array ? 'b' + v.join('') : v;
const generated = async function* (n) { try { for (let i = 0; i < n; i++) yield await io(i) } finally { log.push('f') } };
const pulled = (n) => new ReadableStream({ async pull(controller) { if (n-- > 0) controller.enqueue(await io(n)); else controller.close() }, cancel() { log.push('cancel') } });
const pushed = (n) => new ReadableStream({ start(controller) { for (let i = 0; i < n; i++) io(i).then((v) => controller.enqueue(v)).catch(() => log.push('late')); io(9).then(() => controller.close()).catch(() => log.push('late')) }, async cancel() { await io(0); log.push('cancelled') } });
const started = () => new ReadableStream({ async start(controller) { controller.enqueue(1); await io(0); controller.enqueue(2); controller.close() } });
const bytes = () => { let n = 2; return new ReadableStream({ type: 'bytes', async pull(controller) { if (n-- > 0) controller.enqueue(new Uint8Array([await io(n)])); else controller.close() } }) };
const slow = () => new TransformStream({ async transform(v, controller) { await io(0); controller.enqueue(v); x++ }, async flush(controller) { await io(0); controller.enqueue(8) } });
const quick = () => new TransformStream({ transform(v, controller) { controller.enqueue(v); controller.enqueue(x) } });
const text = () => new TransformStream({ transform(v, controller) { controller.enqueue(new TextEncoder().encode(shown(v))) } });
const shared = slow();
const sink = () => new WritableStream({ async write(v) { await io(0); log.push(shown(v)) }, async close() { await io(0); log.push('e') }, abort() { log.push('a') } });
class Pulled extends ReadableStream { constructor(n) { super({ async pull(controller) { if (n-- > 0) controller.enqueue(await io(n)); else controller.close() } }) } }
class Slow extends TransformStream { constructor() { super({ async transform(v, controller) { await io(0); controller.enqueue(v) } }) } }
class Sink extends WritableStream { constructor() { super({ async write(v) { await io(0); log.push(shown(v)) } }) } }
const quickSink = () => new WritableStream({ write(v) { log.push(shown(v)) } });
await Promise.race([Promise.allSettled([${Array.from({ length: 1 + random.below(2) }, task).join(', ')}]), new Promise((end) => setTimeout(end, 20))]); return [log, x]`
}
