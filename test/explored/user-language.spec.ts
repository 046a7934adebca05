import { EventEmitter, once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { explore, type Tasks } from 'vitest-dpor'

/** Two tasks of one step each. Where their accesses conflict there are 2 classes, otherwise 1. */
type Pair<S> = readonly [setup: () => S, left: (state: S) => unknown, right: (state: S) => unknown]

const pair = <S>(...tasks: Pair<S>): Pair<any> => tasks

async function executions(subject: Tasks | (() => unknown)): Promise<number> {
  const result = await explore(subject, { stopOnFirst: false, equivalence: 'trace' })
  // A pair that deadlocks in one order is explored all the same.
  expect(result.verdict).not.toBe('inconclusive')
  expect(result.blocked).toBe(0)
  return result.executions
}

/** Both tasks as async functions: the whole of each is one step. */
const classesOf = ([setup, left, right]: Pair<any>): Promise<number> =>
  executions({ setup, tasks: { left: async (state: any) => left(state), right: async (state: any) => right(state) } })

class Base {
  static made = 0
  n = 0
  get double() {
    return this.n * 2
  }
  set both(value: number) {
    this.n = value
  }
  bump() {
    this.n++
  }
}

class Derived extends Base {
  override bump() {
    super.bump()
  }
  override get double() {
    return super.double + 1
  }
}

class Counts extends Map<string, number> {
  bump(key: string) {
    this.set(key, (this.get(key) ?? 0) + 1)
  }
}

class Bus extends EventEmitter {
  last = 0
  say(n: number) {
    this.last = n
    this.emit('said', n)
  }
}

function* naturals() {
  for (let i = 0; ; i++) yield i
}

async function* slowNaturals() {
  for (let i = 0; ; i++) yield i
}

const numbers = () => [2, 1]
const entries = () => new Map([['k', 1]])
const one = () => ({ n: 1 })
const nested = () => ({ inner: { n: 1 } })

const conflicting: Record<string, Pair<any>> = {
  'push and push': pair(numbers, (list) => list.push(1), (list) => list.push(2)),
  'push and length': pair(numbers, (list) => list.push(1), (list) => list.length),
  'shift and shift': pair(numbers, (list) => list.shift(), (list) => list.shift()),
  'includes and a write of an element': pair(numbers, (list) => list.includes(5), (list) => (list[0] = 5)),
  'at(-1) and a write of the last element': pair(numbers, (list) => list.at(-1), (list) => (list[1] = 5)),
  'splice and a read of an element': pair(numbers, (list) => list.splice(0, 1), (list) => list[0]),
  'map and a write of an element': pair(numbers, (list) => list.map((x) => x + 1), (list) => (list[1] = 5)),
  'reduce and push': pair(numbers, (list) => list.reduce((x, y) => x + y, 0), (list) => list.push(5)),
  'join and a write of an element': pair(numbers, (list) => list.join('-'), (list) => (list[0] = 9)),
  'array spread and a write of an element': pair(numbers, (list) => [...list], (list) => (list[1] = 5)),
  'a typed array, one element': pair(() => new Uint8Array(2), (bytes) => (bytes[0] = 1), (bytes) => bytes[0]),

  'object spread and a write': pair(one, (o) => ({ ...o }), (o) => (o.n = 2)),
  'a rest pattern and a write': pair(() => ({ m: 1, n: 1 }), (o) => { const { m: _, ...rest } = o; return rest }, (o) => (o.n = 2)),
  'a default parameter and a write': pair(one, (o) => ((n = o.n) => n)(), (o) => (o.n = 2)),
  'a tagged template and a write': pair(one, (o) => String.raw`${o.n}`, (o) => (o.n = 2)),
  'an optional chain and a write': pair(() => nested() as { inner?: { n: number } }, (o) => o.inner?.n, (o) => delete o.inner),
  '??= and ??=': pair(() => ({}) as { n?: number }, (o) => (o.n ??= 1), (o) => (o.n ??= 2)),
  'in and delete': pair(one, (o) => 'n' in o, (o) => delete (o as { n?: number }).n),
  'hasOwn and delete': pair(one, (o) => Object.hasOwn(o, 'n'), (o) => delete (o as { n?: number }).n),
  'for..in and a new key': pair(() => one() as Record<string, number>, (o) => { for (const key in o) void key }, (o) => (o['m'] = 5)),
  'Object.assign and a read': pair(one, (o) => Object.assign(o, { n: 5 }), (o) => o.n),
  'Object.keys and a new key': pair(() => one() as Record<string, number>, (o) => Object.keys(o), (o) => (o['m'] = 5)),
  'Object.entries and a write': pair(one, (o) => Object.entries(o), (o) => (o.n = 5)),
  'Object.defineProperty and a read': pair(one, (o) => Object.defineProperty(o, 'n', { value: 3 }), (o) => o.n),
  'Reflect.set and a read': pair(one, (o) => Reflect.set(o, 'n', 3), (o) => o.n),
  'JSON.stringify and a nested write': pair(nested, (o) => JSON.stringify(o), (o) => (o.inner.n = 5)),
  'JSON.stringify through toJSON and a write': pair(() => ({ n: 1, toJSON() { return this.n } }), (o) => JSON.stringify(o), (o) => (o.n = 2)),
  'a template literal through toString and a write': pair(() => ({ n: 1, toString() { return `n${this.n}` } }), (o) => `${o}`, (o) => (o.n = 2)),
  'arithmetic through valueOf and a write': pair(() => ({ n: 1, valueOf() { return this.n } }), (o) => Number(o) + 1, (o) => (o.n = 2)),
  'a proxy without traps': pair(() => new Proxy(one(), {}), (o) => (o.n = 2), (o) => o.n),
  'a callback of toSorted and a write': pair(one, (o) => [3, 1, 2].toSorted((a, b) => (a - b) * o.n), (o) => (o.n = -1)),
  'a callback of replace and a write': pair(one, (o) => 'aXa'.replace(/X/, () => String(o.n)), (o) => (o.n = 2)),

  'Map size and set': pair(entries, (map) => map.size, (map) => map.set('l', 1)),
  'Map has and set of one key': pair(entries, (map) => map.has('l'), (map) => map.set('l', 1)),
  'Map values and set': pair(entries, (map) => [...map.values()], (map) => map.set('k', 2)),
  'Map forEach and delete': pair(entries, (map) => map.forEach(() => {}), (map) => map.delete('k')),
  'Map get and clear': pair(entries, (map) => map.get('k'), (map) => map.clear()),
  'a copy of a Map and set': pair(entries, (map) => new Map(map), (map) => map.set('k', 3)),
  'a class that extends Map': pair(() => new Counts(), (counts) => counts.bump('k'), (counts) => counts.bump('k')),
  'Set has and add of one value': pair(() => new Set(), (set) => set.has(1), (set) => set.add(1)),
  'Array.from of a Set and add': pair(() => new Set([1]), (set) => Array.from(set), (set) => set.add(2)),
  'WeakMap get and set of one key': pair(() => ({ map: new WeakMap<object, number>(), key: {} }), ({ map, key }) => map.get(key), ({ map, key }) => map.set(key, 1)),
  'URLSearchParams': pair(() => new URLSearchParams('a=1'), (query) => query.get('a'), (query) => query.set('a', '2')),
  'Date': pair(() => new Date(0), (date) => date.getTime(), (date) => date.setTime(5)),

  'super calls': pair(() => new Derived(), (o) => o.bump(), (o) => o.bump()),
  'a getter through super and a method': pair(() => new Derived(), (o) => o.double, (o) => o.bump()),
  'a setter and a read': pair(() => new Derived(), (o) => (o.both = 3), (o) => o.n),
  'a generator that both advance': pair(naturals, (it) => it.next(), (it) => it.next()),

  'EventEmitter on and emit': pair(() => new EventEmitter(), (emitter) => emitter.on('x', () => {}), (emitter) => emitter.emit('x')),
  'a class that extends EventEmitter': pair(() => new Bus(), (bus) => bus.say(1), (bus) => bus.say(2)),
  'EventTarget listen and dispatch': pair(() => new EventTarget(), (target) => target.addEventListener('x', () => {}), (target) => target.dispatchEvent(new Event('x'))),
  'an array in a template literal and a write of an element': pair(numbers, (list) => `${list}`, (list) => (list[0] = 9)),
  'two views of one ArrayBuffer': pair(() => { const buffer = new ArrayBuffer(2); return [new Uint8Array(buffer), new Uint8Array(buffer)] }, ([a]) => (a![0] = 1), ([, b]) => b![0]),
  'structuredClone and a nested write': pair(nested, (o) => structuredClone(o), (o) => (o.inner.n = 5)),
  'a static, written in the class and read through a subclass': pair(() => { Base.made = 0 }, () => Base.made++, () => Derived.made),
  'lastIndex of a shared regular expression': pair(() => /a/g, (pattern) => pattern.test('aa'), (pattern) => pattern.test('aa')),
  'abort and signal.aborted': pair(() => new AbortController(), (controller) => controller.abort(), (controller) => controller.signal.aborted),
  'abort and a listener': pair(() => new AbortController(), (controller) => controller.abort(), ({ signal }) => signal.addEventListener('abort', () => {})),
  'once() of node:events and emit': pair(() => new EventEmitter(), (emitter) => once(emitter, 'x'), (emitter) => emitter.emit('x')),
  'a matcher that reads an object and a write': pair(one, (o) => { try { expect(o).toEqual({ n: 1 }) } catch {} }, (o) => (o.n = 2)),
  'a rest pattern in a parameter and a write': pair(() => ({ m: 1, n: 1 }), ({ m: _, ...rest }) => rest, (o) => (o.n = 2)),
}

const independent: Record<string, Pair<any>> = {
  'two elements': pair(numbers, (list) => (list[0] = 1), (list) => (list[1] = 2)),
  'a pattern that takes the first element, and a write of the second': pair(numbers, ([first]) => first, (list) => (list[1] = 5)),
  'two elements of a typed array': pair(() => new Uint8Array(2), (bytes) => (bytes[0] = 1), (bytes) => bytes[1]),
  'two keys': pair(() => ({ m: 1, n: 1 }), (o) => (o.m = 2), (o) => (o.n = 2)),
  'a symbol and a name': pair(() => ({}) as Record<PropertyKey, number>, (o) => (o[Symbol.for('a')] = 1), (o) => (o['a'] = 1)),
  'two Map entries': pair(entries, (map) => map.has('l'), (map) => map.set('m', 1)),
  'two values of a Set': pair(() => new Set(), (set) => set.add(1), (set) => set.add(2)),
  'two reads': pair(one, (o) => o.n, (o) => o.n),
  'instanceof and a write': pair(() => new Derived(), (o) => o instanceof Base, (o) => (o.n = 2)),
}

/** Conflicts that are not seen, which the README lists. When one is seen, move it up and strike it there. */
describe('two tasks that conflict: 2 classes', () => {
  test.each(Object.entries(conflicting))('%s', async (_, tasks) => {
    expect(await classesOf(tasks)).toBe(2)
  })
})

describe('two tasks that do not: 1 class', () => {
  test.each(Object.entries(independent))('%s', async (_, tasks) => {
    expect(await classesOf(tasks)).toBe(1)
  })
})

test('a generator that two tasks advance twice each: 4! / (2! 2!) = 6 classes', async () => {
  const twice = async (it: Generator<number>) => {
    it.next()
    await null
    it.next()
  }
  expect(await executions({ setup: naturals, tasks: [twice, twice] })).toBe(6)
})
