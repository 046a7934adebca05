import { describe, expect, test } from 'vitest'
import { dporTest, explore } from '../../src/index.ts'

/** What the language says of single calls stays so while they are explored. Each of these programs has one task. */

describe('promises', () => {
  dporTest('reactions have no receiver, and one argument', async () => {
    const given: unknown[][] = []
    const note = function (this: unknown, ...args: unknown[]): void {
      given.push([this, ...args])
    }
    await Promise.resolve(1).then(note)
    await Promise.reject(new Error('no')).catch(note)
    await Promise.resolve(2).finally(note)
    expect(given.map((args) => args.length)).toEqual([2, 2, 1])
    expect(given.every(([receiver]) => receiver === undefined)).toBe(true)
  })

  const modes = [{ interleave: 'await' }, { interleave: 'event-loop' }] as const
  test.each(modes)('await asks a promise once for its class: %o', async ({ interleave }) => {
    const { failures } = await explore(async () => {
      let asked = 0
      const settled = Promise.resolve(1)
      const open = new Promise((resolve) => setTimeout(resolve, 1))
      for (const promise of [settled, open]) {
        Object.defineProperty(promise, 'constructor', {
          get: () => {
            asked++
            return Promise
          },
        })
      }
      await settled
      await open
      expect(asked).toBe(2)
    }, { interleave })
    expect(failures).toEqual([])
  })

  dporTest('combinators reject what cannot be iterated', async () => {
    for (const given of [5, undefined, null, {}]) {
      for (const kind of ['all', 'allSettled', 'race', 'any'] as const) {
        const result = (Promise[kind] as (values: unknown) => Promise<unknown>).call(Promise, given)
        expect(result).toBeInstanceOf(Promise)
        expect(await result.then(() => 'fulfilled', (error: Error) => error.name)).toBe('TypeError')
      }
    }
  })

  dporTest('combinators resolve each value by the resolve of the class, and close what they iterate over', async () => {
    const log: string[] = []
    const { resolve } = Promise
    const values = {
      *[Symbol.iterator]() {
        try {
          for (let i = 1; ; i++) yield i
        } finally {
          log.push('closed')
        }
      },
    }
    Promise.resolve = function (value: unknown) {
      log.push(`resolve ${String(value)}`)
      if (value === 3) throw new Error('enough')
      return resolve.call(Promise, value)
    } as typeof resolve
    const result = Promise.all(values)
    Promise.resolve = resolve
    expect(await result.catch((error: Error) => error.message)).toBe('enough')
    expect(log).toEqual(['resolve 1', 'resolve 2', 'resolve 3', 'closed'])
  })

  dporTest('combinators call a then of the user', async () => {
    const log: number[] = []
    const promise = Promise.resolve('native')
    // oxlint-disable-next-line no-thenable
    promise.then = ((fulfilled: (value: string) => void, ...more: unknown[]) => {
      log.push(more.length)
      fulfilled('own')
      fulfilled('again')
    }) as never
    expect(await Promise.all([promise, 1])).toEqual(['own', 1])
    expect(await Promise.race([promise, new Promise(() => {})])).toBe('own')
    expect(log).toEqual([1, 1])
  })

  dporTest('functions that settle a promise have no name', () => {
    return new Promise<void>((resolve, reject) => {
      expect([resolve.name, reject.name, resolve.length, reject.length]).toEqual(['', '', 1, 1])
      resolve()
    })
  })

  dporTest('a subclass finds its own promises in finally', async () => {
    class Own extends Promise<unknown> {}
    const result = Own.resolve(1).finally(() => 2)
    expect(result).toBeInstanceOf(Own)
    expect(await result).toBe(1)
    expect(await Own.reject('e').finally(() => {}).catch((error: unknown) => error)).toBe('e')
    expect(await Own.resolve(1).finally(() => { throw 'f' }).catch((error: unknown) => error)).toBe('f')
  })
})

