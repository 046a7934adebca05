import { apart, changeAndLook, type Case } from './case.ts'

/** Looks at an object that another task changes by a plain statement. */
const looks: readonly { readonly look: string; readonly make?: string; readonly change: string }[] = [
  { look: 'Object.keys(o)', change: 'o.k = 1' },
  { look: 'Object.keys(o)', make: 'const o = { k: 1 }', change: 'delete o.k' },
  { look: 'Object.values(o)', change: 'o.k = 1' },
  { look: 'Object.values(o)', make: 'const o = { k: 0 }', change: 'o.k = 1' },
  { look: 'Object.entries(o)', change: 'o.k = 1' },
  { look: 'Object.getOwnPropertyNames(o)', change: 'o.k = 1' },
  { look: 'Object.getOwnPropertySymbols(o).length', change: 'o[Symbol.iterator] = 1' },
  { look: `Object.getOwnPropertyDescriptor(o, 'k') ?? null`, change: 'o.k = 1' },
  { look: `Object.getOwnPropertyDescriptor(o, 'k').writable`, make: 'const o = { k: 1 }', change: 'Object.freeze(o)' },
  { look: 'Object.getOwnPropertyDescriptors(o)', change: 'o.k = 1' },
  { look: `Object.hasOwn(o, 'k')`, change: 'o.k = 1' },
  { look: `o.hasOwnProperty('k')`, change: 'o.k = 1' },
  { look: `Object.prototype.hasOwnProperty.call(o, 'k')`, change: 'o.k = 1' },
  { look: `o.propertyIsEnumerable('k')`, change: 'o.k = 1' },
  { look: 'Object.isFrozen(o)', make: 'const o = { k: 1 }', change: 'Object.freeze(o)' },
  { look: 'Object.isFrozen(o)', make: 'const o = Object.preventExtensions({ k: 1 })', change: 'delete o.k' },
  { look: 'Object.isSealed(o)', make: 'const o = { k: 1 }', change: 'Object.seal(o)' },
  { look: 'Object.isExtensible(o)', change: 'Object.preventExtensions(o)' },
  { look: 'Reflect.isExtensible(o)', change: 'Reflect.preventExtensions(o)' },
  { look: `(() => { 'use strict'; try { o.k = 2; return 'set' } catch { return 'refused' } })()`, change: 'Object.freeze(o)' },
  { look: 'Object.getPrototypeOf(o) === null', change: 'Object.setPrototypeOf(o, null)' },
  { look: 'Reflect.getPrototypeOf(o) === null', change: 'Reflect.setPrototypeOf(o, null)' },
  { look: 'o.k ?? 0', change: 'Object.setPrototypeOf(o, { k: 1 })' },
  { look: 'o instanceof Map', change: 'Object.setPrototypeOf(o, Map.prototype)' },
  { look: `Array.prototype.isPrototypeOf(o)`, change: 'Object.setPrototypeOf(o, Array.prototype)' },
  { look: 'Object.assign({}, o)', change: 'o.k = 1' },
  { look: 'Object.fromEntries(o)', make: 'const o = []', change: `o.push(['k', 1])` },
  { look: 'Object.fromEntries(o)', make: 'const o = new Map()', change: `o.set('k', 1)` },
  { look: '({ ...o })', change: 'o.k = 1' },
  { look: '(({ k, ...rest }) => rest)(o)', change: 'o.other = 1' },
  { look: '(() => { const { k = 0 } = o; return k })()', change: 'o.k = 1' },
  { look: `'k' in o`, change: 'o.k = 1' },
  { look: '(() => { const keys = []; for (const key in o) keys.push(key); return keys })()', change: 'o.k = 1' },
  { look: 'o?.k ?? 0', change: 'o.k = 1' },
  { look: `Reflect.get(o, 'k') ?? 0`, change: 'o.k = 1' },
  { look: `Reflect.has(o, 'k')`, change: 'o.k = 1' },
  { look: 'Reflect.ownKeys(o)', change: 'o.k = 1' },
  { look: `Reflect.getOwnPropertyDescriptor(o, 'k') ?? null`, change: 'o.k = 1' },
  { look: 'Object.is(o.k, 1)', change: 'o.k = 1' },
  { look: 'String(o)', change: `o[Symbol.toStringTag] = 'K'` },
  { look: 'Object.prototype.toString.call(o)', change: `o[Symbol.toStringTag] = 'K'` },
]

