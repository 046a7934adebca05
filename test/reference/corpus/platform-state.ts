import { changeAndLook, type Case } from './case.ts'

/** What instances of Node's and the platform's smaller classes keep, and what belongs to the whole process: what is shared, what changes it, what looks. */
const shared: readonly (readonly [make: string, change: string, look: string])[] = [
  // Matches
  ["'x'.match(/(x)/)", "'b'.replace(/(b)/, '')", 'RegExp.lastMatch'],
  ["'x'.match(/(x)/)", "/(b)/.test('b')", "(/(a)/.test('a'), await null, RegExp.$1)"],
  // Channels
  ['const key = Symbol(); const o = nodeChannels.channel(key); let n = 0', 'o.subscribe(() => n++)', '(o.publish(1), n)'],
  ['const key = Symbol(); const o = nodeChannels.channel(key); let n = 0', 'nodeChannels.subscribe(key, () => n++)', '(o.publish(1), n)'],
  ['const key = Symbol(); const o = nodeChannels.channel(key); let n = 0', 'nodeChannels.subscribe(key, () => n++)', 'o.hasSubscribers'],
  ['const key = Symbol(); const o = nodeChannels.channel(key); let n = 0', 'o.subscribe(() => n++)', 'nodeChannels.hasSubscribers(key)'],
  // Contexts of code
  ['const o = { a: 1 }', 'o.a = 2', "nodeVm.runInNewContext('o.a', { o })"],
  ['const o = nodeVm.createContext({ a: 1 })', 'o.a = 2', "nodeVm.runInContext('a', o)"],
  ['const o = nodeVm.createContext({ a: 1 })', "nodeVm.runInContext('a = 2', o)", 'o.a'],
  ["const o = nodeVm.createContext({ a: 1 }); const script = new nodeVm.Script('a++')", 'script.runInContext(o)', 'o.a'],
  // Bytes and text
  ["const o = Buffer.from('abc')", 'o[0] = 100', "nodeBuffer.transcode(o, 'utf8', 'latin1').toString()"],
  ["const o = Buffer.from('abc')", 'o[0] = 0xff', 'nodeBuffer.isUtf8(o)'],
  ["const o = ['en']", "o[0] = 'de'", 'Intl.getCanonicalLocales(o)[0]'],
  ["const o = new nodeUtil.MIMEType('a/b')", "o.type = 'c'", 'String(o)'],
  ['const o = new nodeV8.Serializer(); o.writeHeader()', 'o.writeUint32(3)', 'o.releaseBuffer().length'],
  ['const o = new nodeV8.Deserializer(Buffer.from([1, 2]))', 'o.readUint32()', 'o.readUint32()'],
  // Classes and limits
  ['function O() {} function Base() {}', 'nodeUtil.inherits(O, Base)', 'new O() instanceof Base'],
  ['const o = {}', 'Object.setPrototypeOf(o, Map.prototype)', 'nodeUtil.types.isMap(o) + (o instanceof Map)'],
  ['const o = new EventTarget()', 'events.setMaxListeners(3, o)', 'events.getMaxListeners(o)'],
  ['const o = new EventEmitter()', 'o.setMaxListeners(3)', 'events.getMaxListeners(o)'],
  ['const o = new FinalizationRegistry(() => {}); const token = {}', 'o.register({}, 1, token)', 'o.unregister(token)'],
  ["const o = new nodeCrypto.createECDH('secp256k1')", "o.setPrivateKey('01'.padStart(64, '0'), 'hex')", "(() => { try { return o.getPublicKey('hex') } catch { return 0 } })()"],
  // Messages
  ['const o = new MessageChannel()', 'o.port1.postMessage(1)', 'nodeThreads.receiveMessageOnPort(o.port2)?.message ?? null'],
  // Requests
  ["const o = new Request('http://x', { headers: { a: '1' } })", "o.headers.set('a', '2')", "new Request(o).headers.get('a')"],
  ["const o = new Request('http://x', { method: 'POST', body: 'q' })", 'await o.text()', '(() => { try { new Request(o); return 0 } catch { return 1 } })()'],
  // WebAssembly
  ["const o = new WebAssembly.Global({ value: 'i32', mutable: true }, 1)", 'o.value = 2', 'o.value'],
  ['const o = new WebAssembly.Memory({ initial: 1, maximum: 3 })', 'o.grow(1)', 'o.buffer.byteLength'],
  ['const o = new WebAssembly.Memory({ initial: 1, maximum: 3 })', 'new Uint8Array(o.buffer)[0] = 1', 'new Uint8Array(o.buffer)[0]'],
  ["const o = new WebAssembly.Table({ initial: 1, element: 'externref' })", "o.set(0, 'x')", 'o.get(0) ?? null'],
  ...['o.increment()', '{ const { increment } = o; increment() }'].map((change) => [`const o = ${counterOfWebAssembly()}`, change, 'o.increment()'] as const),
]

/** A module with a number that its only function increments and returns. */
function counterOfWebAssembly(): string {
  const name = [...'increment'].map((letter) => letter.codePointAt(0))
  const sections = [[1, 5, 1, 96, 0, 1, 127], [3, 2, 1, 0], [6, 6, 1, 127, 1, 65, 0, 11], [7, name.length + 4, 1, name.length, ...name, 0, 0], [10, 13, 1, 11, 0, 35, 0, 65, 1, 106, 36, 0, 35, 0, 11]]
  return `new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ${sections.flat().join(', ')}]))).exports`
}

export const platformState: readonly Case[] = shared.map(([make, change, look]) => changeAndLook({ name: `${look} while ${change}, of ${make}`, make, change, look }))
