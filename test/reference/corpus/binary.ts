import { apart, changeAndLook, changesAndEnd, type Case } from './case.ts'

const types = ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float32Array', 'Float64Array']

const looks: readonly string[] = [
  'o[0]', 'o.at(0)', 'o.includes(7)', 'o.indexOf(7)', 'o.lastIndexOf(7)', 'o.join()', 'Array.from(o)', '[...o]', '[...o.values()]', '[...o.entries()]', 'o.every((n) => n === 0)', 'o.some((n) => n)',
  'o.find((n) => n) ?? 0', 'o.findIndex((n) => n)', 'o.findLast((n) => n) ?? 0', 'o.reduce((a, b) => a + b)', 'o.map((n) => n)[0]', 'o.filter((n) => n).length', 'o.slice()[0]', 'o.subarray(0, 1)[0]', 'o.toSorted()[1]', 'o.toReversed()[1]',
  'o.with(1, 1)[0]', 'o.toString()', 'new Uint8Array(o)[0]', 'new Uint8Array(o.buffer)[0]', 'Uint8Array.from(o)[0]', 'new DataView(o.buffer).getUint8(0)', 'o.buffer.slice(0)[0] ?? new Uint8Array(o.buffer.slice(0))[0]', 'structuredClone(o)[0]', 'JSON.stringify(o)',
  'Buffer.from(o)[0]', `Buffer.from(o.buffer).toString('hex')`, 'Math.max(...o)', 'new TextDecoder().decode(o).charCodeAt(0)', 'Atomics.load(o, 0)', `Buffer.concat([o])[0]`, 'opaque.total(o)', 'Object.values(o)', 'new Set(o).size',
]

const changes: readonly string[] = [
  'o[0] = 7', 'o.set([7])', 'o.set(new Uint8Array([7]))', 'o.fill(7)', 'o.copyWithin(0, 1)', 'o.reverse()', 'o.sort((a, b) => b - a)', 'new Uint8Array(o.buffer)[0] = 7', 'o.subarray(0, 1)[0] = 7', 'o.subarray(0, 1).fill(7)', 'new DataView(o.buffer).setUint8(0, 7)',
  'Buffer.from(o.buffer).writeUInt8(7)', `Buffer.from(o.buffer).write('z')`, 'Buffer.from([7]).copy(o)', 'Atomics.store(o, 0, 7)', 'Atomics.add(o, 0, 7)', 'o[0] += 7', 'Object.assign(o, [7])', `new TextEncoder().encodeInto('z', o)`, 'crypto.getRandomValues(o).fill(7)',
  'opaque.setProperty(o, 0, 7)', 'o.buffer && new Int8Array(o.buffer, 0, 1).fill(7)',
]

const views: readonly Case[] = ['Int8', 'Uint8', 'Int16', 'Uint16', 'Int32', 'Uint32', 'Float32', 'Float64', 'BigInt64'].map((name) => {
  const [one, text] = name.startsWith('Big') ? ['7n', '.toString()'] : ['7', '']
  return changeAndLook({ name: `DataView.set${name} while get${name}`, make: 'const o = new DataView(new ArrayBuffer(8))', change: `o.set${name}(0, ${one})`, look: `o.get${name}(0)${text}` })
})

