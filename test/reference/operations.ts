/** What has operations, and all of them with arguments that show what they do. */
export interface Operated {
  /** Statements that declare `o`. */
  readonly make: string
  /** Calls and assignments, as what follows `o.`; those that begin with a bracket follow `o`. */
  readonly operations: readonly string[]
  /** An expression that shows what has become of it. */
  readonly end: string
}

const operated: Readonly<Record<string, Operated>> = {
  array: { make: 'const o = [3, 1, 2]', end: 'show(o)', operations: ['at(1)', 'at(-1)', 'concat([9])', 'copyWithin(0, 1)', 'copyWithin(1, 0, 1)', 'fill(7, 1)', 'find((x) => x > 1)', 'findIndex((x) => x === 2)', 'lastIndexOf(2)', 'pop()', 'push(8)', 'push()', 'push(8, 9)', 'reverse()', 'shift()', 'unshift(5)', 'slice(1)', 'slice(0, 1)', 'sort()', 'sort((a, b) => b - a)', 'splice(1, 1)', 'splice(1, 0, 6)', 'splice(0)', 'splice(1, 1, 6)', 'includes(2)', 'includes(8)', 'indexOf(1)', 'join()', 'keys()', 'entries()', 'values()', 'forEach((x) => x)', 'filter((x) => x > 1)', 'flat()', 'flatMap((x) => [x, x])', 'map((x) => x * 2)', 'every((x) => x > 0)', 'some((x) => x === 8)', 'reduce((a, x) => a * 10 + x, 0)', 'reduceRight((a, x) => a * 10 + x)', 'toLocaleString()', 'toString()', 'toReversed()', 'toSorted()', 'toSpliced(0, 1)', 'with(0, 4)', 'findLast((x) => x < 3)', 'findLastIndex((x) => x < 3)', 'length', 'length = 1', 'length = 5', '[0] = 4', '[4] = 4', '[1]++'] },
  typed: { make: 'const o = new Int16Array([3, 1, 2])', end: 'show(o)', operations: ['at(1)', 'at(-1)', 'copyWithin(0, 1)', 'fill(7, 1)', 'find((x) => x > 1)', 'findIndex((x) => x === 2)', 'lastIndexOf(2)', 'reverse()', 'slice(1)', 'subarray(1)', 'subarray(1).fill(9)', 'sort()', 'sort((a, b) => b - a)', 'includes(2)', 'indexOf(1)', 'join()', 'keys()', 'entries()', 'values()', 'forEach((x) => x)', 'filter((x) => x > 1)', 'map((x) => x * 2)', 'every((x) => x > 0)', 'some((x) => x === 8)', 'reduce((a, x) => a * 10 + x, 0)', 'reduceRight((a, x) => a * 10 + x)', 'toLocaleString()', 'toString()', 'toReversed()', 'toSorted()', 'with(0, 4)', 'findLast((x) => x < 3)', 'set([8], 2)', 'set([8, 9])', 'length', 'byteLength', 'buffer.slice(0, 2)', '[0] = 4', '[2]--'] },
  map: { make: `const o = new Map([['a', 1], ['b', 2]])`, end: 'show(o)', operations: [`get('a')`, `get('c')`, `has('a')`, `set('a', 5)`, `set('c', 6)`, `delete('a')`, `delete('c')`, 'clear()', 'keys()', 'values()', 'entries()', 'forEach((v, k) => v + k)', 'size', '[Symbol.iterator]()', 'keys().next().value', 'x = 1', 'x ?? null'] },
  set: { make: `const o = new Set(['a', 'b'])`, end: 'show(o)', operations: [`has('a')`, `has('c')`, `add('a')`, `add('c')`, `delete('a')`, `delete('c')`, 'clear()', 'keys()', 'values()', 'entries()', 'forEach((v) => v)', 'size', '[Symbol.iterator]()', 'values().next().value'] },
  date: { make: 'const o = new Date(1e12)', end: 'o.getTime()', operations: Object.getOwnPropertyNames(Date.prototype).filter((n) => n !== 'constructor').map((n) => `${n}(${n.startsWith('set') ? (n === 'setTime' ? '5' : '3') : ''})`) },
  regexp: { make: 'const o = /a/g', end: '[o.lastIndex, String(o)]', operations: [`exec('aa')`, `test('aa')`, 'toString()', `compile('b')`, 'lastIndex', 'lastIndex = 1', 'source', 'flags', 'global', 'sticky', `[Symbol.match]('aa')`, `[Symbol.matchAll]('aa')`, `[Symbol.replace]('aa', 'b')`, `[Symbol.search]('ba')`, `[Symbol.split]('bab')`] },
  params: { make: `const o = new URLSearchParams('b=1&a=2&b=3')`, end: 'show(o)', operations: [`append('b', '4')`, `append('c', '4')`, `delete('b')`, `delete('b', '1')`, `delete('z')`, `get('b')`, `get('c')`, `getAll('b')`, `has('b')`, `has('b', '3')`, `has('c')`, `set('b', '9')`, `set('c', '9')`, 'sort()', 'toString()', 'keys()', 'values()', 'entries()', 'forEach((v, k) => v + k)', 'size'] },
  url: { make: `const o = new URL('http://u:p@h:1/p?q=1#f')`, end: 'o.href', operations: ['hash', 'host', 'hostname', 'href', 'origin', 'password', 'pathname', 'port', 'protocol', 'search', 'username', 'searchParams', `searchParams.get('q')`, 'toString()', 'toJSON()', `hash = '#z'`, `host = 'k:2'`, `hostname = 'k'`, `href = 'http://x/'`, `password = 'z'`, `pathname = '/z'`, `port = '9'`, `protocol = 'https'`, `search = '?z=2'`, `username = 'z'`, `searchParams.append('q', '2')`, `searchParams.delete('q')`, 'searchParams.sort()'] },
  headers: { make: `const o = new Headers({ b: '1', a: '2' })`, end: 'show(o)', operations: [`append('b', '4')`, `append('c', '4')`, `append('set-cookie', 'x=1')`, `delete('b')`, `delete('z')`, `get('b')`, `get('c')`, `has('b')`, `has('c')`, `set('b', '9')`, `set('c', '9')`, 'getSetCookie()', 'keys()', 'values()', 'entries()', 'forEach((v, k) => v + k)'] },
  form: { make: `const o = new FormData(); o.append('b', '1'); o.append('a', '2'); o.append('b', '3')`, end: 'show(o)', operations: [`append('b', '4')`, `append('c', '4')`, `delete('b')`, `delete('z')`, `get('b')`, `get('c')`, `getAll('b')`, `has('b')`, `has('c')`, `set('b', '9')`, `set('c', '9')`, 'keys()', 'values()', 'entries()', 'forEach((v, k) => v + k)'] },
  buffer: { make: 'const o = Buffer.from([1, 2, 3, 4, 5, 6, 7, 8])', end: `o.toString('hex')`, operations: [...['readInt8', 'readUInt8', 'readInt16LE', 'readUInt16BE', 'readInt32BE', 'readUInt32LE', 'readFloatLE', 'readDoubleBE', 'readBigInt64LE', 'readBigUInt64BE'].map((n) => `${n}(0)`), 'readIntBE(1, 3)', 'readUIntLE(1, 3)', ...['writeInt8', 'writeUInt8', 'writeInt16LE', 'writeUInt16BE', 'writeInt32BE', 'writeUInt32LE', 'writeFloatLE', 'writeDoubleBE'].map((n) => `${n}(9, 0)`), 'writeBigInt64LE(9n, 0)', 'writeIntBE(9, 1, 3)', 'writeUIntLE(9, 1, 3)', `write('zz', 2)`, `fill('ab', 1, 4)`, 'swap16()', 'swap32()', 'swap64()', 'toString()', `toString('base64')`, 'toJSON()', 'equals(Buffer.from([1]))', 'compare(Buffer.from([1]))', 'indexOf(3)', 'includes(9)', 'lastIndexOf(8)', 'slice(1, 3)', 'subarray(2).fill(0)', 'copy(o, 4, 0, 2)', 'reverse()', 'at(0)', 'set([5], 7)', 'join()', 'utf8Slice(0, 2)', 'latin1Slice(0, 2)', `asciiWrite('q', 3)`, 'hexSlice()'] },
  view: { make: 'const o = new DataView(new ArrayBuffer(8)); o.setUint8(3, 7)', end: 'show(o.buffer)', operations: [...['Int8', 'Uint8', 'Int16', 'Uint16', 'Int32', 'Uint32', 'Float32', 'Float64'].flatMap((n) => [`get${n}(0)`, `set${n}(0, 5)`]), 'getBigInt64(0)', 'setBigInt64(0, 5n)', 'getBigUint64(0, true)', 'setBigUint64(0, 5n, true)', 'byteLength', 'byteOffset', 'buffer.byteLength'] },
  emitter: { make: `const o = new EventEmitter(); let n = 0; const f = () => { n++ }; o.on('a', f); o.once('a', f)`, end: `[n, o.listenerCount('a'), o.listenerCount('b')]`, operations: [`on('a', () => {})`, `on('b', f)`, `addListener('b', f)`, `once('b', f)`, `prependListener('a', f)`, `prependOnceListener('b', f)`, `off('a', f)`, `removeListener('a', f)`, `removeAllListeners('a')`, 'removeAllListeners()', `emit('a')`, `emit('b')`, `emit('c')`, `listenerCount('a')`, `listenerCount('b')`, `listeners('a').length`, `rawListeners('b').length`, 'eventNames()', 'setMaxListeners(5)', 'getMaxListeners()'] },
  target: { make: `const o = new EventTarget(); let n = 0; const f = () => { n++ }; o.addEventListener('a', f)`, end: `(o.dispatchEvent(new Event('a')), o.dispatchEvent(new Event('b')), n)`, operations: [`addEventListener('a', f)`, `addEventListener('a', () => { n += 10 })`, `addEventListener('b', f)`, `addEventListener('b', f, { once: true })`, `addEventListener('a', f, { capture: true })`, `removeEventListener('a', f)`, `removeEventListener('b', f)`, `dispatchEvent(new Event('a'))`, `dispatchEvent(new Event('b'))`] },
  abort: { make: `const o = new AbortController(); let n = 0; o.signal.addEventListener('abort', () => { n++ })`, end: '[n, o.signal.aborted, o.signal.reason ?? null]', operations: ['abort(1)', 'abort(2)', 'signal.aborted', 'signal.reason ?? null', `signal.addEventListener('abort', () => { n += 10 })`, 'signal.onabort = () => { n += 100 }', 'signal.onabort === null', `signal.dispatchEvent(new Event('abort'))`] },
  object: { make: 'const o = { a: 1, b: 2 }', end: 'JSON.stringify(o)', operations: [`hasOwnProperty('a')`, `hasOwnProperty('c')`, `propertyIsEnumerable('a')`, 'toString()', 'toLocaleString()', 'valueOf()', `__lookupGetter__('a')`, `__defineGetter__('a', () => 5)`, `__defineSetter__('c', () => {})`, 'a', 'a = 3', 'c', 'c = 3', 'a++', '__proto__ = { c: 9 }'] },
  wmap: { make: 'const k1 = {}, k2 = {}; const o = new WeakMap([[k1, 1]])', end: '[o.get(k1) ?? null, o.get(k2) ?? null]', operations: ['get(k1)', 'get(k2)', 'has(k1)', 'has(k2)', 'set(k1, 5)', 'set(k2, 6)', 'delete(k1)', 'delete(k2)'] },
  gen: { make: `const o = (function* () { try { const a = yield 1; yield a ?? 2; yield 3 } catch (e) { yield e } finally { yield 'f' } })()`, end: 'show(o.next().value)', operations: ['next().value', `next('s').value`, `return('r').value`, `throw('t').value`, '[Symbol.iterator]().next().done'] },
  hash: { make: `const o = nodeCrypto.createHash('md5')`, end: `o.digest('hex')`, operations: [`update('a')`, `update('b')`, `copy().digest('hex')`] },
}

