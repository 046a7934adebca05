import { expect, test } from 'vitest'
import { project, run } from './project.ts'

/** What one test makes, and another one uses: both are green without the flag. */
interface Kind {
  readonly imports?: string
  readonly shared: string
  readonly make: string
  readonly use: string
}

const pause = 'const pause = (ms) => new Promise((resume) => setTimeout(resume, ms))'

const kinds: Readonly<Record<string, Kind>> = {
  'a promise that another test fulfils': {
    shared: 'let promise, open',
    make: 'promise = new Promise((resolve) => { open = resolve })',
    use: 'open(7); expect(await promise).toBe(7)',
  },
  'a promise that another test rejects': {
    shared: 'let promise, fail',
    make: 'promise = new Promise((_, reject) => { fail = reject }); promise.catch(() => {})',
    use: "fail(new Error('no')); await expect(promise).rejects.toThrow('no')",
  },
  'a reaction': {
    shared: 'let open; const heard = []',
    make: 'void new Promise((resolve) => { open = resolve }).then((value) => heard.push(value))',
    use: 'open(7); await pause(1); expect(heard).toEqual([7])',
  },
  'who waits for a lock': {
    shared: `const queue = []; let isHeld = false; const log = []
const lock = () => new Promise((resolve) => { if (isHeld) queue.push(resolve); else { isHeld = true; resolve() } })
const unlock = () => { const next = queue.shift(); if (next) next(); else isHeld = false }`,
    make: "await lock(); void lock().then(() => { log.push('second'); unlock() })",
    use: "unlock(); await pause(2); expect(log).toEqual(['second']); expect(isHeld).toBe(false)",
  },
  'a call that waits for a promise': {
    shared: 'let open; const log = []',
    make: 'const promise = new Promise((resolve) => { open = resolve }); void (async () => { log.push(await promise) })()',
    use: 'open(5); await pause(5); expect(log).toEqual([5])',
  },
  'a timer that fulfils a promise': {
    shared: 'let promise',
    make: 'promise = new Promise((resolve) => setTimeout(() => resolve({ list: [1] }), 300))',
    use: 'const value = await promise; value.list.push(2); expect(value).toEqual({ list: [1, 2] })',
  },
  'an interval': {
    shared: 'let count = 0, timer',
    make: 'timer = setInterval(() => count++, 10)',
    use: 'await pause(300); clearInterval(timer); expect(count).toBeGreaterThan(2)',
  },
  'what an abort rejects': {
    shared: 'let controller, promise',
    make: "controller = new AbortController(); promise = new Promise((_, reject) => controller.signal.addEventListener('abort', () => reject(controller.signal.reason))); promise.catch(() => {})",
    use: "controller.abort(new Error('stop')); await expect(promise).rejects.toThrow('stop')",
  },
  'what waits for an event': {
    imports: "import { EventEmitter, once } from 'node:events'",
    shared: 'let emitter, promise',
    make: "emitter = new EventEmitter(); promise = once(emitter, 'x')",
    use: "emitter.emit('x', 1); expect(await promise).toEqual([1])",
  },
  'a generator': {
    shared: 'let numbers; function* from(first) { for (let i = first; ; i++) yield i }',
    make: 'numbers = from(0); expect(numbers.next().value).toBe(0)',
    use: 'await null; expect(numbers.next().value).toBe(1)',
  },
  'an async generator': {
    shared: 'let numbers; async function* from(first) { for (let i = first; ; i++) { await null; yield i } }',
    make: 'numbers = from(0); expect((await numbers.next()).value).toBe(0)',
    use: 'expect((await numbers.next()).value).toBe(1)',
  },
  'a stream': {
    shared: 'let stream, controller',
    make: 'stream = new ReadableStream({ start(given) { controller = given } })',
    use: "controller.enqueue('a'); controller.close(); const all = []; for await (const chunk of stream) all.push(chunk); expect(all).toEqual(['a'])",
  },
  'lines of a stream': {
    imports: "import { createInterface } from 'node:readline'\nimport { PassThrough } from 'node:stream'",
    shared: 'let stream, lines; const all = []',
    make: "stream = new PassThrough(); lines = createInterface({ input: stream }); lines.on('line', (line) => all.push(line))",
    use: "stream.write('a\\nb\\n'); await pause(50); lines.close(); expect(all).toEqual(['a', 'b'])",
  },
  'a channel': {
    shared: 'let channel; const all = []',
    make: 'channel = new MessageChannel(); channel.port1.onmessage = ({ data }) => all.push(data)',
    use: 'channel.port2.postMessage(3); await pause(100); channel.port1.close(); expect(all).toEqual([3])',
  },
  'a server': {
    imports: "import http from 'node:http'",
    shared: 'let server, url, count = 0',
    make: "server = http.createServer((_, response) => response.end(String(++count))); await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)); url = 'http://127.0.0.1:' + server.address().port",
    use: "expect(await (await fetch(url)).text()).toBe('1'); server.closeAllConnections(); server.close()",
  },
  'a connection': {
    imports: "import { connect, createServer } from 'node:net'",
    shared: 'let server, socket; const heard = []',
    make: "server = createServer((other) => other.on('data', (data) => { heard.push(String(data)); other.write('ok') })); await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)); socket = connect(server.address().port, '127.0.0.1'); await new Promise((resolve) => socket.on('connect', resolve))",
    use: "socket.write('hi'); const answer = await new Promise((resolve) => socket.once('data', (data) => resolve(String(data)))); expect([answer, ...heard]).toEqual(['ok', 'hi']); socket.destroy(); server.close()",
  },
  'another process': {
    imports: "import { spawn } from 'node:child_process'",
    shared: 'let child; const said = []',
    make: "child = spawn(process.execPath, ['-e', 'process.stdin.on(\"data\", (data) => process.stdout.write(data))']); child.stdout.on('data', (data) => said.push(String(data)))",
    use: "child.stdin.write('yo'); await new Promise((resolve) => child.stdout.once('data', resolve)); child.kill(); expect(said).toEqual(['yo'])",
  },
  'a file that is read': {
    imports: "import { readFile } from 'node:fs/promises'",
    shared: 'const all = []',
    make: "void readFile('package.json', 'utf8').then((text) => all.push(text.length > 0))",
    use: 'await pause(300); expect(all).toEqual([true])',
  },
  'who waits for a promise that was there before': {
    shared: 'let open; const promise = new Promise((resolve) => { open = resolve }); const log = []',
    make: "void promise.then((value) => log.push(value)); void (async () => { log.push('async ' + await promise) })()",
    use: "open(7); await pause(5); expect(log.toSorted()).toEqual([7, 'async 7'])",
  },
  'a listener that is called once': {
    imports: "import { EventEmitter as Emitter } from 'node:events'",
    shared: "const emitter = new Emitter(), log = []; emitter.once('x', (value) => log.push(value))",
    make: "await null; emitter.emit('x', 1); emitter.once('x', (value) => log.push(value)); expect(log).toEqual([1])",
    use: "await null; emitter.emit('x', 2); emitter.emit('x', 3); expect(log).toEqual([1, 2])",
  },
  'a stream that was there before': {
    imports: "import { PassThrough as Passing } from 'node:stream'",
    shared: "let stream = new Passing({ objectMode: true }), count = 0; const log = []; stream.on('data', (data) => log.push(data))",
    make: "count++; stream.write(1); await pause(1); stream.end(); await pause(1); stream = new Passing({ objectMode: true }); stream.on('data', (data) => log.push(data))",
    use: 'stream.pause(); stream.write(2); await pause(1); expect([count, ...log]).toEqual([1, 1]); stream.resume(); await pause(1); expect(log).toEqual([1, 2])',
  },
  'promises that were there before': {
    shared: 'let open, count = 0; const promise = new Promise((resolve) => { open = resolve }); const log = []; void promise.then((value) => log.push(value))',
    make: 'count++; await Promise.all([1, 2].map(async () => { const before = count; await null; count = before + 1 })); open(count)',
    use: 'await null; expect(log).toEqual([2]); expect(await promise).toBe(2)',
  },
}

