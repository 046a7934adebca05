import type { Case } from './case.ts'

/** What stands on the platform's own objects and on the global object: one task puts something else there, one looks or calls. */

interface Replaced {
  /** An expression whose value is an object of the platform. */
  readonly holder: string
  readonly key: string
  /** What calls it or looks at it. */
  readonly look: string
  /** What comes there. */
  readonly by?: string
  /** How it comes there; the default assigns `replacement`. */
  readonly change?: string
}

// An accessor that puts the function in its own place when it is first read: who puts that back has put back nothing.
Reflect.get(globalThis, 'btoa')

/** The body puts back what it has found. */
function replaced({ holder, key, look, by = '() => 42', change = `${holder}.${key} = replacement` }: Replaced): Case {
  const source = `const found = Object.getOwnPropertyDescriptor(${holder}, '${key}')
const replacement = ${by}
let seen
const changing = async () => { await null; ${change} }
const looking = async () => { await null; seen = ${look} }
await Promise.all([changing(), looking()])
if (found) Object.defineProperty(${holder}, '${key}', found)
else delete ${holder}.${key}
return seen`
  return { name: `${holder}.${key}: ${change}, ${look}`, source, outcomes: 2 }
}

/** A text of a function, as far as it is that which stands there now. */
const texts = ['String(() => 1)', '`${() => 1}`', `((() => 1) + '')`, '[() => 1].join()', `Object.keys({ [String(() => 1)]: 2 })[0]`]

const rows: readonly Replaced[] = [
  ...texts.map((text) => ({ holder: 'Function.prototype', key: 'toString', look: `${text} === 'x'`, by: `() => 'x'` })),
  { holder: 'Math', key: 'max', look: 'Math.max(1, 2)' },
  { holder: 'Math', key: 'random', look: 'Math.random() === 42' },
  { holder: 'Math', key: 'abs', look: '[1].map(Math.abs)[0]' },
  { holder: 'Math', key: 'abs', look: `(() => { const k = 'abs'; return Math[k](1) })()` },
  { holder: 'Math', key: 'abs', look: `Math['abs'](1)` },
  { holder: 'Math', key: 'abs', look: `Math['a' + 'bs'](1)` },
  { holder: 'Math', key: 'abs', look: '(({ abs }) => abs(1))(Math)' },
  { holder: 'Math', key: 'abs', look: 'Math?.abs(1)' },
  { holder: 'Math', key: 'abs', look: 'Math.abs?.(1)' },
  { holder: 'Math', key: 'abs', look: `Reflect.get(Math, 'abs')(1)` },
  { holder: 'Math', key: 'abs', look: 'Math.abs.call(null, 1)' },
  { holder: 'Math', key: 'abs', look: 'globalThis.Math.abs(1)' },
  { holder: 'Math', key: 'min', look: 'Math.min(1)', change: `Object.defineProperty(Math, 'min', { value: replacement, configurable: true, writable: true })` },
  { holder: 'Math', key: 'min', look: 'Math.min(1)', change: 'Object.assign(Math, { min: replacement })' },
  { holder: 'Math', key: 'min', look: 'Math.min(1)', change: '((own) => { own.min = replacement })(Math)' },
  { holder: 'Math', key: 'trunc', look: 'typeof Math.trunc', change: 'delete Math.trunc' },
  { holder: 'Math', key: 'own', look: `'own' in Math` },
  { holder: 'Math', key: 'hypot', look: 'Math.hypot(3, 4)', by: '((n) => () => ++n)(40)', change: 'Math.hypot = replacement; Math.hypot()' },
  { holder: 'Number', key: 'isInteger', look: 'Number.isInteger(1)' },
  { holder: 'Number', key: 'parseFloat', look: `Number.parseFloat('1')` },
  { holder: 'String', key: 'fromCharCode', look: 'String.fromCharCode(65)' },
  { holder: 'String', key: 'raw', look: 'String.raw`a`' },
  { holder: 'Symbol', key: 'for', look: `typeof Symbol.for('a')` },
  { holder: 'BigInt', key: 'asIntN', look: 'typeof BigInt.asIntN(8, 1n)' },
  { holder: 'Intl', key: 'NumberFormat', look: `new Intl.NumberFormat('en').format(1)`, by: 'function () { return { format: () => 42 } }' },
  { holder: 'Intl', key: 'getCanonicalLocales', look: `Intl.getCanonicalLocales('en')` },
  { holder: 'Intl.NumberFormat', key: 'supportedLocalesOf', look: `Intl.NumberFormat.supportedLocalesOf('en')` },
  { holder: 'JSON', key: 'stringify', look: 'JSON.stringify(1)' },
  { holder: 'JSON', key: 'parse', look: `JSON.parse('1')` },
  { holder: 'Date', key: 'now', look: 'Date.now() === 42' },
  { holder: 'Date', key: 'parse', look: `Date.parse('1970-01-01')` },
  { holder: 'Array', key: 'isArray', look: 'Array.isArray([])' },
  { holder: 'Array', key: 'from', look: 'Array.from([1])', by: '() => [42]' },
  { holder: 'Array', key: 'of', look: '[1].map(Array.of)' },
  { holder: 'Array', key: 'cache', look: 'Array.cache ?? null' },
  { holder: 'Array', key: 'hits', look: '(Array.hits ?? 0) + 0', by: '1', change: 'Array.hits = 1; Array.hits++' },
  { holder: 'Promise', key: 'shared', look: 'Promise.shared ?? null' },
  { holder: 'console', key: 'debug', look: 'console.debug === replacement' },
  { holder: 'console', key: 'debug', look: `(() => { const level = 'debug'; return console[level] === replacement })()` },
  { holder: 'Object', key: 'keys', look: 'Object.keys({ a: 1 })' },
  { holder: 'Object', key: 'entries', look: '[{}].map(Object.entries)' },
  { holder: 'Object', key: 'hasOwn', look: `Object.hasOwn({ a: 1 }, 'a')` },
  { holder: 'Object', key: 'freeze', look: 'Object.isFrozen(Object.freeze({ a: 1 }))', by: '() => ({ a: 42 })' },
  { holder: 'Object', key: 'fromEntries', look: `Object.fromEntries([['a', 1]]).a`, by: '() => ({ a: 42 })' },
  { holder: 'Object', key: 'is', look: 'Object.is(1, 1)' },
  { holder: 'Reflect', key: 'get', look: `Reflect.get({ a: 1 }, 'a')` },
  { holder: 'Reflect', key: 'has', look: `Reflect.has({ a: 1 }, 'a')` },
  { holder: 'Reflect', key: 'apply', look: 'Reflect.apply(() => 1, null, [])' },
  { holder: 'Reflect', key: 'ownKeys', look: 'Reflect.ownKeys({ a: 1 })', by: '() => [42]' },
  { holder: 'Array.prototype', key: 'reverse', look: '[1].reverse()' },
  { holder: 'Array.prototype', key: 'toString', look: '`${[1]}`' },
  { holder: 'Array.prototype', key: 'last', look: 'typeof [1].last' },
  { holder: 'String.prototype', key: 'trim', look: `' a '.trim()` },
  { holder: 'Number.prototype', key: 'toFixed', look: '(1).toFixed(2)' },
  { holder: 'Function.prototype', key: 'toString', look: `(() => {}).toString().length === 2`, by: `() => '42'` },
  { holder: 'Date.prototype', key: 'getTime', look: 'new Date(0).getTime()' },
  { holder: 'Date.prototype', key: 'toISOString', look: 'JSON.stringify(new Date(0))' },
  { holder: 'Error.prototype', key: 'toString', look: `String(new Error('a'))`, by: `() => '42'` },
  { holder: 'URL.prototype', key: 'toString', look: `new URL('http://a/').toString()` },
  { holder: 'globalThis', key: 'parseInt', look: `parseInt('1')` },
  { holder: 'globalThis', key: 'isNaN', look: 'isNaN(1)', change: 'isNaN = replacement' },
  { holder: 'globalThis', key: 'structuredClone', look: 'structuredClone(1)' },
  { holder: 'globalThis', key: 'URL', look: `new URL('http://a/').href`, by: 'class { href = 42 }' },
  { holder: 'globalThis', key: 'encodeURIComponent', look: `['a b'].map(encodeURIComponent)[0]` },
  { holder: 'globalThis', key: 'btoa', look: `(() => { const { btoa: f } = globalThis; return f('a') })()` },
  { holder: 'globalThis', key: 'crypto', look: 'typeof crypto', change: `Object.defineProperty(globalThis, 'crypto', { value: replacement, configurable: true, writable: true, enumerable: true })` },
]

