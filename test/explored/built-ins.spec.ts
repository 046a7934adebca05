import { describe, expect, test } from 'vitest'
import { explore, type Tasks } from 'vitest-dpor'

/** Two tasks and what they share: how many executions they take, and in how many ways they can end. */
interface Pair {
  readonly setup: () => any
  readonly tasks: readonly [(shared: any) => unknown, (shared: any) => unknown]
  readonly executions: number
  /** Each way in which both can end, as JSON of what they returned. */
  readonly outcomes: readonly string[]
}

const conflict = (setup: () => any, one: (shared: any) => unknown, other: (shared: any) => unknown, outcomes: readonly string[]): Pair => ({
  setup, tasks: [one, other], executions: 2, outcomes,
})

const apart = (setup: () => any, one: (shared: any) => unknown, other: (shared: any) => unknown, outcome: string): Pair => ({
  setup, tasks: [one, other], executions: 1, outcomes: [outcome],
})

/** The outcomes as failures of an invariant: what is older than an execution does not remember it. */
async function explored({ setup, tasks }: Pair): Promise<{ executions: number; outcomes: string[] }> {
  const subject: Tasks<any> = {
    setup: () => ({ shared: setup(), results: {} as Record<string, unknown> }),
    tasks: tasks.map((task, i) => async (state: any) => {
      state.results[`task ${i}`] = task(state.shared) ?? null
    }),
    invariant: ({ results }) => {
      throw new Error(JSON.stringify([results['task 0'], results['task 1']], (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)))
    },
  }
  const { executions, failures } = await explore(subject, { stopOnFirst: false })
  return { executions, outcomes: [...new Set(failures.map(({ error }) => (error as Error).message))].toSorted() }
}

function check(pairs: Readonly<Record<string, Pair>>): void {
  test.each(Object.entries(pairs))('%s', async (_, pair) => {
    expect(await explored(pair)).toEqual({ executions: pair.executions, outcomes: pair.outcomes.toSorted() })
  })
}

const list = () => ['b', 'a']
const put = (key: PropertyKey, value: unknown) => (o: any) => {
  o[key] = value
}

