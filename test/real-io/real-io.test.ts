import child from 'node:child_process'
import crypto from 'node:crypto'
import dgram from 'node:dgram'
import dns from 'node:dns'
import events from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import stream from 'node:stream'
import consumers from 'node:stream/consumers'
import util from 'node:util'
import threads from 'node:worker_threads'
import zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validity } from '../../src/engine/validity.ts'
import { exploreBody } from '../reference/project.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitest-dpor-real-io-'))
const file = path.join(folder, 'file.txt')
const made = fs.mkdtempSync(path.join(os.tmpdir(), 'vitest-dpor-real-io-'))
/** Answers later than anybody waits. */
const slow = http.createServer((_, response) => void setTimeout(() => response.end('late'), 3000))
const { checked } = validity
beforeAll(async () => {
  await events.once(slow.listen(0, '127.0.0.1'), 'listening')
  fs.writeFileSync(file, 'hello')
  // Which of two connections comes first is nobody's choice: what the algorithms take for granted of a program need not be so.
  validity.checked = false
})
afterAll(() => {
  slow.closeAllConnections()
  slow.close()
  for (const each of [folder, made]) fs.rmSync(each, { recursive: true })
  validity.checked = checked
})

const scope = () => ({ child, consumers, crypto, dgram, dns, events, fs, http, http2, made, net, path, readline, stream, threads, util, zlib, file, folder, slowUrl: `http://127.0.0.1:${(slow.address() as net.AddressInfo).port}/` })