describe('promises that are unusual', () => {
  const broken = (): Promise<number> =>
    Object.defineProperty(Promise.resolve(1), 'constructor', {
      get() {
        throw new Error('broken')
      },
    })

  dporTest('a constructor that is null is an error', () => {
    const promise = Promise.resolve(1)
    Object.defineProperty(promise, 'constructor', { value: null })
    expect(() => promise.then()).toThrow(TypeError)
  })

  dporTest('what combinators resolve with may inherit a then', async () => {
    for (const kind of ['all', 'allSettled'] as const) {
      const prototype: object = Array.prototype
      // oxlint-disable-next-line no-thenable
      Object.defineProperty(prototype, 'then', { value: (fulfilled: (value: string) => void) => fulfilled('by then'), configurable: true })
      const whole = Reflect.apply(Promise[kind] as (values: unknown[]) => Promise<unknown>, Promise, [[]])
      Reflect.deleteProperty(prototype, 'then')
      expect(await whole).toBe('by then')
    }
  })

  dporTest('what the callback of finally returns is awaited by its own then', async () => {
    const log: unknown[] = []
    const own = Promise.resolve('own')
    // oxlint-disable-next-line no-thenable
    own.then = function (...args: unknown[]) {
      log.push(args.length, (args[0] as () => void).name, (args[0] as () => void).length)
      return Promise.prototype.then.apply(own, args as []) as never
    }
    expect(await Promise.resolve('kept').finally(() => own)).toBe('kept')
    expect(await Promise.reject(new Error('kept')).finally(() => own).catch((error: Error) => error.message)).toBe('kept')
    expect(log).toEqual([1, '', 0, 1, '', 0])
  })

  dporTest('a generator that is told to return a broken promise is told of the error', async () => {
    const log: string[] = []
    async function* values(): AsyncGenerator<number, number> {
      try {
        yield 1
        return 2
      } catch (error) {
        log.push((error as Error).message)
        return 3
      }
    }
    const started = values()
    await started.next()
    expect(await started.return(broken() as never)).toEqual({ value: 3, done: true })
    const fresh = values()
    expect(await fresh.return(broken() as never).catch((error: Error) => error.message)).toBe('broken')
    expect(await fresh.return(broken() as never).catch((error: Error) => error.message)).toBe('broken')
    expect(log).toEqual(['broken'])
  })

  dporTest('what a generator is told to return is asked once for its then', async () => {
    let asked = 0
    async function* values() {
      yield 1
    }
    const it = values()
    await it.next()
    const value = {
      // oxlint-disable-next-line no-thenable
      get then() {
        asked++
        return undefined
      },
    }
    await it.return(value as never).then(() => {})
    expect(asked).toBe(1)
  })

  dporTest('an executor that is no function is an error before the prototype is asked for', () => {
    class Made {}
    const target = Object.defineProperty(Made.bind(undefined), 'prototype', {
      get() {
        throw new Error('asked')
      },
    })
    expect(() => Reflect.construct(Promise, [], target) as unknown).toThrow(TypeError)
    expect(() => Reflect.construct(DataView, [new ArrayBuffer(0), 10], target) as unknown).toThrow(RangeError)
  })
})

describe('Proxies that can be revoked', () => {
  dporTest('one that is revoked is nothing any more', () => {
    const { proxy, revoke } = Proxy.revocable([], {})
    expect(Array.isArray(proxy)).toBe(true)
    expect(revoke.name).toBe('')
    revoke()
    expect(() => Array.isArray(proxy)).toThrow(/IsArray/)
  })

  dporTest('they may be made of Proxies that are revoked', () => {
    const target = Proxy.revocable(() => {}, {})
    const handler = Proxy.revocable({}, {})
    target.revoke()
    handler.revoke()
    expect(typeof Proxy.revocable(target.proxy, handler.proxy).proxy).toBe('function')
  })
})

dporTest('no trap runs for what the language does not ask for', () => {
  const log: string[] = []
  const handler = new Proxy({} as ProxyHandler<object>, { get: (_, trap) => void log.push(String(trap)) })
  const inheriting = Object.create(new Proxy({}, handler)) as Record<string, number>
  inheriting.n = 1
  expect(log).toEqual(['set'])
  log.length = 0
  const list = [0, 1]
  function Species(length: number): object {
    return new Proxy(Array.from({ length }), handler)
  }
  Object.defineProperty(list, 'constructor', { value: { [Symbol.species]: Species } })
  list.splice(0)
  expect(log).toEqual(['defineProperty', 'defineProperty', 'set', 'getOwnPropertyDescriptor', 'defineProperty'])
})