const buffers: readonly Case[] = [
  ...[
    'o.readUInt8(0)', 'o.readInt16LE(0)', 'o.readUInt32BE(0)', 'o.readDoubleLE(0)', `o.toString('hex')`, `o.toString()`, 'o.equals(Buffer.alloc(8))', 'o.compare(Buffer.alloc(8))', 'Buffer.compare(o, Buffer.alloc(8))', 'o.includes(7)', 'o.indexOf(7)', 'o.slice(0, 1)[0]',
    'o.subarray(0, 1)[0]', 'o.toJSON()', 'JSON.stringify(o)', `o + ''`, 'Buffer.from(o)[0]', 'Buffer.concat([o, o])[8]',
  ].map((look) => changeAndLook({ name: `${look} while buffer[0] = 7`, make: 'const o = Buffer.alloc(8)', change: 'o[0] = 7', look })),
  ...[
    'o.writeUInt8(7, 0)', 'o.writeInt16LE(7, 0)', 'o.writeUInt32LE(7, 0)', 'o.writeDoubleBE(7, 0)', `o.write('z')`, 'o.fill(7)', 'Buffer.from([7]).copy(o)', 'o.set([7])', 'o.subarray(0, 2).fill(7)', `o.swap16()`,
  ].map((change) => changeAndLook({ name: `${change} while the buffer is looked at`, make: `const o = Buffer.alloc(8); o[1] = 1`, change, look: `o.toString('hex')` })),
]

const rest: readonly Case[] = [
  changeAndLook({ name: 'buffer.resize while byteLength', make: 'const o = new ArrayBuffer(1, { maxByteLength: 2 })', change: 'o.resize(2)', look: 'o.byteLength', needs: 'resize' in ArrayBuffer.prototype }),
  changeAndLook({ name: 'buffer.resize while typed.length', make: 'const o = new ArrayBuffer(1, { maxByteLength: 2 }); const typed = new Uint8Array(o)', change: 'o.resize(2)', look: 'typed.length', needs: 'resize' in ArrayBuffer.prototype }),
  changeAndLook({ name: 'structuredClone with transfer while byteLength', make: 'const o = new ArrayBuffer(1)', change: 'structuredClone(o, { transfer: [o] })', look: 'o.byteLength' }),
  changesAndEnd({ name: 'two bytes of one array', make: 'const o = new Uint8Array(2)', changes: ['o[0] = 1', 'o[1] = 2'], look: '[...o]', outcomes: ['[1,2]'], executions: 1 }),
  changesAndEnd({ name: 'two halves of one buffer', make: 'const o = new ArrayBuffer(2); const one = new Uint8Array(o, 0, 1); const two = new Uint8Array(o, 1, 1)', changes: ['one.fill(1)', 'two.fill(2)'], look: '[...new Uint8Array(o)]', outcomes: ['[1,2]'], executions: 1 }),
  changesAndEnd({ name: 'two views of the same byte', make: 'const o = new ArrayBuffer(2); const one = new Uint8Array(o); const two = new DataView(o)', changes: ['one[0] = 1', 'two.setInt8(0, 2)'], look: 'one[0]', outcomes: ['1', '2'] }),
  ...[20, 512, 2_048, 20_480].flatMap((kilobytes) => [
    changesAndEnd({ name: `a byte of ${kilobytes} kilobytes`, make: `const o = new Uint8Array(${kilobytes} * 2 ** 10)`, changes: ['o[9] = 1', 'o[9] = 2'], look: 'o[9]', outcomes: ['1', '2'] }),
    changeAndLook({ name: `${kilobytes} kilobytes as a whole while a byte changes`, make: `const o = new Uint8Array(${kilobytes} * 2 ** 10)`, change: 'o[9_999] = 7', look: 'o.includes(7)' }),
    changeAndLook({ name: `a view of ${kilobytes} kilobytes while opaque code changes it`, make: `const o = new Uint8Array(${kilobytes} * 2 ** 10); const view = new DataView(o.buffer)`, change: 'opaque.setProperty(o, 9_999, 7)', look: 'view.getUint8(9_999)' }),
    changeAndLook({ name: `opaque code while ${kilobytes} kilobytes change`, make: `const o = new Uint8Array(${kilobytes} * 2 ** 10)`, change: 'o.fill(7, 9_999, 10_000)', look: 'opaque.getProperty(o, 9_999)' }),
  ]),
  changeAndLook({ name: 'a byte of a buffer that grows large meanwhile', make: 'const o = new ArrayBuffer(4_096, { maxByteLength: 2 ** 16 }); const view = new Uint8Array(o)', change: 'o.resize(2 ** 16); view[9] = 7', look: 'view[9]', needs: 'resize' in ArrayBuffer.prototype }),
  changeAndLook({ name: 'a byte of a shared buffer that grows large meanwhile', make: 'const o = new SharedArrayBuffer(4_096, { maxByteLength: 2 ** 16 }); const view = new Uint8Array(o)', change: 'o.grow(2 ** 16); view[9] = 7', look: 'view[9]', needs: 'grow' in SharedArrayBuffer.prototype }),
  ...[[1, 2], [1, 2 ** 25], [2 ** 25, 1], [2 ** 25, 2 ** 26]].map(([before, after]) =>
    changeAndLook({ name: `opaque code resizes ${before} bytes to ${after}`, make: `const o = new ArrayBuffer(${before}, { maxByteLength: ${Math.max(before!, after!)} })`, change: `opaque.invoke(o, 'resize', [${after}])`, look: 'o.byteLength', needs: 'resize' in ArrayBuffer.prototype }),
  ),
  changesAndEnd({ name: 'a wide write over a narrow one', make: 'const o = new ArrayBuffer(4)', changes: ['new Uint8Array(o)[3] = 1', 'new Uint32Array(o)[0] = 0x02020202'], look: 'new Uint8Array(o)[3]', outcomes: ['1', '2'] }),
  {
    name: `buffers of Node's pool are apart`,
    source: `const task = async (text) => { await null; const own = Buffer.from(text); await null; own[0]++; await null; return own.toString() }
return await Promise.all([task('a'), task('b')])`,
    outcomes: 1,
    executions: 1,
  },
  {
    name: `buffers of Node's pool by allocUnsafe and concat are apart`,
    source: `const task = async (n) => { await null; const own = Buffer.concat([Buffer.allocUnsafe(2).fill(n)]); await null; own.write('z'); await null; return own.toString('hex') }
return await Promise.all([task(1), task(2)])`,
    outcomes: 1,
    executions: 1,
  },
]