describe('arrays', () => {
  check({
    'an element and the same element': conflict(list, put(0, 'c'), (o) => o.at(0), ['[null,"b"]', '[null,"c"]']),
    'an element and another one': apart(list, put(0, 'c'), (o) => o.at(1), '[null,"a"]'),
    'an element and the length': apart(list, put(0, 'c'), (o) => o.length, '[null,2]'),
    'push and an element that was there before': apart(list, (o) => o.push('c'), (o) => o[0], '[3,"b"]'),
    'push and the length': conflict(list, (o) => o.push('c'), (o) => o.length, ['[3,2]', '[3,3]']),
    'push and the element behind all others': conflict(list, (o) => o.push('c'), (o) => o[2] ?? null, ['[3,null]', '[3,"c"]']),
    'shift and the first element': conflict(list, (o) => o.shift(), (o) => o[0], ['["b","b"]', '["b","a"]']),
    'pop and an element that stays': apart(list, (o) => o.pop(), (o) => o[0], '["a","b"]'),
    'splice and an element before it': apart(list, (o) => o.splice(1, 1), (o) => o[0], '[["a"],"b"]'),
    'splice and an element behind it': conflict(list, (o) => o.splice(0, 1), (o) => o[1] ?? null, ['[["b"],"a"]', '[["b"],null]']),
    // oxlint-disable-next-line unicorn/no-array-sort
    'sort and join': conflict(list, (o) => o.sort().length, (o) => o.join(), ['[2,"b,a"]', '[2,"a,b"]']),
    'two indices of an array that is empty': apart(() => [], put(0, 'a'), put(1, 'b'), '[null,null]'),
    'two holes of an array': apart(() => Array.from({ length: 2 }), put(0, 'a'), put(1, 'b'), '[null,null]'),
    'an index behind the end and the length': conflict(list, put(4, 'c'), (o) => o.length, ['[null,2]', '[null,5]']),
    'a walk that ends and an element behind it': apart(list, put(1, 'c'), (o) => o.find(() => true), '[null,"b"]'),
    'a walk that comes to an element': conflict(list, put(1, 'c'), (o) => o.find((item: string) => item !== 'b'), ['[null,"a"]', '[null,"c"]']),
    'a search that ends and an element behind it': apart(list, put(1, 'c'), (o) => o.indexOf('b'), '[null,0]'),
    'slice and an element outside': apart(list, put(1, 'c'), (o) => o.slice(0, 1), '[null,["b"]]'),
    'reduce without a first value and the first element': conflict(list, put(0, 'c'), (o) => o.reduce((all: string, item: string) => all + item), ['[null,"ba"]', '[null,"ca"]']),
    'flat and an inner array': conflict(() => [['a']], (o) => o[0].push('b'), (o) => o.flat(), ['[2,["a"]]', '[2,["a","b"]]']),
    'concat and the array that is given': conflict(list, (o) => o.push('c'), (o) => ['z'].concat(o).length, ['[3,3]', '[3,4]']),
    'a comparator that looks at another object': conflict(() => ({ items: ['b', 'a'], sign: 1 }), put('sign', -1), (o) => o.items.toSorted((x: string, y: string) => o.sign * (x < y ? -1 : 1)).join(''), ['[null,"ab"]', '[null,"ba"]']),
    'delete and the indices': conflict(list, (o) => delete o[0], (o) => Object.keys(o).length, ['[true,2]', '[true,1]']),
    'fill of a part and another one': apart(list, (o) => o.fill('z', 0, 1).length, (o) => o[1], '[2,"a"]'),
    'an array in JSON and an element of it': conflict(list, put(1, 'c'), (o) => JSON.stringify(o), ['[null,"[\\"b\\",\\"a\\"]"]', '[null,"[\\"b\\",\\"c\\"]"]']),
    'a failing push and what freezes': conflict(list, (o) => Object.isFrozen(Object.freeze(o)), (o) => {
      try {
        o.push('c')
        return 'pushed'
      } catch {
        return 'refused'
      }
    }, ['[true,"pushed"]', '[true,"refused"]']),
  })

  test('two pushes that nobody looks at are one execution, and two by their length', async () => {
    const pushes: Tasks<{ log: string[] }> = {
      setup: () => ({ log: [] }),
      tasks: ['a', 'b'].map((name) => async ({ log }) => {
        log.push(name)
      }),
      invariant: ({ log }) => log.length === 2,
    }
    expect((await explore(pushes)).executions).toBe(1)
    const contents = { ...pushes, invariant: ({ log }: { log: string[] }) => log[0] === 'a' }
    expect((await explore(contents, { stopOnFirst: false })).failures).toHaveLength(1)
  })

  test('three additions to one element, whose sum is looked at in the end, are one execution', async () => {
    const additions: Tasks<number[]> = {
      setup: () => [0, 0],
      tasks: [1, 2, 3].map((amount) => async (sums) => {
        sums[1]! += amount
      }),
      invariant: (sums) => sums[1] === 6,
    }
    const { verdict, executions } = await explore(additions)
    expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 1 })
  })
})

describe('objects', () => {
  const one = () => ({ k: 1 }) as Record<string, unknown>
  check({
    'hasOwn and a new property': conflict(() => ({}), put('k', 1), (o) => Object.hasOwn(o, 'k'), ['[null,false]', '[null,true]']),
    'hasOwn and another value, in two orders with one end': { ...apart(one, put('k', 2), (o) => Object.hasOwn(o, 'k'), '[null,true]'), executions: 2 },
    'the descriptor and a value': conflict(one, put('k', 2), (o) => Object.getOwnPropertyDescriptor(o, 'k')!.value, ['[null,1]', '[null,2]']),
    'keys and a value': apart(one, put('k', 2), (o) => Object.keys(o), '[null,["k"]]'),
    'values and a value': conflict(one, put('k', 2), (o) => Object.values(o), ['[null,[1]]', '[null,[2]]']),
    'isFrozen and a value': apart(one, put('k', 2), (o) => Object.isFrozen(o), '[null,false]'),
    'isFrozen and freeze': conflict(one, (o) => Object.freeze(o).k, (o) => Object.isFrozen(o), ['[1,false]', '[1,true]']),
    'isExtensible and preventExtensions': conflict(one, (o) => Reflect.preventExtensions(o), (o) => Object.isExtensible(o), ['[true,true]', '[true,false]']),
    'seal and a value': apart(one, (o) => Object.seal(o) === o, (o) => o.k, '[true,1]'),
    'defineProperties and one of them': conflict(() => ({}), (o) => Object.defineProperties(o, { k: { value: 1 } }) === o, (o) => o.k ?? null, ['[true,null]', '[true,1]']),
    'defineProperties and another': apart(() => ({ n: 0 }), (o) => Object.defineProperties(o, { k: { value: 1 } }) === o, (o) => o.n, '[true,0]'),
    // oxlint-disable-next-line no-underscore-dangle
    '__defineGetter__ and a read': conflict(() => ({}), (o) => o.__defineGetter__('k', () => 1), (o) => o.k ?? null, ['[null,null]', '[null,1]']),
    'Object.create looks at descriptors': conflict(() => ({ k: { value: 1 } }), (o) => (o.k.value = 2), (o) => (Object.create(null, o) as { k: number }).k, ['[2,1]', '[2,2]']),
    'setPrototypeOf and what is inherited': conflict(() => ({}), (o) => Object.setPrototypeOf(o, { k: 1 }) === o, (o) => o.k ?? null, ['[true,null]', '[true,1]']),
    '__proto__ and what is inherited': conflict(() => ({}), (o) => ((o.__proto__ = { k: 1 }), null), (o) => o.k ?? null, ['[null,null]', '[null,1]']),
    'fromEntries and a pair': conflict(() => [['k', 1]], (o) => (o[0][1] = 2), (o) => Object.fromEntries(o), ['[2,{"k":1}]', '[2,{"k":2}]']),
    'assign to different keys': apart(() => ({ a: 0, b: 0 }), (o) => Object.assign(o, { a: 1 }).a, (o) => Object.assign(o, { b: 1 }).b, '[1,1]'),
    'Reflect.get with a receiver': conflict(one, put('k', 2), (o) => Reflect.get(o, 'k', {}), ['[null,1]', '[null,2]']),
    'Reflect.set on another receiver': conflict(() => ({ from: {}, to: {} }), (o) => Reflect.set(o.from, 'k', 1, o.to), (o) => o.to.k ?? null, ['[true,null]', '[true,1]']),
    'Reflect.deleteProperty and Reflect.has': conflict(one, (o) => Reflect.deleteProperty(o, 'k'), (o) => Reflect.has(o, 'k'), ['[true,true]', '[true,false]']),
    'Reflect.ownKeys and a new key': conflict(one, put('n', 1), (o) => Reflect.ownKeys(o).length, ['[null,1]', '[null,2]']),
  })
})