dporTest('what looks like an array is changed without asking it twice', () => {
  const log: string[] = []
  const object = {
    get length() {
      log.push('get')
      return 0
    },
    set length(value) {
      log.push(`set ${value}`)
    },
  }
  Reflect.apply(Array.prototype.splice as () => unknown, object, [])
  expect(log).toEqual(['get', 'set 0'])
})

dporTest('a length that becomes read-only while a number is made of the new one', () => {
  const list = [1, 2]
  const length = {
    [Symbol.toPrimitive]() {
      Object.defineProperty(list, 'length', { writable: false })
      return 0
    },
  }
  expect(Reflect.set(list, 'length', length)).toBe(false)
  expect(list).toEqual([1, 2])
})

dporTest('a big number has its text for itself', () => {
  const { toString } = BigInt.prototype
  const texts: unknown[] = []
  Reflect.set(BigInt.prototype, 'toString', () => texts.push('asked'))
  const shared = { n: 1n }
  shared.n *= 2n
  new BigInt64Array([shared.n]).sort()
  Reflect.set(BigInt.prototype, 'toString', toString)
  expect(texts).toEqual([])
})

describe('functions', () => {
  dporTest('async functions are of their class', async () => {
    async function declared(): Promise<void> {}
    const object = { async method() {} }
    expect([declared, object.method, async () => {}].map((fn) => Object.prototype.toString.call(fn))).toEqual(Array(3).fill('[object AsyncFunction]'))
    expect(Object.prototype.toString.call(async function* () {})).toBe('[object AsyncGeneratorFunction]')
    await declared()
  })

  dporTest('a method is looked up before its arguments are evaluated', async () => {
    const log: string[] = []
    const object = {
      get method() {
        log.push('method')
        return (...values: unknown[]) => values.length
      },
    }
    object.method(log.push('argument'))
    object.method(await Promise.resolve(log.push('awaited')))
    expect(log).toEqual(['method', 'argument', 'method', 'awaited'])
  })
})

describe('accessors and Proxies', () => {
  dporTest('an element that is an accessor is called as often as the method says', () => {
    const log: string[] = []
    const list = [1, 2]
    Object.defineProperty(list, '0', { get: () => log.push('get'), configurable: true })
    expect(list.indexOf(2)).toBe(1)
    expect(list.map((value) => value)).toEqual([2, 2])
    expect(log).toEqual(['get', 'get'])
  })

  dporTest('an index that is an object becomes a number once', () => {
    let calls = 0
    const index = { valueOf: () => (calls++, 1) } as unknown as number
    expect([[1, 2, 3].slice(index), [1, 2].at(index), [1, 2, 3].fill(0, index), [1, 2, 3].splice(index, 1)]).toEqual([[2, 3], 2, [1, 0, 0], [2]])
    expect(calls).toBe(4)
  })

  dporTest('an iterable is asked for its iterator once', async () => {
    const log: PropertyKey[] = []
    const watched = (target: object): never =>
      new Proxy(target, {
        get(found, key) {
          log.push(key)
          const value: unknown = Reflect.get(found, key)
          return typeof value === 'function' ? (value.bind(found) as unknown) : value
        },
      }) as never
    expect([...(watched(new Set([1])) as Iterable<number>)]).toEqual([1])
    expect(await Promise.all(watched(new Set([2])))).toEqual([2])
    expect(log).toEqual([Symbol.iterator, Symbol.iterator])
  })
})

dporTest('an array that is mostly holes is not gone through index by index', async () => {
  const list: number[] = [0, 1]
  list[4294967294] = 2
  expect([list.indexOf(2, 4294967290), list.length, 5 in list]).toEqual([4294967294, 4294967295, false])
  await null
  list.length = 1
  expect(list).toEqual([0])
})

dporTest('what makes a number of an index is called once', async () => {
  let calls = 0
  const index = (value: number): number => ({ valueOf: () => (calls++, value) }) as unknown as number
  const bytes = new Uint8Array([1, 2, 3, 4])
  expect([bytes.at(index(1)), bytes.slice(index(1), index(3)).join()]).toEqual([2, '2,3'])
  bytes.copyWithin(index(0), index(2), index(4))
  bytes.fill(9, index(3), index(4))
  bytes.set([7], index(1))
  expect([[...bytes], calls]).toEqual([[3, 7, 3, 9], 9])
})