export const binary: readonly Case[] = [
  ...types.map((type) => changeAndLook({ name: `${type} element`, make: `const o = new ${type}(2)`, change: 'o[0] = 7', look: 'o[0]' })),
  ...types.map((type) => apart({ name: `${type} element`, make: `const o = new ${type}(2)`, change: 'o[0] = 7', look: 'o[0]' })),
  ...looks.map((look) => changeAndLook({ name: `${look} while o[0] = 7`, make: 'const o = new Uint8Array(2)', change: 'o[0] = 7', look })),
  ...changes.map((change) => changeAndLook({ name: `${change} while the bytes are looked at`, make: 'const o = new Uint8Array([0, 1])', change, look: 'o.join()' })),
  ...['[...o].length', 'o.length', 'Object.keys(o).length', 'Array.from(o).length', 'Math.max(...o)', 'new Set(o).size', '(([a]) => a)(o) ?? null', 'o.join()', 'new Uint8Array(buffer).length', 'Buffer.from(buffer).length', 'new DataView(buffer).getUint8(0)', 'view.getUint8(0)', 'buffer.slice(0).byteLength', 'o.at(0) ?? null', 'Object.entries(o).length', '({ ...o })'].map((look) =>
    changeAndLook({ name: `${look} while the buffer is taken away`, make: 'const buffer = new ArrayBuffer(2); const o = new Uint8Array(buffer); const view = new DataView(buffer)', change: 'structuredClone(buffer, { transfer: [buffer] })', look: `(() => { try { return ${look} } catch { return 'gone' } })()` }),
  ),
  ...views,
  ...buffers,
  ...['writeUInt8(7)', 'fill(7)', `write('z')`].map((call) => apart({ name: `buffer.${call}`, make: 'const o = Buffer.alloc(2)', change: `o.${call}`, look: `o.toString('hex')` })),
  ...rest,
]
