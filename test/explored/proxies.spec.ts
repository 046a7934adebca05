import { explore } from 'vitest-dpor'
import { describe, expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

describe('a proxy has the identity of its target', () => {
  test('one task by the proxy, the other by the target: 2 classes', async () => {
    const result = await outcomes(async () => {
      const target = { n: 0 }
      const proxy = new Proxy(target, {})
      const read = { n: -1 }
      await Promise.all([
        (async () => {
          await null
          proxy.n = 1
        })(),
        (async () => {
          await null
          read.n = target.n
        })(),
      ])
      return read.n
    })
    expect(result).toEqual({ seen: ['0', '1'], executions: 2, verdict: 'holds' })
  })

  test('several proxies over one target, and over each other', async () => {
    const result = await outcomes(async () => {
      const target = { n: 0 }
      const one = new Proxy(target, {})
      const two = new Proxy(new Proxy(target, {}), {})
      const add = async (o: { n: number }) => {
        const { n } = o
        await null
        o.n = n + 1
      }
      await Promise.all([add(one), add(two)])
      return target.n
    })
    expect(result.seen).toEqual(['1'])
    expect(result.verdict).toBe('holds')
  })

  test('traps run as often as in plain JavaScript', async () => {
    const result = await outcomes(async () => {
      const calls: string[] = []
      const proxy = new Proxy({ n: 0 } as Record<string, unknown>, {
        get: (target, key, receiver) => (calls.push('get'), Reflect.get(target, key, receiver)),
        set: (target, key, value) => (calls.push('set'), Reflect.set(target, key, value)),
        getOwnPropertyDescriptor: (target, key) => (calls.push('own'), Reflect.getOwnPropertyDescriptor(target, key)),
        deleteProperty: (target, key) => (calls.push('delete'), Reflect.deleteProperty(target, key)),
        has: (target, key) => (calls.push('has'), Reflect.has(target, key)),
      })
      proxy['n'] = (proxy['n'] as number) + 1
      delete proxy['n']
      calls.push(String('n' in proxy))
      return calls
    })
    expect(result.seen).toEqual(['["get","set","delete","has","false"]'])
  })

  test('nothing asks a proxy for its name that stands for a function', async () => {
    const result = await outcomes(async () => {
      const asked: string[] = []
      const made = (): { n: number } => ({ n: 0 })
      const proxy = new Proxy(made, { get: (target, key, receiver) => (asked.push(String(key)), Reflect.get(target, key, receiver)) })
      proxy().n++
      await Promise.resolve().then(proxy)
      queueMicrotask(proxy)
      setTimeout(proxy)
      await new Promise((resolve) => setTimeout(resolve, 1))
      return asked
    })
    expect(result.seen).toEqual(['[]'])
  })

  test('a revoked proxy throws as it does', async () => {
    const result = await outcomes(async () => {
      const { proxy, revoke } = Proxy.revocable({ n: 0 }, {})
      proxy.n = 1
      revoke()
      try {
        return proxy.n
      } catch (error) {
        return (error as Error).name
      }
    })
    expect(result.seen).toEqual(['"TypeError"'])
  })

  test('proxies over targets of their own are independent: 1 class', async () => {
    const result = await outcomes(async () => {
      const add = async (o: { n: number }) => {
        await null
        o.n++
        return o.n
      }
      return Promise.all([add(new Proxy({ n: 0 }, {})), add(new Proxy({ n: 0 }, {}))])
    })
    expect(result).toEqual({ seen: ['[1,1]'], executions: 1, verdict: 'holds' })
  })
})

describe.each(['await', 'event-loop'] as const)("the platform asks a Proxy for its then once, with interleave: '%s'", (interleave) => {
  const ways: Record<string, (value: object) => Promise<unknown>> = {
    'that is awaited': async (value) => void (await value),
    'that is returned': async (value) => void (await (async () => value)()),
    'that a reaction returns': async (value) => void (await Promise.resolve().then(() => value)),
    'that resolves a promise': async (value) => void (await new Promise((resolve) => resolve(value))),
    'that is a part': async (value) => void (await Promise.all([value, 1])),
    'that is yielded': async (value) => void (await (async function* () { yield value })().next()),
    'that is iterated over': async (value) => { for await (const one of [value]) void one },
  }

  test.each(Object.entries(ways))('%s', async (_, way) => {
    const { verdict } = await explore(async () => {
      const log: string[] = []
      const told = (trap: string) => (target: object, key: PropertyKey, ...rest: unknown[]): unknown => {
        log.push(`${trap} ${String(key)}`)
        return Reflect.apply(Reflect.get(Reflect, trap) as () => unknown, Reflect, [target, key, ...rest])
      }
      const traps = { get: told('get'), has: told('has'), getOwnPropertyDescriptor: told('getOwnPropertyDescriptor') } as ProxyHandler<object>
      await way(new Proxy({ a: 1 }, traps))
      expect(log).toEqual(['get then'])
      expect(Object.keys(traps)).toEqual(['get', 'has', 'getOwnPropertyDescriptor'])
      log.length = 0
      await way(Object.create(new Proxy({}, traps)) as object)
      expect(log).toEqual(['get then'])
    }, { interleave })
    expect(verdict).toBe('holds')
  })
})
