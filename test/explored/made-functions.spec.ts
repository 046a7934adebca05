import { describe, expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

// oxlint-disable no-new-func, no-useless-call

type Counter = { a: number; b: number }
type Add = (counter: Counter, key: string) => void

const AsyncFunction = (async () => {}).constructor as new (...texts: string[]) => (...args: any[]) => Promise<unknown>
const GeneratorFunction = function* () {}.constructor as new (...texts: string[]) => (...args: any[]) => Generator<unknown>

const text = 'counter[key] = counter[key] + 1'
const outside = {
  'new Function': new Function('counter', 'key', text) as Add,
  'Function()': Function('counter, key', text) as Add,
  'Function.apply': Function.apply(null, ['counter', 'key', text]) as Add,
  'Function.call': Function.call(null, 'counter', 'key', text) as Add,
}
const inside: Record<string, () => Add> = {
  'new Function': () => new Function('counter', 'key', text) as Add,
  'Function()': () => Function('counter, key', text) as Add,
  'Function.apply': () => Function.apply(null, ['counter', 'key', text]) as Add,
  'Reflect.construct': () => Reflect.construct(Function, ['counter', 'key', text]) as Add,
  'the constructor of a function': () => (() => {}).constructor('counter', 'key', text) as Add,
  'what is bound': () => (Function.bind(null, 'counter', 'key') as (body: string) => Add)(text),
  'a function that is bound': () => new Function('unused', 'counter', 'key', text).bind(null, 0) as Add,
}

async function twice(add: Add, keys: readonly [string, string]): Promise<Counter> {
  const counter = { a: 0, b: 0 }
  await Promise.all(keys.map(async (key) => {
    await null
    add(counter, key)
  }))
  return counter
}

describe('what a function accesses that is made of a text is seen', () => {
  const all: [string, () => Add][] = [...Object.entries(outside).map(([name, add]): [string, () => Add] => [`${name}, outside an exploration`, () => add]), ...Object.entries(inside)]
  test.each(all)('%s', async (_name, make) => {
    expect(await outcomes(() => twice(make(), ['a', 'b']))).toEqual({ seen: ['{"a":1,"b":1}'], executions: 1, verdict: 'holds' })
    expect(await outcomes(() => twice(make(), ['a', 'a']))).toEqual({ seen: ['{"a":2,"b":0}'], executions: 2, verdict: 'holds' })
  })

  test('async functions are processes', async () => {
    const result = await outcomes(async () => {
      const state = { n: 0 }
      const add = new AsyncFunction('state', 'const { n } = state; await null; state.n = n + 1')
      await Promise.all([add(state), add(state)])
      return state.n
    })
    expect(result).toMatchObject({ seen: ['1'], verdict: 'holds' })
  })

  test('generators run as far as they are asked', async () => {
    const result = await outcomes(async () => {
      const state = { n: 0, m: 0 }
      const work = new GeneratorFunction('state', 'state.n++; yield state.n; state.m++').call(null, state)
      await Promise.all([(async () => { await null; work.next() })(), (async () => { await null; state.m++ })()])
      return state
    })
    expect(result).toEqual({ seen: ['{"n":1,"m":1}'], executions: 1, verdict: 'holds' })
  })

  test('what a `with` statement means is not known: objects that such a function is handed are compared', async () => {
    const result = await outcomes(async () => {
      const state = { n: 1 }
      const double = new Function('state', 'with (state) { n = n * 2 }')
      await Promise.all([(async () => { await null; double(state) })(), (async () => { await null; state.n = state.n + 1 })()])
      return state.n
    })
    expect(result).toMatchObject({ seen: ['3', '4'], verdict: 'holds' })
  })
})

describe('a text with that of an instrumented function', () => {
  const charts = [['that becomes a function', 'c', 'return ('], ['under a `with` statement', 'c', 'with (c) return (']] as const

  test.each(charts)('%s runs', (_, name, before) => {
    const guard = (context: Counter) => ++context.a + context.b
    expect(new Function(name, `${before}${String(guard)})(${name})`)({ a: 1, b: 2 })).toBe(4)
  })

  test.each(charts)('%s is seen', async (_, name, before) => {
    const add = (context: Counter, key: 'a' | 'b') => { context[key] = context[key] + 1 }
    const made = new Function(name, 'key', `${before}${String(add)})(${name}, key)`) as Add
    const counter = (await twice(made, ['a', 'a'])).a
    expect(counter).toBe(2)
    const result = await outcomes(async () => {
      const state = { a: 0, b: 0 }
      const task = async () => {
        await null
        made(state, 'a')
      }
      const reset = async () => {
        await null
        state.a = 5
      }
      await Promise.all([task(), reset()])
      return state.a
    })
    expect(result).toEqual({ seen: ['5', '6'], executions: 2, verdict: 'holds' })
  })
})

describe('nobody can tell, but by the text of such a function', () => {
  const made: [string, () => Function][] = [['outside an exploration', () => new Function('a', 'b = 2', '...c', 'return this')], ['inside one', () => new Function('a', 'b = 2', '...c', 'return this')]]
  const looksOf = (fn: Function) => ({
    own: Object.getOwnPropertyDescriptors(fn),
    prototype: Object.getPrototypeOf(fn) === Function.prototype,
    is: typeof fn.prototype === 'object' && fn.prototype.constructor === fn,
    that: fn() === globalThis,
  })
  const looks = { own: { length: { value: 1, configurable: true }, name: { value: 'anonymous', configurable: true } }, prototype: true, is: true, that: true }

  test('its name, its length and what it is', async () => {
    expect(looksOf(made[0]![1]())).toMatchObject(looks)
    const { seen } = await outcomes(async () => looksOf(made[1]![1]()))
    expect(JSON.parse(seen[0]!)).toMatchObject(looks)
  })

  test('texts are made once, in order, and errors are those of the platform', async () => {
    const attempt = (): string[] => {
      const seen: string[] = []
      const textOf = (name: string) => ({ toString: () => (seen.push(name), name) })
      const sum = new Function(textOf('a') as never, textOf('b') as never, { toString: () => (seen.push('body'), 'return a + b') } as never)
      seen.push(String(sum(1, 2)))
      for (const wrong of ['}', 'return', 'a b', '/*']) {
        try {
          seen.push(typeof new Function('a', `*/) { }, ${wrong}`))
        } catch (error) {
          seen.push((error as Error).name)
        }
      }
      return seen
    }
    expect(attempt()).toEqual(['a', 'b', 'body', '3', 'SyntaxError', 'SyntaxError', 'SyntaxError', 'SyntaxError'])
    expect((await outcomes(async () => attempt())).seen).toEqual([JSON.stringify(attempt())])
  })

  test('a class of somebody else by that name stays what it is', () => {
    class Function {
      readonly given: string
      constructor(given: string) {
        this.given = given
      }
    }
    expect(new Function('return 1').given).toBe('return 1')
  })

  test('errors are thrown at the lines that the platform would say', () => {
    const fail = new Function("\n\nthrow new Error('in line 5')")
    const stack = (() => {
      try {
        fail()
      } catch (error) {
        return (error as Error).stack!
      }
      return ''
    })()
    expect(stack).toMatch(/<anonymous>:5:/)
  })
})