/** Functions of `Object` and `Reflect`, and expressions that do the like. */
const ofObjects: readonly string[] = [
  'Object.keys(o)', 'Object.values(o)', 'Object.entries(o)', 'Object.assign(o, { c: 3 })', 'Object.assign({}, o)', `Object.defineProperty(o, 'a', { value: 9 })`, `Object.defineProperty(o, 'd', { value: 9, configurable: true })`, `Object.defineProperty(o, 'b', { enumerable: false })`, `Object.defineProperties(o, { a: { writable: false } })`, 'Object.freeze(o)', 'Object.seal(o)', 'Object.preventExtensions(o)', 'Object.isFrozen(o)', 'Object.isSealed(o)', 'Object.isExtensible(o)', 'Object.getOwnPropertyNames(o)', 'Object.getOwnPropertySymbols(o)', `Object.getOwnPropertyDescriptor(o, 'a')`, 'Object.getOwnPropertyDescriptors(o)', 'Object.getPrototypeOf(o) === Object.prototype', 'Object.setPrototypeOf(o, { z: 1 })', `Object.hasOwn(o, 'c')`, 'Object.fromEntries(Object.entries(o))', `Reflect.get(o, 'a')`, `Reflect.set(o, 'a', 7)`, `Reflect.set(o, 'e', 7)`, `Reflect.has(o, 'z')`, `Reflect.has(o, 'a')`, 'Reflect.ownKeys(o)', `Reflect.deleteProperty(o, 'a')`, `Reflect.defineProperty(o, 'g', { get: () => 1, enumerable: true, configurable: true })`, 'Reflect.isExtensible(o)', 'Reflect.preventExtensions(o)', 'Reflect.getPrototypeOf(o) === Object.prototype', 'Reflect.setPrototypeOf(o, null)', `Reflect.getOwnPropertyDescriptor(o, 'd')`, 'JSON.stringify(o)', 'structuredClone(o)', '({ ...o })', '(({ a, ...r }) => r)(o)', `'a' in o`, '(() => { const k = []; for (const i in o) k.push(i); return k })()', 'delete o.a', `o.c ??= 4`, 'o.a', 'o.z', 'o.toString === undefined', `o[Symbol.toStringTag] = 'T'`
]