/** Changes of an object that another task looks at by a plain expression. */
const changes: readonly { readonly change: string; readonly make?: string; readonly look?: string }[] = [
  { change: `Object.defineProperty(o, 'k', { value: 1 })` },
  { change: `Object.defineProperty(o, 'k', { get: () => 1 })` },
  { change: `Object.defineProperties(o, { k: { value: 1 } })` },
  { change: 'Object.assign(o, { k: 1 })' },
  { change: 'Object.assign(o, { other: 2 }, { k: 1 })' },
  { change: `Reflect.set(o, 'k', 1)` },
  { change: `Reflect.defineProperty(o, 'k', { value: 1 })` },
  { change: `Reflect.deleteProperty(o, 'k')`, make: 'const o = { k: 1 }' },
  { change: `o['k'] = 1` },
  { change: `o.k ??= 1` },
  { change: `o.k ||= 1`, make: 'const o = { k: 0 }' },
  { change: `o.k &&= 0`, make: 'const o = { k: 1 }' },
  { change: `o.k++`, make: 'const o = { k: 0 }' },
  { change: `;[o.k] = [1]` },
  { change: `;({ k: o.k } = { k: 1 })` },
  { change: `for (o.k of [1]);` },
  { change: `for (o.k in { a: 1 });` },
  { change: `delete o.k`, make: 'const o = { k: 1 }' },
  { change: `o.__proto__ = { k: 1 }` },
  { change: `o.__defineGetter__('k', () => 1)` },
  { change: 'opaque.setProperty(o, \'k\', 1)' },
  { change: 'opaque.merge(o, { k: 1 })' },
  { change: 'o.set(1)', make: 'const o = { k: 0, set(value) { this.k = value } }' },
  { change: 'o.v = 1', make: 'const o = { k: 0, set v(value) { this.k = value } }' },
]

