import { apart, changeAndLook, type Case } from './case.ts'

/** A method of a built-in class, on an object `o`. */
interface Method {
  readonly name: string
  /** The arguments, as source. */
  readonly args?: string
}

interface Family {
  /** The class, as source. */
  readonly type: string
  /** The arguments of its constructor, as source. */
  readonly init?: string
  readonly change: Method
  readonly look: Method
  /** What the result of the look becomes, as source with `$` for the result. */
  readonly shown?: string
}

const families: readonly Family[] = [
  { type: 'Map', change: { name: 'set', args: `'k', 1` }, look: { name: 'get', args: `'k'` } },
  { type: 'Set', change: { name: 'add', args: `'k'` }, look: { name: 'has', args: `'k'` } },
  { type: 'Array', change: { name: 'push', args: `'k'` }, look: { name: 'includes', args: `'k'` } },
  { type: 'Date', init: '0', change: { name: 'setTime', args: '5' }, look: { name: 'getTime' } },
  { type: 'RegExp', init: `'a', 'g'`, change: { name: 'exec', args: `'aa'` }, look: { name: 'test', args: `'a'` } },
  { type: 'URLSearchParams', change: { name: 'append', args: `'k', '1'` }, look: { name: 'get', args: `'k'` } },
  { type: 'Headers', change: { name: 'set', args: `'k', '1'` }, look: { name: 'get', args: `'k'` } },
  { type: 'FormData', change: { name: 'append', args: `'k', '1'` }, look: { name: 'get', args: `'k'` } },
  { type: 'Uint8Array', init: '2', change: { name: 'fill', args: '7' }, look: { name: 'at', args: '1' } },
  { type: 'DataView', init: 'new ArrayBuffer(4)', change: { name: 'setInt16', args: '0, 7' }, look: { name: 'getInt16', args: '0' } },
  { type: 'EventEmitter', change: { name: 'on', args: `'k', () => {}` }, look: { name: 'emit', args: `'k'` } },
  { type: 'EventTarget', change: { name: 'addEventListener', args: `'k', (event) => event.preventDefault()` }, look: { name: 'dispatchEvent', args: `new Event('k', { cancelable: true })` } },
  { type: 'WeakMap', change: { name: 'set', args: 'Array, 1' }, look: { name: 'get', args: 'Array' } },
  { type: 'WeakSet', change: { name: 'add', args: 'Array' }, look: { name: 'has', args: 'Array' } },
]

/** Every way to reach a method that is known by its function. */
export function waysToCall(type: string, { name, args = '' }: Method): Readonly<Record<string, string>> {
  const rest = args === '' ? '' : `, ${args}`
  const method = `${type}.prototype.${name}`
  return {
    'o.m()': `o.${name}(${args})`,
    'o[m]()': `o[['${name}'][0]](${args})`,
    'o?.m?.()': `o?.${name}?.(${args})`,
    call: `${method}.call(o${rest})`,
    'o.m.call': `o.${name}.call(o${rest})`,
    apply: `${method}.apply(o, [${args}])`,
    'spread arguments': `o.${name}(...[${args}])`,
    bind: `${method}.bind(o)(${args})`,
    'bind with arguments': `o.${name}.bind(o${rest})()`,
    'Reflect.apply': `Reflect.apply(${method}, o, [${args}])`,
    'call.call': `Function.prototype.call.call(${method}, o${rest})`,
    'call, bound': `Function.prototype.call.bind(${method})(o${rest})`,
    'a bare name': `bare(${args})`,
    destructured: `destructured.call(o${rest})`,
    super: `o.bySuper(${args})`,
    'a subclass': `o.inherited(${args})`,
    'a callback': `[o].map((each) => each.${name}(${args}))[0]`,
    'a bound callback': `Array.from({ length: 1 }, o.${name}.bind(o${rest}))[0]`,
    'a callback of a callback': `[[o]].map((list) => list.map(Function.prototype.call.bind((each) => each.${name}(${args}), null)))[0][0]`,
    'opaque code': `opaque.invoke(o, '${name}', [${args}])`,
    'a function handed to opaque code': `opaque.call(() => o.${name}(${args}))`,
    'a bound function handed to opaque code': `opaque.call(o.${name}.bind(o${rest}))`,
  }
}

