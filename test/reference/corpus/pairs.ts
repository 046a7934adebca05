import type { Case } from './case.ts'

/** Something with all that can be done to it, and a look that shows all that it holds. */
interface Thing {
  readonly name: string
  readonly make: string
  /** Statements; `%` stands for the number of the task. */
  readonly changes: readonly string[]
  /** Expressions, each a case of its own. */
  readonly looks: readonly string[]
}

const things: readonly Thing[] = [
  { name: 'a variable', make: 'let o = 4', changes: ['o = %', 'o += %', 'o *= 3', 'o++', `o = o + '%'`, 'o ||= %'], looks: ['o'] },
  { name: 'a property', make: 'const o = { k: 4 }', changes: ['o.k = %', 'o.k += %', 'o.k++', 'delete o.k', 'o.k ??= %', 'Object.assign(o, { k: % })'], looks: ['o'] },
  { name: 'keys of an object', make: 'const o = { a: 0 }', changes: ['o.b = %', 'o.c = %', 'delete o.a', 'o.a = %', '{ const { a } = o; delete o.a; o.a = a }', 'Object.assign(o, { b: %, d: % })'], looks: ['Object.entries(o)', 'JSON.stringify(o)'] },
  { name: 'an array', make: 'const o = [5, 4]', changes: ['o.push(%)', 'o.pop()', 'o.shift()', 'o.unshift(%)', 'o[0] = %', 'o.sort()', 'o.reverse()', 'o.length = 1', 'o.splice(1, 1, %)'], looks: ['o', 'o.length'] },
  { name: 'a Map', make: `const o = new Map([['a', 0]])`, changes: [`o.set('a', %)`, `o.set('b', %)`, `o.delete('a')`, `o.delete('b')`, 'o.clear()', `{ const a = o.get('a'); o.delete('a'); o.set('a', a) }`, `if (!o.has('b')) o.set('b', %)`], looks: ['[...o]', 'o.size'] },
  { name: 'a Set', make: `const o = new Set(['a'])`, changes: [`o.add('a')`, `o.add('b')`, `o.add('%')`, `o.delete('a')`, 'o.clear()', `if (o.delete('a')) o.add('c')`], looks: ['[...o]', 'o.size'] },
  { name: 'URLSearchParams', make: `const o = new URLSearchParams('a=0&b=0')`, changes: [`o.append('a', '%')`, `o.append('c', '%')`, `o.set('a', '%')`, `o.set('c', '%')`, `o.delete('a')`, 'o.sort()'], looks: ['o.toString()', 'o.size', `o.get('a')`] },
  { name: 'FormData', make: `const o = new FormData(); o.append('a', '0')`, changes: [`o.append('a', '%')`, `o.append('c', '%')`, `o.set('a', '%')`, `o.set('c', '%')`, `o.delete('a')`], looks: ['[...o]', `o.getAll('a')`, `o.get('a')`] },
  { name: 'Headers', make: `const o = new Headers({ a: '0' })`, changes: [`o.append('a', '%')`, `o.append('c', '%')`, `o.set('a', '%')`, `o.delete('a')`], looks: ['[...o]'] },
  { name: 'a URL', make: `const o = new URL('http://a/?a=0')`, changes: [`o.searchParams.append('a', '%')`, `o.search = '?%'`, `o.hash = '%'`, `o.pathname += '%'`, `o.href = 'http://%/'`], looks: ['o.href'] },
  { name: 'a Date', make: 'const o = new Date(0)', changes: ['o.setTime(%)', 'o.setMilliseconds(% + 4)', 'o.setSeconds(%)', 'o.setTime(o.getTime() + %)'], looks: ['o.getTime()'] },
  { name: 'a RegExp', make: 'const o = /a/g', changes: ['o.lastIndex = %', `o.test('aaa')`, `'aaa'.replace(o, 'b')`, `o.exec('b')`], looks: ['o.lastIndex'] },
  { name: 'an EventEmitter', make: `let log = ''; const o = new EventEmitter(); o.once('k', () => { log += '0' })`, changes: [`o.on('k', () => { log += '%' })`, `o.once('k', () => { log += '%' })`, `o.prependListener('k', () => { log += '%' })`, `o.removeAllListeners('k')`, `o.emit('k')`], looks: [`(o.emit('k'), log)`, `o.listenerCount('k')`] },
  { name: 'an EventTarget', make: `let log = ''; const o = new EventTarget(); o.addEventListener('k', () => { log += '0' }, { once: true })`, changes: [`o.addEventListener('k', () => { log += '%' })`, `o.addEventListener('k', () => { log += '%' }, { once: true })`, `o.dispatchEvent(new Event('k'))`], looks: [`(o.dispatchEvent(new Event('k')), log)`] },
  { name: 'an AbortController', make: `let log = ''; const o = new AbortController()`, changes: [`o.abort('%')`, `o.signal.addEventListener('abort', () => { log += '%' })`, `o.signal.onabort = () => { log += 'on%' }`], looks: ['[o.signal.reason ?? null, log]'] },
  { name: 'bytes', make: 'const o = new Uint8Array(2); const view = new DataView(o.buffer)', changes: ['o[0] = %', 'o[1] += %', 'o.fill(%)', 'o.reverse()', 'view.setUint16(0, %)', 'o.set([%])', 'o.sort()'], looks: ['[...o]'] },
  { name: 'a Buffer', make: `const o = Buffer.from('ab')`, changes: [`o.write('%')`, 'o[1] = 48 + %', 'o.swap16()', 'o.fill(48 + %)', 'o.writeUInt16LE(12336 + %)'], looks: ['o.toString()'] },
  { name: 'an iterator', make: 'const o = [1, 2, 3, 4].values(); const got = []', changes: ['got[%] = o.next().value', 'o.next()', '[got[%]] = o'], looks: ['[got, [...o]]'] },
  { name: 'a generator', make: 'const o = (function* () { for (let n = 0; n < 4; n++) yield n })(); const got = []', changes: ['got[%] = o.next().value', 'o.return()', 'for (got[%] of o) break'], looks: ['[got, [...o]]'] },
  { name: 'a promise', make: `let settle; let fail; const o = new Promise((...both) => { [settle, fail] = both }); const caught = o.then(String, (error) => 'no ' + error)`, changes: ['settle(%)', 'fail(%)', 'settle(Promise.resolve(%))', 'settle(Promise.reject(%))'], looks: ['await caught'] },
  { name: 'a store', make: 'const o = opaque.store', changes: ['o.setState({ value: % })', 'o.setState((state) => ({ value: state.value + % }))', 'o.setState((state) => ({ list: [...state.list, %] }))'], looks: ['o.getState()'] },
  { name: 'an object of an opaque class', make: 'const o = new opaque.Counter()', changes: ['o.increment()', 'o.value = %', 'o.value *= 2'], looks: ['o.value'] },
  { name: 'what opaque code is handed', make: 'const o = { list: [0] }', changes: ['opaque.push(o.list, %)', 'o.list.push(%)', 'opaque.deepSet(o, [\'list\', 0], %)', 'o.list[0] = %', 'opaque.setProperty(o, \'k\', %)', 'o.k = %'], looks: ['o'] },
  { name: 'a row', make: '', changes: ['opaque.row(1).stock = %', 'opaque.rows()[0].stock += %', 'opaque.table().first.tags.push(%)', '(await opaque.query(1)).tags.push(%)'], looks: ['opaque.row(1)'] },
  {
    name: 'an inherited property',
    make: 'const seen = []; class C {}; C.prototype.x = 0; const o = new C()',
    changes: ['o.x = %', 'o.x++', 'seen.push(o.x)', 'C.prototype.x = %', 'C.prototype.x++', 'delete o.x', 'delete C.prototype.x', `seen.push(Object.hasOwn(o, 'x'))`, `seen.push('x' in o)`, 'Object.setPrototypeOf(o, { x: 3 })', 'Object.freeze(C.prototype)', `Object.defineProperty(C.prototype, 'x', { get: () => 4, set() {}, configurable: true })`].map(refused),
    looks: ['[seen, o.x]'],
  },
  {
    name: 'a property behind a proxy',
    make: 'const seen = []; const target = { x: 0 }; const o = new Proxy(target, {})',
    changes: ['o.x = %', 'o.x++', 'seen.push(o.x)', 'target.x++', 'delete o.x', 'delete target.x', `seen.push('x' in o)`, 'seen.push(Object.keys(o).length)', `Object.defineProperty(o, 'x', { value: 8, writable: true, configurable: true, enumerable: true })`, 'o.y = %', 'Object.freeze(target)', 'Object.setPrototypeOf(o, { x: 3 })'].map(refused),
    looks: ['[seen, o.x]'],
  },
  {
    name: 'a private field',
    make: 'const seen = []; class C { #x = 0; get x() { return this.#x } set x(v) { this.#x = v } up() { this.#x++ } plus(n) { this.#x += n } isZero() { return this.#x === 0 } }; const o = new C()',
    changes: ['o.x = %', 'o.x++', 'o.up()', 'o.plus(%)', 'seen.push(o.x)', 'seen.push(o.isZero())', 'o.isZero() && o.up()'],
    looks: ['[seen, o.x]'],
  },
  { name: 'a proxy', make: 'const target = { a: 0 }; const o = new Proxy(target, { get: (...args) => Reflect.get(...args), set: (...args) => Reflect.set(...args) })', changes: ['o.a = %', 'target.a = %', 'o.a++', 'delete o.a', 'o.b = %', 'target.c = %'], looks: ['Object.entries(target)'] },
]

/** What may be refused by then. */
function refused(change: string): string {
  return `try { ${change} } catch (error) { seen.push(error.name) }`
}

/** Two tasks, one change each, in all pairs, and a look at the end. How many outcomes there are the reference says. */
export const pairs: readonly Case[] = things.flatMap(({ name, make, changes, looks }) =>
  changes.flatMap((one, i) =>
    changes.slice(i).flatMap((other) =>
      looks.map((look): Case => {
        const [first, second] = [one.replaceAll('%', '1'), other.replaceAll('%', '2')]
        const source = `${make}
await Promise.all([(async () => { await null; ${separated(first)} })(), (async () => { await null; ${separated(second)} })()])
return ${look}`
        return { name: `${name}: ${first} and ${second}, ${look}`, source }
      }),
    ),
  ),
)

/** Statements that begin with a bracket need a semicolon before. */
function separated(statement: string): string {
  return /^[[(]/.test(statement) ? `;${statement}` : statement
}
