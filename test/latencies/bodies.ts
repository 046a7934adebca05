import type { Random } from '../reference/random.ts'

/** Tasks that make requests and responses of all that a body can be, one of which all share, and read, clone, branch and leave them. */
export function generateBodies(random: Random): string {
  const note = (): string => random.one([`log.push(${10 + random.below(90)})`, 'x++', 'log.push(x)'])
  const value = (): string => String(random.below(9))
  const message = (): string =>
    random.one([
      `new Response('t${value()}')`, `new Response(streamOf(${1 + random.below(2)}))`, `Response.json({ v: ${value()} })`, 'shared', `new Response(new URLSearchParams('a=${value()}'))`,
      `new Request('http://a.test', { method: 'POST', body: '{"v":${value()}}' })`, `new Request('http://a.test', { method: 'POST', body: streamOf(1), duplex: 'half' })`,
      'new Response(streamOf(2).pipeThrough(new TextDecoderStream()).pipeThrough(new TextEncoderStream()))',
    ])
  const use = (of: string): string =>
    random.one([
      `log.push(await (${of}).text())`,
      `log.push((await (${of}).arrayBuffer()).byteLength)`,
      `{ const m = ${of}; const c = m.clone(); log.push(...await Promise.all([m.text(), c.text()])) }`,
      `{ const m = ${of}; const c = m.clone(); log.push(await c.text()); ${note()}; log.push(m.bodyUsed, await m.text()) }`,
      `for await (const chunk of (${of}).body) { log.push(chunk.length); ${random.one(['', 'break;', note()])} }`,
      `{ const m = ${of}; const reader = m.body.getReader(); log.push((await reader.read()).done); ${note()}; reader.releaseLock(); log.push(m.bodyUsed); await m.body.cancel() }`,
      `log.push(await (${of}).blob().then((b) => b.size))`,
      `log.push(await (${of}).json().catch((e) => e.name))`,
      `{ const [a, b] = (${of}).body.tee(); log.push(await new Response(a).text(), await new Response(b).text()) }`,
    ])
  const tried = (): string => `try { ${use(message())} } catch (error) { log.push('c' + (error?.name ?? error)) }`
  const statement = (): string => random.one([() => `${note()};`, () => `await io(0); ${note()};`, tried, tried, () => `if (!shared.bodyUsed) { log.push('s' + await shared.text().catch((e) => e.name)) }`])()
  const task = (): string => `(async () => { ${Array.from({ length: 1 + random.below(3) }, statement).join(' ')} })()`
  return `const log = []; let x = 0; const streamOf = (n) => new ReadableStream({ async pull(c) { if (n-- > 0) c.enqueue(new TextEncoder().encode('s' + await io(n))); else c.close() } });
const shared = new Response(streamOf(1));
await Promise.all([${Array.from({ length: 1 + random.below(2) }, task).join(', ')}]); return [log, x]`
}