dporTest('a Proxy is asked for nothing but what the program asks', async () => {
  const asked: string[] = []
  const refuse = (name: string) => () => (asked.push(name), name === 'getPrototypeOf' ? null : false)
  const refusing = new Proxy({ a: 1 }, { getPrototypeOf: refuse('getPrototypeOf') as () => null, deleteProperty: refuse('deleteProperty') as () => boolean })
  expect([asked.splice(0).join(' '), Reflect.deleteProperty(refusing, 'a'), asked.splice(0).join(' ')]).toEqual(['', false, 'deleteProperty'])
  expect(() => Reflect.deleteProperty(refusing, 'a') || delete (refusing as { a?: number }).a).toThrow(TypeError)
  const list = new Proxy([1, [2, new Proxy([3], { get: (target, key) => (asked.push(String(key)), Reflect.get(target, key) as unknown) })]], {})
  asked.length = 0
  expect(list.flat(2)).toEqual([1, 2, 3])
  expect(asked).toEqual(['length', '0'])
})

describe.each(['await', 'event-loop'] as const)("with interleave: '%s'", (interleave) => {
  dporTest('a Proxy of a list is asked what its methods ask', { interleave }, async () => {
    const asked: string[] = []
    const note = (name: string, key: PropertyKey): void => void (/^(?:map|push|slice|Symbol\(Symbol.iterator\))$/.test(String(key)) ? asked.push(`${name} ${String(key)}`) : 0)
    const list = new Proxy([1, 2], {
      get: (target, key, receiver) => (note('get', key), Reflect.get(target, key, receiver) as unknown),
      getOwnPropertyDescriptor: (target, key) => (note('own', key), Reflect.getOwnPropertyDescriptor(target, key)),
    })
    list.push(3)
    expect([list.map((n) => n), list.slice(1), Array.from(list)]).toEqual([[1, 2, 3], [2, 3], [1, 2, 3]])
    expect(asked).toEqual(['get push', 'get map', 'get slice', 'get Symbol(Symbol.iterator)'])
  })

  dporTest('what cannot be iterated is named as the platform does', { interleave }, async () => {
    const messages = await Promise.all([5, null, undefined, {}, () => {}, 5n, true].map((given) => Promise.all(given as never).catch((error: Error) => error.message)))
    const rest = ' is not iterable (cannot read property Symbol(Symbol.iterator))'
    expect(messages).toEqual(['number 5', 'object null', 'undefined', 'object', 'function', 'bigint', 'boolean true'].map((shown) => shown + rest))
  })

  dporTest('a promise with another then is what that makes of it', { interleave }, async () => {
    class Tenfold extends Promise<number> {
      // oxlint-disable-next-line no-thenable
      override then(fulfilled: any, rejected?: any): any {
        return super.then((value) => fulfilled?.(value * 10), rejected)
      }
    }
    expect([await Tenfold.resolve(2), await Promise.all([Tenfold.resolve(3), 4])]).toEqual([20, [30, 4]])
  })

  dporTest('who calls is read off the text of a stack', { interleave }, async () => {
    const where = (): string[] => new Error('here').stack!.split('\n')
    function caller(): string[] {
      return where()
    }
    const limit = Error.stackTraceLimit
    for (Error.stackTraceLimit of [3, 5, 50]) expect(caller()[2]).toContain('caller')
    setTimeout(() => void expect(caller()[2]).toContain('caller'), 1)
    await new Promise((resolve) => setTimeout(resolve, 2))
    expect(caller().length).toBeGreaterThan(2)
    Error.stackTraceLimit = limit
  })

  dporTest('timers are of the classes of Node, and as long as there', { interleave }, async () => {
    const log: unknown[] = []
    const note = function (this: object, ...args: unknown[]): void {
      log.push(this.constructor.name, ...args)
    }
    setTimeout(note, 5, 'five')
    setTimeout(note, 2 ** 31, 'too long')
    setImmediate(note, 'at once')
    const unreferenced = setTimeout(note, 7, 'seven').unref()
    expect([unreferenced.hasRef(), unreferenced.ref().hasRef()]).toEqual([false, true])
    expect(() => AbortSignal.timeout(-1)).toThrow(RangeError)
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(log).toEqual(['Immediate', 'at once', 'Timeout', 'too long', 'Timeout', 'five', 'Timeout', 'seven'])
  })
})