describe.each(['await', 'event-loop'] as const)("interleave: '%s'", (interleave) => {
  const outcomes = async (source: string): Promise<readonly string[]> => (await exploreBody(source, { interleave, scope, limit: 500 })).outcomes

  test.each([
    ['a file', `return await new Promise((done) => fs.readFile(file, 'utf8', (error, text) => done(text)))`, '"hello"'],
    ['a file that is not there', `return await new Promise((done) => fs.readFile(file + '.no', (error) => done(error.code)))`, '"ENOENT"'],
    ['compression', `return await new Promise((done) => zlib.gzip('aaaa', (error, bytes) => zlib.gunzip(bytes, (_, text) => done(String(text)))))`, '"aaaa"'],
    ['a child process', `return await new Promise((done) => child.execFile(process.execPath, ['-e', 'console.log("2")'], (error, out) => done(out)))`, String.raw`"2\n"`],
    ['random bytes', `return await new Promise((done) => crypto.randomBytes(8, (error, bytes) => done(bytes.length)))`, '8'],
    ['a derived key', `return await new Promise((done) => crypto.pbkdf2('a', 'b', 10, 8, 'sha1', (error, bytes) => done(bytes.length)))`, '8'],
    ['a name', `return await new Promise((done) => dns.lookup('127.0.0.1', (error, address) => done(address)))`, '"127.0.0.1"'],
    ['a message', `const { port1, port2 } = new threads.MessageChannel(); return await new Promise((done) => { port2.on('message', (text) => { port1.close(); done(text) }); port1.postMessage(7) })`, '7'],
    ['the end of a port of which nobody awaits messages', `const { port1, port2 } = new threads.MessageChannel(); port2.on('message', () => port2.close()); port1.postMessage(1); await new Promise((done) => port1.on('close', done)); return 'closed'`, '"closed"'],
    ['a pipeline', `const chunks = []; await new Promise((done) => stream.pipeline(stream.Readable.from(['a', 'b']), new stream.Writable({ write(chunk, _, next) { chunks.push(String(chunk)); next() } }), done)); return chunks`, '["a","b"]'],
    ['a stream', `const chunks = []; await new Promise((done) => fs.createReadStream(file).on('data', (chunk) => chunks.push(String(chunk))).on('end', done)); return chunks`, '["hello"]'],
    ['a stream, chunk by chunk', `const chunks = []; for await (const chunk of fs.createReadStream(file, { highWaterMark: 2, encoding: 'utf8' })) chunks.push(chunk); return chunks`, '["he","ll","o"]'],
    ['a pipeline of a file, as a promise', `const chunks = []; await stream.promises.pipeline(fs.createReadStream(file), zlib.createGzip(), zlib.createGunzip(), new stream.Writable({ write(chunk, _, next) { chunks.push(String(chunk)); next() } })); return chunks.join('')`, '"hello"'],
    ['the end of a stream, by then', `const source = fs.createReadStream(file); source.resume(); return await stream.promises.finished(source).then(() => 'over')`, '"over"'],
    ['streams of the web that compress', `return await new Response(new Blob(['abc']).stream().pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip'))).text()`, '"abc"'],
    ['a server that is slower than a timeout', `return await fetch(slowUrl, { signal: AbortSignal.timeout(50) }).then(() => 'answered', (error) => error.name)`, '"TimeoutError"'],
    ['a folder', `const names = []; for await (const { name } of await fs.promises.opendir(folder)) names.push(name); return names`, '["file.txt"]'],
    ['a stream that hides its class', `class Own extends stream.PassThrough { constructor() { super(); this.constructor = undefined } } const own = new Own(); const came = new Promise((done) => own.on('data', (data) => done(String(data)))); own.end('data'); return await came`, '"data"'],
    ['a socket', `return await new Promise((done) => { const server = net.createServer((socket) => { socket.on('data', (data) => { socket.end('re ' + data) }) }); server.listen(0, () => { const client = net.connect(server.address().port, () => client.write('q')); client.on('data', (data) => { server.close(); done(String(data)) }) }) })`, '"re q"'],
    ['a server and two clients', `const server = http.createServer(async (request, response) => { await null; response.end('hi ' + request.url) }); await new Promise((done) => server.listen(0, done))
const get = async (path) => (await fetch('http://127.0.0.1:' + server.address().port + path)).text()
const all = await Promise.all([get('/a'), get('/b')]); server.closeAllConnections(); await new Promise((done) => server.close(done)); return all`, '["hi /a","hi /b"]'],
  ])('%s is waited for', async (_, source, outcome) => {
    expect(await outcomes(source)).toEqual([outcome])
  })

  test('the address of a name that nobody tells holds up no other execution', async () => {
    const native = dns.lookup
    const silent = (...args: unknown[]): unknown => (args[0] === 'silent.test' ? {} : Reflect.apply(native, dns, args))
    dns.lookup = silent as typeof native
    try {
      expect(await outcomes(`net.connect({ host: 'silent.test', port: 1 }).on('error', () => {}).unref(); return 'asked'`)).toEqual(['"asked"'])
      expect(await outcomes(`return await new Promise((done) => net.connect({ host: 'localhost', family: 4, port: 1 }).on('error', ({ code }) => done(code)))`)).toEqual(['"ECONNREFUSED"'])
    } finally {
      dns.lookup = native
    }
  })

  test.each([
    ['messages to ports, by whichever way one listens', `const { port1, port2 } = new MessageChannel(); port2.onmessage = ({ data }) => port2.postMessage(data * 2)
const answer = new Promise((done) => port1.addEventListener('message', ({ data }) => done(data), { once: true })); port1.start(); port1.postMessage(3); const found = await answer
const before = port2.onmessage; port1.onmessage = before; const same = port1.onmessage === before; port1.close(); return [found, same]`, '[6,true]'],
    ['calls by messages to a thread', `const worker = new threads.Worker("const { parentPort } = require('worker_threads'); parentPort.on('message', ({ id, n }) => parentPort.postMessage({ id, n: n * n }))", { eval: true })
const waiting = new Map(); worker.on('message', ({ id, n }) => waiting.get(id)(n)); const call = (id, n) => new Promise((done) => { waiting.set(id, done); worker.postMessage({ id, n }) })
const all = await Promise.all([call(1, 2), call(2, 3)]); await worker.terminate(); return all`, '[4,9]'],
    ['messages of a thread, and its end', `const worker = new threads.Worker("const { parentPort } = require('worker_threads'); parentPort.on('message', (n) => { parentPort.postMessage(n * 2); if (n > 2) parentPort.close() })", { eval: true })
worker.postMessage(2); const [one] = await events.once(worker, 'message'); worker.postMessage(3); const [two] = await events.once(worker, 'message'); const [code] = await events.once(worker, 'exit'); return [one, two, code]`, '[4,6,0]'],
    ['two messages of a thread, one after the other', `const worker = new threads.Worker("const { parentPort } = require('worker_threads'); parentPort.postMessage(1); parentPort.postMessage(2); parentPort.once('message', () => {})", { eval: true })
const one = await new Promise((done) => worker.once('message', done)); const two = await new Promise((done) => worker.once('message', done)); await worker.terminate(); return [one, two]`, '[1,2]'],
    ['the end of a process, once its output has come', `const echo = child.spawn('echo', ['x']); const data = await new Promise((done) => echo.stdout.once('data', done)); const code = await new Promise((done) => echo.on('close', done)); return String(data) + code`, '"x\\n0"'],
    ['the same by once', `const echo = child.spawn('echo', ['x']); const [data] = await events.once(echo.stdout, 'data'); const [code] = await events.once(echo, 'exit'); return String(data) + code`, '"x\\n0"'],
    ['the end of a stream of a file, once data has come', `const short = path.join(made, 'short'); fs.writeFileSync(short, 'abc'); const source = fs.createReadStream(short); const data = await new Promise((done) => source.once('data', done)); await new Promise((done) => source.once('close', done)); return String(data)`, '"abc"'],
    ['packets', `const one = dgram.createSocket('udp4'); one.bind(0, '127.0.0.1'); await events.once(one, 'listening'); const other = dgram.createSocket('udp4'); const came = events.once(one, 'message')
other.send('packet', one.address().port, '127.0.0.1'); const [packet] = await came; other.close(); one.close(); await events.once(one, 'close'); return String(packet)`, '"packet"'],
    ['a temporary folder, and who watches it', `const own = fs.mkdtempSync(path.join(made, 'a-')); const watcher = fs.watch(own); const change = events.once(watcher, 'change'); fs.writeFileSync(path.join(own, 'new'), '')
const [, name] = await change; watcher.close(); const { length } = await fs.promises.mkdtemp(path.join(made, 'a-')); await fs.promises.rm(own, { recursive: true }); return [name, length === own.length]`, '["new",true]'],
    ['the number of a process', `const cat = child.spawn('cat'); const kept = { pid: cat.pid }; cat.stdin.write('a'); const [first] = await events.once(cat.stdout, 'data'); cat.stdin.end('b'); const rest = await consumers.text(cat.stdout); return [typeof kept.pid, String(first) + rest]`, '["number","ab"]'],
    ['lines', `const lines = []; for await (const line of readline.createInterface({ input: fs.createReadStream(file) })) lines.push(line); return lines`, '["hello"]'],
    ['connections that are kept', `const agent = new http.Agent({ keepAlive: true, maxSockets: 1 }); const server = http.createServer((request, response) => response.end(request.url)); await events.once(server.listen(0), 'listening')
const get = (path) => new Promise((done, failed) => http.get({ port: server.address().port, path, agent }, (response) => consumers.text(response).then(done, failed)).on('error', failed))
const all = await Promise.all([get('/1'), get('/2')]); agent.destroy(); server.closeAllConnections(); await new Promise((done) => server.close(done)); return all`, '["/1","/2"]'],
    ['what is kept by address', `const server = http.createServer((request, response) => response.end(request.url)); await events.once(server.listen(0, '127.0.0.1'), 'listening'); const kept = {}, known = new Set()
const get = async (path) => { const origin = 'http://127.0.0.1:' + server.address().port; kept[origin] = (kept[origin] ?? 0) + 1; const isNew = !known.has(origin); known.add(origin); const text = await (await fetch(origin + path)).text(); return [text, isNew, kept[origin]] }
const all = await Promise.all([get('/1'), get('/2')]); server.closeAllConnections(); server.close(); return [all, Object.values(kept)]`, '[[["/1",true,2],["/2",false,2]],[2]]'],
    ['requests by HTTP/2', `let left = 1; const server = http2.createServer(); server.on('stream', (stream) => { if (left > 0) left--; stream.respond({ ':status': 200 }); stream.end('ok') })
server.listen(0); await events.once(server, 'listening'); const client = http2.connect('http://localhost:' + server.address().port)
const buy = () => new Promise((done, failed) => { const request = client.request({ ':path': '/' }); let text = ''; request.setEncoding('utf8'); request.on('data', (data) => (text += data)); request.on('end', () => done(text)); request.on('error', failed); request.end() })
const all = await Promise.all([buy(), buy()]); client.close(); await new Promise((done) => server.close(done)); return [all, left]`, '[["ok","ok"],0]'],
    ['data that is sent by fetch', `let total = 0; const server = http.createServer((request, response) => { let text = ''; request.on('data', (data) => (text += data)); request.on('end', () => { total += Number(text); response.end() }) }); await events.once(server.listen(0), 'listening')
const post = async (body) => (await fetch('http://localhost:' + server.address().port, { method: 'POST', body })).text(); await Promise.all([post('1'), post('2')]); server.closeAllConnections(); server.close(); return total`, '3'],
  ])('%s: it is the same whenever it runs again', async (_, source, outcome) => {
    const explored = await exploreBody(source, { interleave, scope, limit: 500, reproduce: 5 })
    expect(explored.outcomes).toEqual([outcome])
    expect(explored.verdict).toBe('holds')
  })

  test('who waits for a step that comes from outside gets it, however late it is', async () => {
    const body = `const order = []; const run = async (name, wait) => { await new Promise((done) => child.execFile(process.execPath, ['-e', 'setTimeout(() => {}, ' + wait + ')'], done)); order.push(name) }
await Promise.all([run('late', 100), run('soon', 0)]); return order`
    expect(await outcomes(body)).toEqual(['["late","soon"]', '["soon","late"]'])
  })

  test('two clients of a server that reads what they send', async () => {
    const body = `let n = 0; const server = net.createServer(async (socket) => { for await (const data of socket) { const found = n; await fs.promises.readFile(file); n = found + 1; socket.end(String(data)) } }); await events.once(server.listen(0), 'listening')
const client = () => new Promise((done) => { const socket = net.connect(server.address().port, () => socket.write('x')); socket.on('data', (data) => done(String(data))) })
const all = await Promise.all([client(), client()]); server.close(); return [all, n]`
    expect(await outcomes(body)).toEqual(['[["x","x"],1]', '[["x","x"],2]'])
  })

  test('answers of several come in every order', async () => {
    const body = `const order = []; const read = (n) => new Promise((done) => fs.readFile(file, () => { order.push(n); done() })); await Promise.all([read(1), read(2)]); return order`
    expect(await outcomes(body)).toEqual(['[1,2]', '[2,1]'])
  })

  test('what races between answers is found', async () => {
    const body = `let n = 0; const add = () => new Promise((done) => { fs.stat(file, () => { const found = n; fs.stat(file, () => { n = found + 1; done() }) }) }); await Promise.all([add(), add()]); return n`
    expect(await outcomes(body)).toEqual(['1', '2'])
  })

  test.each([
    ['compression', `(done) => zlib.gzip('a', done)`],
    ['compression, by promises', `(done, failed) => util.promisify(zlib.gzip)('a').then(done, failed)`],
    ['a key', `(done) => crypto.scrypt('a', 'b', 8, done)`],
    ['a digest', `(done, failed) => globalThis.crypto.subtle.digest('SHA-256', new Uint8Array(2)).then(done, failed)`],
  ])('two tasks that ask twice, for %s: one may have both answers before the other has its first', async (_, asks) => {
    const body = `let n = 0; const ask = () => new Promise(${asks}); const task = async () => { await ask(); const found = n; await ask(); n = found + 1 }
await Promise.all([task(), task()]); return n`
    expect(await outcomes(body)).toEqual(['1', '2'])
  })

  test('requests to a server race', async () => {
    const body = `let hits = 0
const server = http.createServer((request, response) => { const found = hits; fs.stat(file, () => { hits = found + 1; response.end() }) })
await new Promise((done) => server.listen(0, done))
const get = async () => { await (await fetch('http://127.0.0.1:' + server.address().port)).text() }
await Promise.all([get(), get()]); server.closeAllConnections(); await new Promise((done) => server.close(done)); return hits`
    expect(await outcomes(body)).toEqual(['1', '2'])
  })

  test('virtual time does not run past it', async () => {
    const body = `const read = new Promise((done) => fs.readFile(file, 'utf8', (_, text) => done(text))); const late = new Promise((done) => setTimeout(done, 1, 'late')); return await Promise.race([read, late])`
    expect(await outcomes(body)).toEqual(['"hello"'])
  })

  test.each([
    ['the end of a child process comes after what it has written', `let text = ''; const cat = child.spawn('cat'); cat.stdout.on('data', (data) => (text += data)); cat.stdin.end('written'); await events.once(cat, 'close'); return text`, '"written"'],
    ['so does a listener for that', `let text = ''; const cat = child.spawn('cat'); cat.stdout.on('data', (data) => (text += data)); cat.stdin.end('written'); return await new Promise((done) => cat.on('close', () => done(text)))`, '"written"'],
    ['the end of a file after its chunks', `let text = ''; const source = fs.createReadStream(file); source.on('data', (data) => (text += data)); await new Promise((done) => stream.finished(source, done)); return text`, '"hello"'],
    ['who waits for a message hears of the end that came meanwhile', `const worker = new threads.Worker("require('worker_threads').parentPort.postMessage(1)", { eval: true }); const slow = new Promise((done) => child.execFile(process.execPath, ['-e', 'setTimeout(() => {}, 300)'], done))
const [message] = await events.once(worker, 'message'); const [code] = await events.once(worker, 'exit'); await slow; return [message, code]`, '[1,0]'],
    ['as a promise, too', `let text = ''; const source = fs.createReadStream(file); source.on('data', (data) => (text += data)); await stream.promises.finished(source); return text`, '"hello"'],
  ])('%s', async (_, source, outcome) => {
    expect(await outcomes(source)).toEqual([outcome])
  })

  test('what never answers is a deadlock, a server that is open is none', async () => {
    expect(await outcomes(`await new Promise((done) => fs.watch(file, { persistent: false }, done).unref())`)).toEqual(['deadlock'])
    expect(await outcomes(`const server = net.createServer(() => {}); await new Promise((done) => server.listen(0, done)); server.close(); return 'open'`)).toEqual(['"open"'])
  })
})