function made({ type, init = '' }: Family, { name }: Method): string {
  return `class Sub extends ${type} { bySuper(...args) { return super.${name}(...args) }; inherited(...args) { return this.${name}(...args) } }
const o = new Sub(${init}); const { ${name}: destructured } = o; const bare = o.${name}.bind(o)`
}

function familyCases(family: Family): Case[] {
  const { type, change, look } = family
  const plainLook = `o.${look.name}(${look.args ?? ''})`
  const shown = (expression: string): string => (type === 'Map' ? `${expression} ?? null` : expression)
  const changing = Object.entries(waysToCall(type, change)).map(([way, call]) =>
    changeAndLook({ name: `${type}.${change.name} by ${way}`, make: made(family, change), change: call, look: shown(plainLook) }),
  )
  const looking = Object.entries(waysToCall(type, look)).map(([way, call]) =>
    changeAndLook({ name: `${type}.${look.name} by ${way}`, make: made(family, look), change: `o.${change.name}(${change.args ?? ''})`, look: shown(call) }),
  )
  const ways = waysToCall(type, change)
  const separate = ['o.m()', 'apply', 'bind with arguments', 'super'].map((way) =>
    apart({ name: `${type}.${change.name} by ${way}`, make: made(family, change), change: ways[way]!, look: plainLook }),
  )
  return [...changing, ...looking, ...separate]
}

interface Static {
  /** The function, as source. */
  readonly owner: string
  readonly name: string
  /** Its arguments on an object `o`, as source. */
  readonly args: string
  readonly make?: string
  readonly change?: string
}

const statics: readonly Static[] = [
  { owner: 'Object', name: 'keys', args: 'o' },
  { owner: 'Object', name: 'entries', args: 'o' },
  { owner: 'Object', name: 'isFrozen', args: 'o', change: 'Object.freeze(o)' },
  { owner: 'Reflect', name: 'has', args: `o, 'k'` },
  { owner: 'Reflect', name: 'ownKeys', args: 'o' },
  { owner: 'Array', name: 'from', args: 'o', make: '[]', change: `o.push('k')` },
  { owner: 'JSON', name: 'stringify', args: 'o' },
]

function staticCases({ owner, name, args, make: initial = '{}', change = 'o.k = 1' }: Static): Case[] {
  const make = `const o = ${initial}; const { ${name}: destructured } = ${owner}; const bound = ${owner}.${name}.bind(${owner})`
  const ways = {
    'the owner': `${owner}.${name}(${args})`,
    call: `${owner}.${name}.call(${owner}, ${args})`,
    apply: `${owner}.${name}.apply(${owner}, [${args}])`,
    bind: `bound(${args})`,
    'Reflect.apply': `Reflect.apply(${owner}.${name}, ${owner}, [${args}])`,
    ...(owner === 'Array' ? {} : { destructured: `destructured(${args})` }),
    ...(args === 'o' && name !== 'stringify' && name !== 'from' ? { 'a callback': `[o].map(${owner}.${name})[0]`, 'a callback of a callback': `[[o]].map((list) => list.map(${owner}.${name}))[0][0]` } : {}),
    'opaque code': `opaque.call(${owner}.${name}, ${args})`,
  }
  return Object.entries(ways)
    .filter(([way]) => owner !== 'Array' || way !== 'opaque code')
    .map(([way, look]) => changeAndLook({ name: `${owner}.${name} by ${way}`, make, change, look }))
}