dporTest('views may inherit from anything, and bytes may be handed over', async () => {
  const given: object = {}
  const made = Reflect.construct(Uint8Array, [2], Object.assign(function () {}, { prototype: given })) as Uint8Array
  expect([Reflect.getPrototypeOf(made) === given, made[0]]).toEqual([true, 0])
  const bytes = new Uint8Array([1, 2])
  const value = { valueOf: () => (structuredClone(0, { transfer: [bytes.buffer] }), 7) } as unknown as number
  expect(() => bytes.set([1], value)).toThrow(TypeError)
  expect(bytes.length).toBe(0)
})

describe('bytes and weak collections', () => {
  dporTest('what becomes a number is asked once', async () => {
    const log: string[] = []
    const asked = (name: string, value: number) => ({
      valueOf() {
        log.push(name)
        return value
      },
    })
    const buffer = new ArrayBuffer(8)
    buffer.slice(asked('start', 0) as never, asked('end', 8) as never)
    new DataView(buffer).setUint8(asked('offset', 1) as never, 1)
    expect(new DataView(buffer).getUint8(asked('place', 1) as never)).toBe(1)
    expect(log).toEqual(['start', 'end', 'offset', 'place'])
  })

  dporTest('a mapping that is no function is an error before anything is iterated', async () => {
    const iterated = Object.defineProperty({}, Symbol.iterator, {
      get() {
        throw new Error('asked')
      },
    })
    expect(() => Array.from(iterated as never, 1 as never)).toThrow(TypeError)
    expect(() => Uint8Array.from(iterated as never, 1 as never)).toThrow(TypeError)
  })

  dporTest('a view that inherits from something else is a view', async () => {
    const view = Reflect.construct(DataView, [new ArrayBuffer(8)], Object.assign(function () {}, { prototype: {} })) as DataView
    expect(Reflect.apply(DataView.prototype.getUint8, view, [0])).toBe(0)
  })

  dporTest('what is no weak collection is an error, and nothing is put back', async () => {
    expect(() => WeakMap.prototype.set({}, 1)).toThrow(TypeError)
    expect(() => WeakSet.prototype.add({})).toThrow(TypeError)
  })
})

describe('super where a class of the platform stands behind one of the program', () => {
  /** As frameworks do it whose requests parse their URL only when somebody asks. */
  class LazyURL {
    readonly #path: string
    constructor(path: string) {
      this.#path = path
    }
    get pathname(): string {
      return this.#path
    }
    set pathname(_: string) {
      throw new TypeError('fixed')
    }
  }
  Object.setPrototypeOf(LazyURL.prototype, URL.prototype)
  class RequestURL extends LazyURL {
    override get pathname(): string {
      return `${super.pathname}?`
    }
    override set pathname(path: string) {
      super.pathname = path
    }
  }

  /** As the types would have it: they say that these are no accessors. */
  class Address {
    constructor(readonly href: string) {}
    get pathname(): string {
      return ''
    }
    set pathname(_: string) {}
  }
  const PlatformURL = URL as unknown as typeof Address
  class Logged extends PlatformURL {
    readonly log: string[] = []
    override get pathname(): string {
      return super.pathname
    }
    override set pathname(path: string) {
      this.log.push(path)
      super.pathname = path
    }
  }
  class Trimmed extends Logged {
    override get pathname(): string {
      return super.pathname
    }
    override set pathname(path: string) {
      super.pathname = path.trim()
    }
  }

  const seen = (): unknown[] => {
    const lazy = new RequestURL('/a')
    const url = new Trimmed('http://a/b')
    url.pathname = ' /c '
    expect(() => (lazy.pathname = '/x')).toThrow('fixed')
    return [lazy.pathname, url.pathname, url.href, ...url.log]
  }
  const expected = ['/a?', '/c', 'http://a/c', '/c']

  test('outside an exploration', () => {
    expect(seen()).toEqual(expected)
  })

  dporTest('and inside one', async () => {
    await null
    expect(seen()).toEqual(expected)
  })
})