/** All operations on each thing, as expressions. */
export const operations: Readonly<Record<string, { readonly make: string; readonly expressions: readonly string[]; readonly end: string }>> = {
  ...Object.fromEntries(
    Object.entries(operated).map(([name, { make, operations: calls, end }]) => [name, { make, expressions: calls.map((call) => (call.startsWith('[') ? `o${call}` : `o.${call}`)), end }]),
  ),
  keys: { make: 'const o = { b: 1, a: 2 }', expressions: ofObjects, end: 'Object.entries(o)' },
}

/** What a result looks like as JSON. */
const show = `const show = (x) => x === undefined ? null : typeof x === 'bigint' || typeof x === 'symbol' ? String(x) : typeof x === 'function' ? 'f' : typeof x !== 'object' || x === null ? x : x === o ? 'self' : typeof x.next === 'function' ? [...x].map(show) : x instanceof Map || x instanceof Set || x instanceof URLSearchParams || x instanceof Headers || x instanceof FormData ? [...x].map(show) : ArrayBuffer.isView(x) && !(x instanceof DataView) ? [...x].map(String) : x instanceof ArrayBuffer ? [...new Uint8Array(x)] : Array.isArray(x) ? x.map(show) : x`

/** Two tasks, each with one operation on the same thing: what each gives, and what has become of the thing. */
export function pairBody(thing: { readonly make: string; readonly end: string }, one: string, other: string): string {
  const tried = (expression: string): string => `(() => { try { return show(${expression}) } catch (error) { return error.name } })()`
  return `${thing.make}
${show}
const results = {}
const one = async () => { await null; results.one = ${tried(one)} }
const other = async () => { await null; results.other = ${tried(other)} }
await Promise.all([one(), other()])
return [results.one, results.other, ${thing.end}]`
}