const callbacks: readonly Case[] = [
  changeAndLook({ name: 'ids.forEach(set.add, set)', make: 'const o = new Set()', change: `['k'].forEach(o.add, o)`, look: `o.has('k')` }),
  changeAndLook({ name: 'ids.forEach(set.add.bind(set))', make: 'const o = new Set()', change: `['k'].forEach(o.add.bind(o))`, look: `o.has('k')` }),
  changeAndLook({ name: 'entries.forEach(map.set by call)', make: 'const o = new Map()', change: `[['k', 1]].forEach(([key, value]) => o.set.call(o, key, value))`, look: `o.size` }),
  changeAndLook({ name: '.finally(busy.delete.bind(busy, id))', make: `const o = new Set(['k'])`, change: `await Promise.resolve().finally(o.delete.bind(o, 'k'))`, look: `o.has('k')` }),
  changeAndLook({ name: '.then(list.push.bind(list))', make: 'const o = []', change: `await Promise.resolve('k').then(o.push.bind(o))`, look: 'o.length' }),
  changeAndLook({ name: '.then(map.get.bind(map))', make: 'const o = new Map()', change: `o.set('k', 1)`, look: `(await Promise.resolve('k').then(o.get.bind(o))) ?? 0` }),
  changeAndLook({ name: 'setTimeout(set.add.bind(set, id))', make: 'const o = new Set()', change: `setTimeout(o.add.bind(o, 'k'), 1); await new Promise((resolve) => setTimeout(resolve, 2))`, look: `(await new Promise((resolve) => setTimeout(resolve, 1)), o.has('k'))` }),
  changeAndLook({ name: 'queueMicrotask(set.clear.bind(set))', make: `const o = new Set(['k'])`, change: `queueMicrotask(o.clear.bind(o))`, look: `o.has('k')` }),
  changeAndLook({ name: 'emitter.on(name, list.push.bind(list))', make: `const o = []; const emitter = new EventEmitter(); emitter.on('k', o.push.bind(o))`, change: `emitter.emit('k', 1)`, look: 'o.length' }),
  changeAndLook({ name: '[o].map(Object.keys)', make: 'const o = {}', change: 'o.k = 1', look: '[o].map(Object.keys)' }),
  changeAndLook({ name: 'keys.map(map.get, map)', make: 'const o = new Map()', change: `o.set('k', 1)`, look: `['k'].map(o.get, o)` }),
  changeAndLook({ name: 'keys.filter(set.has, set)', make: 'const o = new Set()', change: `o.add('k')`, look: `['k'].filter(o.has, o)` }),
  changeAndLook({ name: 'keys.some(Object.hasOwn, by bind)', make: 'const o = {}', change: `o[0] = 1`, look: `[0].some(Object.hasOwn.bind(Object, o))` }),
  changeAndLook({ name: 'Array.from(list, map.get by arrow)', make: 'const o = new Map()', change: `o.set('k', 1)`, look: `Array.from(['k'], (key) => o.get(key))` }),
  changeAndLook({ name: 'opaque.each(ids, set.add by arrow)', make: 'const o = new Set()', change: `opaque.each(['k'], (id) => o.add(id))`, look: `o.has('k')` }),
  changeAndLook({ name: 'opaque.each(ids, set.add bound)', make: 'const o = new Set()', change: `opaque.each(['k'], o.add.bind(o))`, look: `o.has('k')` }),
  changeAndLook({ name: 'list.sort by a comparator that counts', make: `let count = 0; const list = [2, 1]`, change: `list.sort((a, b) => { count++; return a - b })`, look: 'count > 0' }),
  changeAndLook({ name: 'string.replace by a function that counts', make: `let count = 0`, change: `'a'.replace(/a/, () => { count++; return 'b' })`, look: 'count' }),
  changeAndLook({ name: 'JSON.parse by a reviver that counts', make: `let count = 0`, change: `JSON.parse('1', (key, value) => { count++; return value })`, look: 'count' }),
]

export const reach: readonly Case[] = [...families.flatMap(familyCases), ...statics.flatMap(staticCases), ...callbacks]