/** What stands between an object and the property that is looked for. */
const inherited: readonly Case[] = [
  ...['o.k', '(({ k }) => k)(o)', `Reflect.get(o, 'k')`, `Reflect.get(o, 'k', {})`, 'new Proxy(o, {}).k', 'o?.k', '(() => { const { ...rest } = { k: o.k }; return rest.k })()'].flatMap((look) => [
    changeAndLook({ name: `${look} comes to stand between`, make: 'const base = { k: 0 }; const middle = Object.create(base); const o = Object.create(middle)', change: 'middle.k = 1', look }),
    changeAndLook({ name: `${look} is taken away between`, make: 'const base = { k: 0 }; const middle = Object.create(base); middle.k = 1; const o = Object.create(middle)', change: 'delete middle.k', look }),
    changeAndLook({ name: `${look} comes from another prototype of a prototype`, make: 'const base = { k: 0 }; const middle = Object.create(base); const o = Object.create(middle)', change: 'Object.setPrototypeOf(middle, { k: 1 })', look }),
  ]),
  ...[`'k' in o`, `Reflect.has(o, 'k')`, 'o.k ?? null', '(({ k = 0 }) => k)(o)', '(() => { const keys = []; for (const key in o) keys.push(key); return keys })()'].flatMap((look) => [
    changeAndLook({ name: `${look} while a prototype gets it`, make: 'const base = {}; const o = Object.create(Object.create(base))', change: 'base.k = 1', look }),
    changeAndLook({ name: `${look} while a prototype loses it`, make: 'const base = { k: 1 }; const o = Object.create(Object.create(base))', change: 'delete base.k', look }),
  ]),
  ...[`Object.defineProperty(base, 'k', { set() {}, configurable: true })`, `Object.defineProperty(base, 'k', { value: 5, configurable: true })`, `base.__defineSetter__('k', () => {})`, `opaque.call(Object.defineProperty, base, 'k', { set() {} })`].map((change) =>
    changeAndLook({ name: `an assignment while ${change}`, make: 'const base = {}; const o = Object.create(base)', change, look: `(() => { try { o.k = 1 } catch {} return Object.hasOwn(o, 'k') })()` }),
  ),
  changeAndLook({ name: 'an assignment while a setter goes', make: 'const base = { set k(v) {} }; const o = Object.create(base)', change: 'delete base.k', look: `(() => { o.k = 1; return Object.hasOwn(o, 'k') })()` }),
  changeAndLook({ name: 'a class gets a setter', make: 'class C {}; const o = new C()', change: `Object.defineProperty(C.prototype, 'k', { set(v) { this.n = v } })`, look: `(() => { o.k = 1; return Object.keys(o) })()` }),
  changeAndLook({ name: 'an accessor comes to stand between', make: 'const base = { k: 0 }; const middle = Object.create(base); const o = Object.create(middle)', change: `Object.defineProperty(middle, 'k', { get: () => 1 })`, look: 'o.k' }),
  ...['o.m()', 'o?.m?.()', `o['m']()`, 'o.m.call(o)', 'Reflect.apply(o.m, o, [])', '(({ m }) => m())(o)', 'new Proxy(o, {}).m()', 'o.bySuper()'].flatMap((look) => [
    changeAndLook({ name: `${look} while its method is replaced`, make: 'class Base { m() { return 0 } }; class Sub extends Base { bySuper() { return super.m() } }; const o = new Sub()', change: 'Base.prototype.m = () => 1', look }),
    changeAndLook({ name: `${look} while its method is hidden`, make: 'class Base { m() { return 0 } }; class Middle extends Base {}; class Sub extends Middle { bySuper() { return super.m() } }; const o = new Sub()', change: 'Middle.prototype.m = () => 1', look }),
    changeAndLook({ name: `${look} while opaque code replaces its method`, make: 'class Base { m() { return 0 } }; class Sub extends Base { bySuper() { return super.m() } }; const o = new Sub()', change: `opaque.setProperty(Base.prototype, 'm', () => 1)`, look }),
  ]),
  changeAndLook({ name: 'a static method is hidden', make: 'class Base { static m() { return 0 } }; class Sub extends Base {}', change: 'Sub.m = () => 1', look: 'Sub.m()' }),
  changeAndLook({ name: 'a static method is replaced', make: 'class Base { static m() { return 0 } }; class Sub extends Base {}', change: 'Base.m = () => 1', look: 'Sub.m()' }),
  changeAndLook({ name: 'a class inherits from another', make: 'class Base { static m() { return 0 } }; class Sub extends Base {}', change: 'Object.setPrototypeOf(Sub, class { static m() { return 1 } })', look: 'Sub.m()' }),
  // No code assigns a property of this name as such: that somebody changes it turns out in the midst of the exploration.
  ...[
    `o['ra' + 're'] = 1`, `Object.assign(o, { rare: 1 })`, `Reflect.set(o, 'rare', 1)`, `Object.defineProperty(o, 'rare', { value: 1 })`, `opaque.setProperty(o, 'rare', 1)`,
    `opaque.call((object, key) => { object[key] = 1 }, o, 'rare')`, `Reflect.deleteProperty(o, 'rare')`, `({ a: o['ra' + 're'] } = { a: 1 })`, `Object.defineProperty(o, 'rare', { get: () => 1 })`,
    `o['ra' + 're']++`, `new Proxy(o, {})['ra' + 're'] = 1`,
  ].map((change) => ({
    name: `${change}, in one of several orders`,
    source: `const o = { rare: 0 }
let isLate = false
const changing = async () => { await null; if (isLate) ${change} }
const looking = async () => { await null; const before = o.rare; await null; return [before, o.rare] }
const [seen] = await Promise.all([looking(), (async () => { await null; isLate = true })(), changing()])
return seen`,
    outcomes: 3,
  })),
  {
    name: 'what constructors give their objects, read by others',
    source: `class Account { constructor(n) { this.owner = 'a'; this.n = n } }
const bank = {}
const opening = async () => { await null; bank.account = new Account(1) }
const looking = async () => { await null; return bank.account?.owner ?? 'nobody' }
return (await Promise.all([looking(), opening()]))[0]`,
    outcomes: ['"a"', '"nobody"'],
    executions: 2,
  },
  ...['Base.prototype.m = () => 1', 'o.m = () => 1', `Object.assign(o, { m: () => 1 })`].map((change) => ({
    name: `${change}, in one of several orders`,
    source: `class Base { m() { return 0 } }
const o = new Base()
let isLate = false
const changing = async () => { await null; if (isLate) ${change} }
const looking = async () => { await null; const before = o.m(); await null; return [before, o.m()] }
const [seen] = await Promise.all([looking(), (async () => { await null; isLate = true })(), changing()])
return seen`,
    outcomes: ['[0,0]', '[0,1]', '[1,1]'],
  })),
  changeAndLook({ name: 'a method of the platform is hidden', make: 'const o = new Map()', change: 'o.get = () => 1', look: `o.get('k') ?? 0` }),
  changeAndLook({ name: 'a method of the platform is no longer hidden', make: 'const o = new Map(); o.get = () => 1', change: 'delete o.get', look: `o.get('k') ?? 0` }),
  changeAndLook({ name: 'a method of the platform is hidden by opaque code', make: 'const o = new Map()', change: `opaque.setProperty(o, 'get', () => 1)`, look: `o.get('k') ?? 0` }),
  changeAndLook({ name: 'a method of the platform is hidden by a definition', make: 'const o = []', change: `Object.defineProperty(o, 'push', { value: () => 5 })`, look: `o.push('k')` }),
  changeAndLook({ name: 'a method of the platform is hidden by a class', make: 'class Sub extends Map {}; const o = new Sub()', change: 'Sub.prototype.get = () => 1', look: `o.get('k') ?? 0` }),
  changeAndLook({ name: 'a method of the platform is hidden by another prototype', make: 'const o = new Map()', change: 'Object.setPrototypeOf(o, class { get() { return 1 } }.prototype)', look: `o.get('k') ?? 0` }),
  changeAndLook({ name: 'a method comes from the platform', make: 'const o = { push: () => 5, length: 0 }', change: 'delete o.push; Object.setPrototypeOf(o, Array.prototype)', look: `o.push('k')` }),
  changeAndLook({ name: 'a property of a prototype of the platform', make: 'const o = []', change: `Array.prototype.k = 1; queueMicrotask(() => delete Array.prototype.k)`, look: 'o.k ?? 0' }),
  changeAndLook({ name: 'instanceof of a prototype', make: 'class C {}; const middle = {}; const o = Object.create(middle)', change: 'Object.setPrototypeOf(middle, C.prototype)', look: 'o instanceof C' }),
  changeAndLook({ name: 'instanceof while the prototype of a function changes', make: 'function C() {}; const o = new C()', change: 'C.prototype = {}', look: 'o instanceof C' }),
  changeAndLook({ name: 'instanceof by Symbol.hasInstance', make: 'let n = false; class C { static [Symbol.hasInstance]() { return n } }; const o = {}', change: 'n = true', look: 'o instanceof C' }),
  changeAndLook({ name: 'instanceof by a Symbol.hasInstance that comes', make: 'const C = () => {}; C.prototype = {}; const o = {}', change: 'Object.defineProperty(C, Symbol.hasInstance, { value: () => true })', look: 'o instanceof C' }),
  changeAndLook({ name: 'instanceof of a proxy', make: 'const target = {}; const o = new Proxy(target, {})', change: 'Object.setPrototypeOf(target, Map.prototype)', look: 'o instanceof Map' }),
  changeAndLook({ name: 'isPrototypeOf over two steps', make: 'const base = {}; const middle = {}; const o = Object.create(middle)', change: 'Object.setPrototypeOf(middle, base)', look: 'base.isPrototypeOf(o)' }),
  apart({ name: 'methods of classes', make: 'class C { k = 0; m() { return ++this.k } }; const o = new C()', change: 'o.m()', look: 'o.k' }),
  apart({ name: 'methods that are hidden', make: 'class C { m() { return 0 } }; const o = new C()', change: 'o.m = () => 1', look: 'o.m()' }),
  apart({ name: 'methods of the platform that are hidden', make: 'const o = new Map()', change: 'o.get = () => 1', look: `o.get('k')` }),
  apart({ name: 'accessors that are defined', make: 'const o = {}', change: `Object.defineProperty(o, 'k', { get: () => 1 })`, look: 'o.k' }),
  apart({ name: 'instanceof', make: 'class C {}; const o = { C }', change: 'Object.setPrototypeOf(o, o.C.prototype)', look: 'o instanceof o.C' }),
]