/** What is used over several steps. Operations are expressions that may wait. */
const slow: Readonly<Record<string, Operated>> = {
  agen: { make: `let n = 1; const o = (async function* () { try { while (n < 4) { const s = yield n++; if (s) n = s } } catch (e) { yield 'c' + e } finally { n += 10 } })()`, end: 'n', operations: ['(await o.next()).value ?? null', '(await o.next(3)).value ?? null', `(await o.return('r')).value`, `(await o.throw('t')).value ?? null`, '(await (async () => { for await (const x of o) return x })()) ?? null', 'n++', 'n'] },
  deferred: { make: 'let yes, no; const o = new Promise((a, b) => { yes = a; no = b }); o.catch(() => {}); let n = 0', end: `[n, await o.catch((e) => 'e' + e)]`, operations: ['(yes(1), 1)', '(no(2), 2)', '(yes(Promise.resolve(3)), 3)', '(yes({ then(f) { f(++n) } }), 4)', '(yes(Promise.reject(5)), 5)', `await Promise.race([o, Promise.resolve('none')]).catch((e) => 'x' + e)`, `await Promise.race([o.then((x) => x), Promise.resolve('none')]).catch((e) => 'x' + e)`, '(o.then(() => { n += 1 }, () => { n += 10 }), 0)', '(o.finally(() => { n += 100 }).catch(() => {}), 0)', 'n'] },
  mutex: { make: 'let tail = Promise.resolve(); let n = 0; const o = (f) => tail = tail.then(f, f)', end: '(await tail, n)', operations: ['await o(() => ++n)', 'await o(async () => { const m = n; await null; return n = m + 10 })', 'n++', `await o(() => { throw 'x' }).catch((e) => e)`, '(tail = Promise.resolve(), 0)'] },
  list: { make: 'const o = []; let n = 0', end: 'o.length', operations: ['o.push(Promise.resolve(1))', `o.push(Promise.reject('x').catch((e) => e))`, '(await Promise.all(o)).length', '(await Promise.allSettled(o)).length', `(await Promise.race([...o, 'none']))`, `await Promise.any([...o, Promise.resolve('none')])`, '(o.length = 0)', '(o.pop(), 0)', '(await (async () => { let s = 0; for await (const x of o) s++; return s })())'] },
  thenable: { make: 'let n = 0; const o = { then(f) { n++; f(n) } }', end: 'n', operations: ['await o', 'await Promise.resolve(o)', '(await Promise.all([o, o])).join()', 'await (async () => o)()', '(o.then = (f) => f(50), 1)', 'n++', '(delete o.then, 2)', `await Promise.race([o, 'none'])`, 'await new Promise((a) => a(o))'] },
  webstream: { make: 'let c; const o = new ReadableStream({ start(x) { c = x } }); const w = []', end: 'w', operations: [`(c.enqueue('a'), 1)`, `(c.enqueue('b'), 2)`, 'o.locked', '(c.close(), 3)', 'c.desiredSize', `(w.push('k'), 4)`] },
  emitter: { make: 'const o = new EventEmitter(); let n = 0', end: '[n, o.listenerCount("a")]', operations: [`(await Promise.race([events.once(o, 'a'), new Promise((r) => setTimeout(r, 5, ['late']))]))[0]`, `o.emit('a', 1)`, `o.emit('a', 2)`, `(o.on('a', (x) => { n += x }), 0)`, `o.removeAllListeners('a') === o`] },
  signal: { make: `const o = new AbortController(); let n = 0; const wait = (s) => new Promise((a, b) => { if (s.aborted) return b(s.reason); s.addEventListener('abort', () => b(s.reason), { once: true }); queueMicrotask(() => a('done')) })`, end: '[n, o.signal.aborted]', operations: [`await wait(o.signal).catch((e) => 'x' + e)`, '(o.abort(1), 0)', '(o.abort(2), 0)', `(o.signal.addEventListener('abort', () => n++), 0)`, `await wait(AbortSignal.any([o.signal])).catch((e) => 'y' + e)`] },
  aiter: { make: 'const o = { i: 0, closed: 0, [Symbol.asyncIterator]() { return this }, async next() { const i = this.i; await null; this.i = i + 1; return { done: i > 1, value: i } }, async return() { await null; this.closed++; return {} } }', end: '[o.i, o.closed]', operations: ['(await o.next()).value', `await (async () => { for await (const x of o) return x; return 'end' })()`, 'await (async () => { let s = 0; for await (const x of o) { s += x; if (o.i > 3) break } return s })()', 'o.i', '(o.i = 5)', 'o.closed'] },
  cache: { make: 'const o = new Map(); let calls = 0; const load = async (k) => { calls++; await null; return k + calls }; const get = (k) => { if (!o.has(k)) o.set(k, load(k)); return o.get(k) }; const slow = async (k) => { if (o.has(k)) return o.get(k); const v = await load(k); o.set(k, v); return v }', end: '[calls, o.size]', operations: [`await get('a')`, `await get('b')`, `await slow('a')`, `o.delete('a')`, 'calls', '[...o.keys()].join()'] },
  timers: { make: `let n = ''; const o = { t: setTimeout(() => { n += 't' }, 2), i: setInterval(() => { n += 'i'; if (n.length > 3) clearInterval(o.i) }, 3) }; const sleep = (ms) => new Promise((r) => setTimeout(r, ms))`, end: '(await sleep(20), n)', operations: ['(clearTimeout(o.t), 0)', '(clearInterval(o.i), 0)', `(await sleep(1), n += 'a', 0)`, `(await sleep(2), n += 'b', 0)`, `(n += 'c', 0)`, '(o.t.refresh?.(), 0)', `(setImmediate(() => { n += 'm' }), 0)`, `(queueMicrotask(() => { n += 'q' }), 0)`] },
}

function slowBody({ make, end }: Operated, both: readonly string[]): string {
  const tasks = both.map((operation, i) => `(async () => { await null; try { results[${i}] = ${operation} } catch (error) { results[${i}] = 'thrown ' + error } })()`)
  return `${make}
const results = []
await Promise.all([${tasks.join(', ')}])
return [results, ${end}]`
}

/** All pairs of such operations, each with itself too. */
export function* pairsOfSlowOperations(): Iterable<{ readonly name: string; readonly source: string }> {
  for (const [name, thing] of Object.entries(slow)) {
    for (const [i, one] of thing.operations.entries()) {
      for (const other of thing.operations.slice(i)) yield { name: `${name}: ${one} and ${other}`, source: slowBody(thing, [one, other]) }
    }
  }
}

/** All pairs of operations on one thing, each with itself too. */
export function* pairsOfOperations(): Iterable<{ readonly name: string; readonly source: string }> {
  for (const [name, thing] of Object.entries(operations)) {
    for (const [i, one] of thing.expressions.entries()) {
      for (const other of thing.expressions.slice(i)) yield { name: `${name}: ${one} and ${other}`, source: pairBody(thing, one, other) }
    }
  }
}