/** With more than one order the plain run is done once more in the end. */
const race = 'const x = { n: 0 }; await Promise.all([1, 2].map(async () => { const before = x.n; await new Promise((resume) => setImmediate(resume)); x.n = before + 1 })); '

const spec = (kind: string, first: string): string => `import { describe, expect, test } from 'vitest'
${Object.values(kinds).map(({ imports = '' }) => imports).join('\n')}
${pause}
${Object.entries(kinds).map(([name, { shared, make, use }]) => `describe('${kind}: ${name}', () => {
  ${shared}
  test('is made', async () => { ${first}${make} })
  test('is used', async () => { ${use} })
})`).join('\n')}
`

test('what a test leaves is there for the next one, and goes on, as without the flag', async () => {
  const folder = project('left-to-the-next', { 'alone.spec.js': spec('alone', ''), 'raced.spec.js': spec('raced', race) })
  for (const flags of [[], ['--', '--dpor'], ['--', '--dpor', '--dpor.time=race']]) {
    const { names, test: report } = await run(folder, ...flags)
    expect(names).toHaveLength(4 * Object.keys(kinds).length)
    // That an interval fires less often when an answer comes sooner is true.
    const red = names.filter((name) => report(name).status !== 'passed' && !(flags.includes('--dpor.time=race') && name.includes('an interval')))
    expect(red.map((name) => [flags, name, report(name).message])).toEqual([])
  }
}, 120_000)