describe('bytes', () => {
  const pooled = () => ({ one: Buffer.from('ab'), other: Buffer.from('cd') })
  const memory = () => {
    const buffer = new ArrayBuffer(8)
    return { buffer, bytes: new Uint8Array(buffer), view: new DataView(buffer), words: new Uint32Array(buffer), node: Buffer.from(buffer) }
  }
  check({
    'two Buffers of the pool': apart(pooled, (o) => o.one.writeUInt8(1, 0), (o) => o.other.toString(), '[1,"cd"]'),
    'whether something is a Buffer, and a change in it': apart(() => ({ n: 0 }), (o) => o.n++, (o) => Buffer.isBuffer(o), '[0,false]'),
    'one Buffer of the pool': conflict(pooled, (o) => o.one.write('z'), (o) => o.one.toString(), ['[1,"ab"]', '[1,"zb"]']),
    'a part of a Buffer of the pool': conflict(pooled, (o) => o.one.subarray(0, 1).fill('z').length, (o) => o.one.readUInt8(0), ['[1,97]', '[1,122]']),
    'a view over the memory of a Buffer of the pool': conflict(pooled, (o) => new DataView(o.one.buffer, o.one.byteOffset, 2).setUint8(1, 9), (o) => o.one[1], ['[null,98]', '[null,9]']),
    'another byte of one Buffer': apart(pooled, (o) => o.one.writeUInt8(1, 0), (o) => o.one[1], '[1,98]'),
    'a Buffer over an ArrayBuffer': conflict(memory, (o) => o.node.writeUInt16LE(513, 0), (o) => o.bytes[1], ['[2,0]', '[2,2]']),
    'two elements of two views': apart(memory, (o) => o.view.setUint8(7, 1), (o) => o.words[0], '[null,0]'),
    'an element of another size': conflict(memory, (o) => o.view.setUint8(3, 1), (o) => o.words[0], ['[null,0]', '[null,16777216]']),
    'copy and its target': conflict(memory, (o) => Buffer.from([7]).copy(o.node, 2), (o) => o.bytes[2], ['[1,0]', '[1,7]']),
    'slice of an ArrayBuffer': conflict(memory, (o) => o.view.setUint8(1, 5), (o) => new Uint8Array(o.buffer.slice(0, 2))[1], ['[null,0]', '[null,5]']),
    'slice of other bytes': apart(memory, (o) => o.view.setUint8(5, 5), (o) => o.buffer.slice(0, 2).byteLength, '[null,2]'),
    'resize and the length of a view': conflict(() => new Uint8Array(new ArrayBuffer(2, { maxByteLength: 8 })), (o) => o.buffer.resize(4), (o) => o.length, ['[null,2]', '[null,4]']),
    'a buffer that is handed over': conflict(() => new ArrayBuffer(2), (o) => structuredClone(o, { transfer: [o] }).byteLength, (o) => o.byteLength, ['[2,2]', '[2,0]']),
    'Atomics on one element': conflict(() => new Int32Array(new SharedArrayBuffer(8)), (o) => Atomics.add(o, 0, 1), (o) => Atomics.load(o, 0), ['[0,0]', '[0,1]']),
    'Atomics on two elements': apart(() => new Int32Array(new SharedArrayBuffer(8)), (o) => Atomics.add(o, 0, 1), (o) => Atomics.exchange(o, 1, 1), '[0,0]'),
    'two comparisons that fail': apart(() => new Int32Array(8), (o) => Atomics.compareExchange(o, 0, 1, 2), (o) => Atomics.compareExchange(o, 0, 1, 2), '[0,0]'),
    'swap16 and equals': conflict(() => Buffer.alloc(2, 'ab'), (o) => o.swap16().length, (o) => o.equals(Buffer.from('ab')), ['[2,true]', '[2,false]']),
  })
})

