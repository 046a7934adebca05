import { waysToCall } from './corpus/reach.ts'
import type { Random } from './random.ts'

/** Something that the tasks of a random body share. In its texts `~` stands for its name, `%` for a small number, `@` for a key. */
export interface SharedThing {
  readonly make: string
  /** Statements that change it. */
  readonly changes: readonly string[]
  /** Expressions that look at it. */
  readonly looks: readonly string[]
  /** Methods that can be reached in any way, with their arguments: the class, changes, looks. */
  readonly methods?: { readonly type: string; readonly changes: readonly (readonly [string, string])[]; readonly looks: readonly (readonly [string, string])[] }
}

export const sharedThings: Readonly<Record<string, SharedThing>> = {
  variable: {
    make: 'let ~ = 0',
    changes: ['~++', '~ += %', '~ = %', '~ *= 2', '~ ||= %', '--~', '~ = ~ + %', '[~] = [%]'],
    looks: ['~', '~ > 1', '~ === %', '`${~}`'],
  },
  text: {
    make: `let ~ = ''`,
    changes: [`~ += '%'`, `~ = '%'`, `~ = '%' + ~`, '~ = ~.slice(1)'],
    looks: ['~', '~.length', `~.includes('%')`, '~[0] ?? null'],
  },
  object: {
    make: 'const ~ = { a: 0 }',
    changes: ['~.@ = %', '~.@++', '~.@ ??= %', 'delete ~.@', 'Object.assign(~, { @: % })', `Reflect.set(~, '@', %)`, `Object.defineProperty(~, '@', { value: %, configurable: true, writable: true, enumerable: true })`, `Reflect.deleteProperty(~, '@')`, '({ x: ~.@ } = { x: % })'],
    looks: ['~.@ ?? null', 'Object.keys(~)', 'Object.entries(~)', 'Object.values(~).length', `'@' in ~`, '({ ...~ })', 'JSON.stringify(~)', `Object.hasOwn(~, '@')`, '(({ a, ...rest }) => rest)(~)', 'structuredClone(~)', '(() => { for (const key in ~) return key; return null })()', `Reflect.get(~, '@') ?? null`],
  },
  array: {
    make: 'const ~ = [9]',
    changes: ['~.push(%)', '~.pop()', '~.shift()', '~.unshift(%)', '~.splice(0, 1, %)', '~.sort()', '~.reverse()', '~[0] = %', '~.length = 0', '~[~.length] = %', '~.fill(%)', '[~[0], ~[1]] = [~[1], ~[0]]'],
    looks: ['~.length', '~[0] ?? null', '~.join()', '[...~]', '~.includes(%)', '~.at(-1) ?? null', '~.slice(1)', '~.map((x) => x + 1)', '(([first = null]) => first)(~)', '`${~}`', 'Array.from(~).length', '~.indexOf(%)', 'JSON.stringify(~)', '~.some((x) => x === %)', '~.reduce((sum, x) => sum + x, 0)'],
    methods: { type: 'Array', changes: [['push', '%'], ['unshift', '%'], ['pop', ''], ['splice', '0, 1']], looks: [['includes', '%'], ['join', ''], ['slice', ''], ['indexOf', '%']] },
  },
  map: {
    make: `const ~ = new Map([['a', 0]])`,
    changes: [`~.set('@', %)`, `~.delete('@')`, '~.clear()', `~.set('@', (~.get('@') ?? 0) + 1)`, `if (!~.has('@')) ~.set('@', %)`, `{ const value = ~.get('@'); ~.delete('@'); ~.set('@', value ?? %) }`, '~.delete(~.keys().next().value)'],
    looks: [`~.get('@') ?? null`, `~.has('@')`, '~.size', '[...~.keys()]', '[...~]', '~.keys().next().value ?? null', 'Array.from(~.values())', 'Object.fromEntries(~)', `~.delete('@')`, '(() => { let sum = 0; ~.forEach((value) => { sum += value }); return sum })()'],
    methods: { type: 'Map', changes: [['set', `'@', %`], ['delete', `'@'`]], looks: [['has', `'@'`], ['delete', `'@'`]] },
  },
  set: {
    make: `const ~ = new Set(['a'])`,
    changes: [`~.add('@')`, `~.delete('@')`, '~.clear()', `if (~.has('@')) ~.delete('@')`, `['@', 'd'].forEach(~.add, ~)`],
    looks: [`~.has('@')`, '~.size', '[...~]', '~.values().next().value ?? null', `~.delete('@')`, 'Array.from(~).join()', '(() => { for (const item of ~) return item; return null })()'],
    methods: { type: 'Set', changes: [['add', `'@'`], ['delete', `'@'`]], looks: [['has', `'@'`], ['delete', `'@'`]] },
  },
  date: {
    make: 'const ~ = new Date(0)',
    changes: ['~.setTime(%)', '~.setMilliseconds(%)', '~.setTime(~.getTime() + 1)'],
    looks: ['~.getTime()', '+~', '~ > %', '~.toISOString()', 'JSON.stringify(~)', 'new Date(~).getTime()'],
    methods: { type: 'Date', changes: [['setTime', '%']], looks: [['getTime', ''], ['valueOf', '']] },
  },
  expression: {
    make: 'const ~ = /a/g',
    changes: [`~.test('aaa')`, '~.lastIndex = %', `~.exec('aaa')`],
    looks: ['~.lastIndex', `~.test('aa')`, `~.exec('aa')?.index ?? null`, `[...'aaa'.matchAll(~)].length`, `'aaa'.replace(~, 'b')`],
    methods: { type: 'RegExp', changes: [['test', `'aaa'`]], looks: [['test', `'aa'`]] },
  },
  parameters: {
    make: `const ~ = new URLSearchParams('a=0')`,
    changes: [`~.append('@', '%')`, `~.set('@', '%')`, `~.delete('@')`, '~.sort()'],
    looks: [`~.get('@')`, `~.has('@')`, '~.toString()', '~.size', '[...~.keys()]', '`${~}`'],
    methods: { type: 'URLSearchParams', changes: [['append', `'@', '%'`]], looks: [['get', `'@'`], ['toString', '']] },
  },
  headers: {
    make: `const ~ = new Headers({ a: '0' })`,
    changes: [`~.append('@', '%')`, `~.set('@', '%')`, `~.delete('@')`],
    looks: [`~.get('@')`, `~.has('@')`, '[...~]'],
    methods: { type: 'Headers', changes: [['set', `'@', '%'`]], looks: [['get', `'@'`]] },
  },
  emitter: {
    make: `const ~ = new EventEmitter(); let ~calls = ''`,
    changes: [`~.on('@', () => { ~calls += '%' })`, `~.once('@', () => { ~calls += '%' })`, `~.emit('@')`, `~.removeAllListeners('@')`],
    looks: [`~.listenerCount('@')`, `~.emit('@')`, '~calls', '~.eventNames()'],
    methods: { type: 'EventEmitter', changes: [['emit', `'@'`], ['removeAllListeners', `'@'`]], looks: [['emit', `'@'`], ['listenerCount', `'@'`]] },
  },
  target: {
    make: `const ~ = new EventTarget(); let ~calls = ''`,
    changes: [`~.addEventListener('@', () => { ~calls += '%' })`, `~.addEventListener('@', () => { ~calls += '%' }, { once: true })`, `~.dispatchEvent(new Event('@'))`],
    looks: ['~calls', `~.dispatchEvent(new Event('@'))`],
  },
  abort: {
    make: `const ~ = new AbortController(); let ~calls = 0`,
    changes: ['~.abort(%)', `~.signal.addEventListener('abort', () => { ~calls++ })`],
    looks: ['~.signal.aborted', '~.signal.reason ?? null', '~calls', '(() => { try { ~.signal.throwIfAborted(); return 0 } catch (reason) { return reason } })()', 'AbortSignal.any([~.signal]).aborted'],
  },
  accessor: {
    make: 'const ~ = (() => { let inner = 0; return { get k() { return inner }, set k(value) { inner = value }, add: async () => { const read = inner; await null; inner = read + 1 } } })()',
    changes: ['~.k = %', '~.k++', 'await ~.add()', 'Object.assign(~, { k: % })'],
    looks: ['~.k', '({ ...~ }).k', `Reflect.get(~, 'k')`],
  },
  instance: {
    make: 'class ~Base { items = []; add(item) { this.items.push(item) } get count() { return this.items.length } }; class ~Class extends ~Base { #last = null; add(item) { super.add(item); this.#last = item } last() { return this.#last } async slow(item) { const { count } = this; await null; if (this.count === count) super.add(item) } }; const ~ = new ~Class()',
    changes: ['~.add(%)', 'await ~.slow(%)', '~.items.length = 0', '~.add.call(~, %)'],
    looks: ['~.count', '~.last()', '[...~.items]', '~.items.at(-1) ?? null'],
  },
  proxy: {
    make: 'const ~target = { a: 0 }; const ~ = new Proxy(~target, { get: (inner, key, receiver) => Reflect.get(inner, key, receiver), set: (inner, key, value, receiver) => Reflect.set(inner, key, value, receiver) })',
    changes: ['~.@ = %', '~target.@ = %', '~.a++', 'delete ~.@', '~target.a++'],
    looks: ['~.@ ?? null', '~target.@ ?? null', 'Object.keys(~)', `'@' in ~`],
  },
  bytes: {
    make: 'const ~ = new Uint8Array(2); const ~view = new DataView(~.buffer)',
    changes: ['~[0] = %', '~[1]++', '~view.setUint8(1, %)', '~.fill(%)', '~.set([%])', '~view.setUint16(0, %)', '~.reverse()'],
    looks: ['~[0]', '~[1]', '~.join()', '~view.getUint8(0)', '~view.getUint16(0)', '[...~]'],
    methods: { type: 'Uint8Array', changes: [['fill', '%']], looks: [['at', '1'], ['join', '']] },
  },
  iterator: {
    make: 'const ~ = [1, 2, 3, 4][Symbol.iterator]()',
    changes: ['~.next()'],
    looks: ['~.next().value ?? null', '(([first = null]) => first)(~)', '[...~].length'],
  },
  generator: {
    make: 'const ~ = (function* () { for (let i = 0; i < 4; i++) yield i })()',
    changes: ['~.next()', '~.return()'],
    looks: ['~.next().value ?? null', '~.next().done'],
  },
  'async generator': {
    make: 'const ~ = (async function* () { for (let i = 0; i < 3; i++) yield i })()',
    changes: ['await ~.next()'],
    looks: ['(await ~.next()).value ?? null', '(await ~.return(%)).value ?? null'],
  },
  ids: {
    make: 'let ~next = 0; const ~ = () => ~next++; const ~rows = new Map()',
    changes: ['~rows.set(~(), %)', '~()', '{ const id = ~(); await null; ~rows.set(id, %) }'],
    looks: ['~()', '~rows.size', '[...~rows]', '~rows.get(0) ?? null'],
  },
  weak: {
    make: 'const ~keys = { a: {}, b: {}, c: {} }; const ~ = new WeakMap([[~keys.a, 0]])',
    changes: ['~.set(~keys.@, %)', '~.delete(~keys.@)'],
    looks: ['~.get(~keys.@) ?? null', '~.has(~keys.@)'],
  },
  deferred: {
    make: 'let ~settle; let ~fail; const ~ = new Promise((resolve, reject) => { ~settle = resolve; ~fail = reject }); ~.catch(() => {})',
    changes: ['~settle(%)', '~fail(%)', '~settle(Promise.resolve(%))', 'opaque.call(~settle, %)'],
    looks: ['(await Promise.race([~, Promise.resolve(null)]).catch((reason) => [reason]))', '(await Promise.any([~, new Promise((resolve) => setTimeout(resolve, 3, null))]).catch(() => -1))', '(await Promise.race([~.then(), new Promise((resolve) => setTimeout(resolve, 3, null))]).catch((reason) => [reason]))'],
  },
  pending: {
    make: 'const ~ = []',
    changes: ['~.push(Promise.resolve(%))', '~.push((async () => { await null; return % })())'],
    looks: ['(await Promise.all(~)).length', '(await Promise.allSettled(~)).length', '(await Promise.all(~.slice(0, 1)))[0] ?? null'],
  },
  store: {
    make: 'const ~ = opaque.store',
    changes: ['~.setState({ value: % })', '~.setState((state) => ({ value: state.value + 1 }))', '~.setState((state) => ({ list: [...state.list, %] }))'],
    looks: ['~.getState().value', '~.getState().list.join()'],
  },
  'opaque counter': {
    make: 'const ~ = new opaque.Counter()',
    changes: ['~.increment()', '~.value = %', '~.value++'],
    looks: ['~.value', '~.increment().value'],
  },
  'opaque closure': {
    make: '',
    changes: ['opaque.increment()', 'opaque.keep(%)', `opaque.cacheSet('@', %)`],
    looks: ['opaque.count()', 'opaque.kept() ?? null', `opaque.cacheGet('@') ?? null`, 'opaque.increment()', `opaque.cached('@', () => %)`],
  },
  rows: {
    make: '',
    changes: ['opaque.row(1).stock = %', 'opaque.rows()[0].stock--', 'opaque.row(1).tags.push(%)', 'opaque.freshRow(1).stock = %'],
    looks: ['opaque.row(1).stock', 'opaque.table().first.stock', 'opaque.row(1).tags.join()', 'JSON.stringify(opaque.rows()[0])'],
  },
}

/** A change of the thing, as a statement. */
export function changeOf(thing: SharedThing, random: Random): string {
  const { methods } = thing
  if (!methods || random.percent(65)) return random.one(thing.changes)
  const [name, args] = random.one(methods.changes)
  return wayOf(random, methods.type, { name, args })
}

/** A look at the thing, as an expression. */
export function lookAt(thing: SharedThing, random: Random): string {
  const { methods } = thing
  if (!methods || random.percent(65)) return random.one(thing.looks)
  const [name, args] = random.one(methods.looks)
  return wayOf(random, methods.type, { name, args })
}

/** Ways that need nothing declared. */
const ways = ['o.m()', 'o?.m?.()', 'call', 'o.m.call', 'apply', 'bind', 'bind with arguments', 'Reflect.apply', 'spread arguments', 'a callback', 'opaque code', 'a function handed to opaque code', 'a bound function handed to opaque code']

function wayOf(random: Random, type: string, method: { name: string; args: string }): string {
  return waysToCall(type, method)[random.one(ways)]!.replace(/\bo\b(?=[.,?)\]])/g, '~')
}