/** What the platform asks an object for before it makes something of it: its class may get an answer meanwhile. */
const asked: readonly Case[] = [
  ...["toString = () => 't'", 'valueOf = () => 9', "[Symbol.toStringTag] = 'T'", '[Symbol.toPrimitive] = () => 4'].flatMap((answer) =>
    ['`${o}`', 'o + 1', 'String(o)', '[o].join()', '({ [o]: 1 })', 'new Error(o).message', '[o] + 1']
      // What makes text asks for no number.
      .filter((look) => !answer.startsWith('valueOf') || look === 'o + 1')
      .map((look) => changeAndLook({ name: `${look} while its class gets ${answer}`, make: 'class C {}; const o = new C()', change: `C.prototype${answer.startsWith('[') ? '' : '.'}${answer}`, look })),
  ),
  ...['o > 3', 'isNaN(o)', 'o == 9', '[o][0] * 1', 'Number(o)'].map((look) => changeAndLook({ name: `${look} while its class gets valueOf`, make: 'class C {}; const o = new C()', change: 'C.prototype.valueOf = () => 9', look: `String(${look})` })),
  ...['JSON.stringify(o)', 'JSON.stringify({ o })', 'JSON.stringify([o])', `JSON.stringify({ o }, ['o', 'k'])`].map((look) => changeAndLook({ name: `${look} while its class gets toJSON`, make: 'class C { k = 1 }; const o = new C()', change: `C.prototype.toJSON = () => 'j'`, look })),
  ...['[...o]', 'Array.from(o)', 'new Set(o).size', '(([a]) => a)(o)', '(() => { for (const a of o) return a })()', 'Object.fromEntries(o)', 'Math.max(...o)'].map((look) =>
    changeAndLook({ name: `${look} while its class gets an iterator`, make: 'class C {}; const o = new C()', change: 'C.prototype[Symbol.iterator] = function* () { yield [1, 2] }', look: `(() => { try { return ${look} } catch { return 'none' } })()` }),
  ),
  changeAndLook({ name: 'an array gets another iterator', make: 'const o = [1, 2]', change: 'o[Symbol.iterator] = function* () { yield 3 }', look: '[...o]' }),
  changeAndLook({ name: 'for...in while the prototype changes', make: 'class C {}; C.prototype.p = 0; const o = new C()', change: 'Object.setPrototypeOf(o, { z: 1 })', look: '(() => { const keys = []; for (const key in o) keys.push(key); return keys })()' }),
  ...['`${o}`', `(() => { try { return o.hasOwnProperty('k') } catch { return 'none' } })()`, `'toString' in o`].map((look) => changeAndLook({ name: `${look} while it loses its prototype`, make: 'const o = {}', change: 'Object.setPrototypeOf(o, null)', look: `(() => { try { return ${look} } catch { return 'none' } })()` })),
  changeAndLook({ name: 'instanceof of a bound function', make: 'function C() {}; const o = new C(); const Bound = C.bind(null)', change: 'C.prototype = {}', look: 'o instanceof Bound' }),
  changeAndLook({ name: 'an accessor that is replaced, by Reflect.get with a receiver', make: 'class C { get k() { return 0 } }; const o = new C()', change: `Object.defineProperty(C.prototype, 'k', { get: () => 1 })`, look: `Reflect.get(C.prototype, 'k', o)` }),
  changeAndLook({ name: 'a setter that goes with the prototype', make: 'class C { set k(v) {} }; const o = new C()', change: 'Object.setPrototypeOf(o, null)', look: '(() => { o.k = 1; return Object.keys(o) })()' }),
  changeAndLook({ name: 'a setter that comes with the prototype', make: 'const o = {}', change: 'Object.setPrototypeOf(o, { set k(v) {} })', look: '(() => { o.k = 1; return Object.keys(o) })()' }),
  ...['o.toString()', 'Error.prototype.toString.call(o)', 'String(o)'].flatMap((look) => [
    changeAndLook({ name: `${look} of an error while its message changes`, make: `const o = new Error('m')`, change: `o.message = 'n'`, look }),
    changeAndLook({ name: `${look} of an error while its class gets a name`, make: `class Failure extends Error {}; const o = new Failure('m')`, change: `Failure.prototype.name = 'Failure'`, look }),
  ]),
  changeAndLook({ name: 'String.raw of a list', make: 'const o = [1, 2]', change: 'o.push(3)', look: 'String.raw({ raw: o })' }),
  ...['JSON.stringify(o)', 'Object.entries(o)', '({ ...o })', 'o[1]'].map((look) => changeAndLook({ name: `${look} while an element becomes an accessor`, make: 'const o = [1, 2]', change: 'Object.defineProperty(o, 1, { get: () => 7 })', look })),
]