describe('text and numbers', () => {
  check({
    'JSON and what toJSON returns': conflict(() => ({ inner: { n: 1 }, toJSON(): unknown { return this.inner } }), (o) => (o.inner.n = 2), (o) => JSON.stringify(o), ['[2,"{\\"n\\":1}"]', '[2,"{\\"n\\":2}"]']),
    'JSON with a list of keys': conflict(() => ({ a: 1, b: 1 }), put('a', 2), (o) => JSON.stringify(o, ['a']), ['[null,"{\\"a\\":1}"]', '[null,"{\\"a\\":2}"]']),
    'JSON and a replacer that leaves a part out': apart(() => ({ n: 1, inner: { n: 1 } }), (o) => (o.inner.n = 2), (o) => JSON.stringify(o, (key, value: unknown) => (key === 'inner' ? undefined : value)), '[2,"{\\"n\\":1}"]'),
    'what JSON.parse makes is of its own': apart(() => '{"n":{"k":1}}', (text) => (JSON.parse(text).n.k = 2), (text) => JSON.parse(text).n.k, '[2,1]'),
    'a clone and its source': conflict(() => ({ inner: [1] }), (o) => o.inner.push(2), (o) => structuredClone(o).inner.length, ['[2,1]', '[2,2]']),
    'an array and text': conflict(list, put(0, 'c'), (o) => o + '', ['[null,"b,a"]', '[null,"c,a"]']),
    'an array within an array': conflict(() => [['a']], (o) => (o[0][0] = 'b'), (o) => `${o}`, ['["b","a"]', '["b","b"]']),
    'Dates that are compared': conflict(() => ({ one: new Date(0), other: new Date(5) }), (o) => o.one.setTime(9), (o) => o.one < o.other, ['[9,true]', '[9,false]']),
    'Dates that are subtracted': conflict(() => new Date(0), (o) => o.setTime(9), (o) => o - 1, ['[9,-1]', '[9,8]']),
    'a Date and a sign': conflict(() => new Date(0), (o) => o.setTime(9), (o) => +o, ['[9,0]', '[9,9]']),
    'loose equality': conflict(list, put(0, 'c'), (o) => o == 'b,a', ['[null,true]', '[null,false]']),
    'strict equality': apart(list, put(0, 'c'), (o) => o === 'b,a', '[null,false]'),
    'valueOf of the user': conflict(() => ({ n: 1, valueOf(): number { return this.n } }), put('n', 2), (o) => o * 2, ['[null,2]', '[null,4]']),
    'a local variable that grows': conflict(list, put(0, 'c'), (o) => { let text = o; text += '!'; return text }, ['[null,"b,a!"]', '[null,"c,a!"]']),
    'Math of a Date': conflict(() => new Date(0), (o) => o.setTime(9), (o) => Math.max(o, 1), ['[9,1]', '[9,9]']),
  })

  test('an operand is looked at when both have their values', async () => {
    const results = { setup: () => ({ list: ['a'], seen: '' }) }
    const subject: Tasks<{ list: string[]; seen: string }> = {
      ...results,
      tasks: [
        async (o) => {
          o.seen = o.list + (await '!')
        },
        async (o) => {
          await null
          o.list[0] = 'b'
        },
      ],
      invariant: ({ seen }) => seen === 'a!',
    }
    const { executions, failures } = await explore(subject, { stopOnFirst: false })
    expect({ executions, failures: failures.length }).toEqual({ executions: 2, failures: 1 })
  })
})