/** Nobody replaces what is called: all is one class. */
const unchanged: readonly Case[] = ['Math.max(1, 2)', 'parseInt("1")', 'Object.keys({}).length', 'JSON.stringify([1])', 'Array.isArray([])', 'String.raw`a`'].map((look) => ({
  name: `nobody replaces ${look}`,
  source: `const task = async () => { await null; return ${look} }
return (await Promise.all([task(), task(), task()])).length`,
  executions: 1,
}))

const other: readonly Case[] = [
  {
    name: 'two functions, one after the other',
    source: `const { max, min } = Math
let seen
const changing = async () => { await null; Math.max = () => 42; await null; Math.min = () => 41 }
const looking = async () => { await null; seen = Math.min(1) + Math.max(1) }
await Promise.all([changing(), looking()])
Object.assign(Math, { max, min })
return seen`,
    outcomes: ['2', '43', '83'],
  },
  {
    name: 'what is replaced before the tasks begin is what all call',
    source: `const { max } = Math
Math.max = () => 42
const task = async () => { await null; return Math.max(1) }
const both = await Promise.all([task(), task()])
Math.max = max
return both`,
    outcomes: ['[42,42]'],
    executions: 1,
  },
]

/** A name that is declared nowhere is a property of the global object. */
const assigned: readonly Case[] = ['shared = 1', 'shared += 1', 'shared++', '++shared', 'shared ||= 1', 'shared = shared + 1', '[shared] = [1]', '({ shared } = { shared: 1 })', '({ a: shared = 1 } = {})', 'for (shared of [1]);', 'for (shared in { 1: 1 });', 'shared += await 1'].flatMap((change) =>
  ['shared', 'globalThis.shared', 'typeof shared + shared', '`${shared}`', '{ shared }.shared'].map((look) => ({
    name: `${change}, ${look}`,
    source: `globalThis.shared = 0
let seen
const changing = async () => { await null; ${change} }
const looking = async () => { await null; seen = (${look}) }
await Promise.all([changing(), looking()])
delete globalThis.shared
return seen`,
    outcomes: 2,
  })),
)

const sum: Case = {
  name: 'a global is added to by all',
  source: `globalThis.shared = 0
const task = async (n) => { await null; shared += n }
await Promise.all([task(1), task(2), task(3)])
const sum = shared
delete globalThis.shared
return sum`,
  outcomes: ['6'],
  executions: 1,
}

export const replacedFunctions: readonly Case[] = [...rows.map(replaced), ...unchanged, ...other, ...assigned, sum]