const disjoint: readonly Case[] = [
  apart({ name: 'object, properties', make: 'const o = { k: 0 }', change: 'o.k++', look: 'o.k' }),
  apart({ name: 'object, Object.assign', make: 'const o = {}', change: 'Object.assign(o, { k: 1 })', look: 'o.k' }),
  apart({ name: 'object, defineProperty', make: 'const o = {}', change: `Object.defineProperty(o, 'k', { value: 1 })`, look: `Object.getOwnPropertyDescriptor(o, 'k')` }),
  apart({ name: 'object, defineProperties', make: 'const o = {}', change: `Object.defineProperties(o, { k: { value: 1 } })`, look: 'Object.getOwnPropertyDescriptors(o)' }),
  apart({ name: 'object, freeze', make: 'const o = { k: 1 }', change: 'Object.freeze(o)', look: 'Object.isFrozen(o)' }),
  apart({ name: 'object, setPrototypeOf', make: 'const o = {}', change: 'Object.setPrototypeOf(o, { k: 1 })', look: 'o.k' }),
  apart({ name: 'object, Reflect', make: 'const o = {}', change: `Reflect.set(o, 'k', 1)`, look: 'Reflect.ownKeys(o)' }),
  apart({ name: 'object, spread', make: 'const o = {}', change: 'o.k = 1', look: '({ ...o })' }),
  {
    name: 'two keys of one object',
    source: `const o = { a: 0, b: 0 }
const task = async (key) => { await null; o[key]++; await null; return o[key] }
return await Promise.all([task('a'), task('b')])`,
    outcomes: 1,
    executions: 1,
  },
  {
    name: 'two keys of one object by Reflect and descriptors',
    source: `const o = { a: 0, b: 0 }
const task = async (key) => { await null; Reflect.set(o, key, 1); await null; return Object.getOwnPropertyDescriptor(o, key).value + Object.hasOwn(o, key) }
return await Promise.all([task('a'), task('b')])`,
    outcomes: 1,
    executions: 1,
  },
]

export const objects: readonly Case[] = [
  ...looks.map(({ look, make = 'const o = {}', change }) => changeAndLook({ name: `${look} while ${change}${make.length > 12 ? ` (${make})` : ''}`, make, change, look })),
  ...changes.map(({ change, make = 'const o = {}', look = 'o.k ?? null' }) => changeAndLook({ name: `${change} while o.k`, make, change, look })),
  ...inherited,
  ...asked,
  ...disjoint,
]
