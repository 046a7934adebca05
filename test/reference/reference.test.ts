import { describe, expect, test } from 'vitest'
import { compare } from './compare.ts'
import { asCoroutines, returningText } from './coroutines.ts'
import { enumerate, type EnumerateOptions } from './enumerate.ts'

/** The outcomes of a body that returns one short text. */
async function texts(source: string, options?: EnumerateOptions): Promise<string[]> {
  const { outcomes } = await enumerate(source, options)
  return outcomes.map((outcome) => (outcome.startsWith('"') ? (JSON.parse(outcome) as string) : outcome))
}

const twoTasks = `
  let log = ''
  const task = async (name) => { await null; log += name + 1; await null; log += name + 2 }
  await Promise.all([task('a'), task('b')])
  return log`

const sixInterleavings = ['a1a2b1b2', 'a1b1a2b2', 'a1b1b2a2', 'b1a1a2b2', 'b1a1b2a2', 'b1b2a1a2']

describe('two tasks', () => {
  test('of two steps have six interleavings', async () => {
    expect(await texts(twoTasks)).toEqual(sixInterleavings)
  })

  test('a scheduler that never takes the last of those that are ready first is found out', async () => {
    const outcomes = await texts(twoTasks, { misschedule: (count, next) => (next === count - 1 ? 0 : next) })
    expect(outcomes).not.toEqual(sixInterleavings)
  })

  test('a scheduler that prefers whoever became ready last is found out', async () => {
    const outcomes = await texts(twoTasks, { misschedule: (count, next) => Math.max(next, count - 1) })
    expect(outcomes).not.toEqual(sixInterleavings)
  })

  test('run to their first await within the step of their caller', async () => {
    const source = `
      let log = ''
      const task = async (name) => { log += name; await null; log += name }
      await Promise.all([task('a'), task('b')])
      return log`
    expect(await texts(source)).toEqual(['abab', 'abba'])
  })

  test('one of two awaits and one of one interleave in three ways', async () => {
    const source = `
      let log = ''
      const long = async () => { await null; log += 'a'; await null; log += 'b' }
      const short = async () => { await null; log += 'c' }
      await Promise.all([long(), short()])
      return log`
    expect(await texts(source)).toEqual(['abc', 'acb', 'cab'])
  })

  test('lose an update, or not', async () => {
    const source = `
      let balance = 100
      const withdraw = async (amount) => { const read = balance; await null; balance = read - amount }
      await Promise.all([withdraw(10), withdraw(20)])
      return balance`
    expect(await texts(source)).toEqual(['80', '90'])
  })

  test('of three steps, three of them, have 1680 interleavings', async () => {
    const source = `
      const task = async () => { await null; await null; await null }
      await Promise.all([task(), task(), task()])`
    expect((await enumerate(source)).interleavings).toBe(1680)
  })
})

test('a limit ends the enumeration and says so', async () => {
  expect(await enumerate(twoTasks, { limit: 5 })).toMatchObject({ interleavings: 5, isOverLimit: true })
  expect(await enumerate(twoTasks, { limit: 6 })).toMatchObject({ interleavings: 6, isOverLimit: false })
})

describe('what is awaited', () => {
  test('passes on an outcome without a step of its own', async () => {
    const bodies = [
      `const inner = async () => { await null }; const outer = async () => inner(); await outer()`,
      `const inner = async () => { await null }; await new Promise((resolve) => resolve(inner()))`,
      `const inner = async () => { await null }; await Promise.all([inner()])`,
      `const inner = async () => { await null }; await Promise.race([inner()])`,
    ]
    for (const body of bodies) {
      const source = `let log = ''; const one = async () => { ${body}; log += 'a' }; const two = async () => { await null; log += 'b' }; await Promise.all([one(), two()]); return log`
      expect(await enumerate(source)).toMatchObject({ outcomes: ['"ab"', '"ba"'], interleavings: 3 })
    }
  })

  test('is thrown if it was rejected', async () => {
    expect(await texts(`try { await Promise.reject(new Error('no')) } catch (error) { return error.message }`)).toEqual(['no'])
  })

  test('may be a thenable, called in a step of its own', async () => {
    const source = `
      let log = ''
      const thenable = { then(resolve) { log += 't'; resolve('v') } }
      const one = async () => { const value = await thenable; log += value }
      const two = async () => { await null; log += 'b' }
      await Promise.all([one(), two()])
      return log`
    expect(await texts(source)).toEqual(['btv', 'tbv', 'tvb'])
  })

  test('may be a promise of code that is not part of the body', async () => {
    const scope = () => ({ outside: async () => 'o' })
    const source = `
      let log = ''
      const one = async () => { const value = await outside(); log += value }
      const two = async () => { await null; log += 'b' }
      await Promise.all([one(), two()])
      return log`
    expect(await texts(source, { scope })).toEqual(['bo', 'ob'])
  })

  test('may never come: a deadlock', async () => {
    expect(await texts(`await new Promise(() => {})`)).toEqual(['deadlock'])
  })
})

describe('reactions', () => {
  test('are steps of their own, in any order', async () => {
    const source = `
      let log = ''
      await Promise.all(['a', 'b'].map((name) => Promise.resolve(name).then((value) => { log += value })))
      return log`
    expect(await texts(source)).toEqual(['ab', 'ba'])
  })

  test('of one promise keep their order if orders are fixed', async () => {
    const source = `
      let log = ''
      const promise = Promise.resolve()
      const waits = async () => { await promise; log += 'c' }
      await Promise.all([promise.then(() => { log += 'a' }), promise.finally(() => { log += 'b' }), waits()])
      return log`
    expect(await texts(source)).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba'])
    expect(await texts(source, { fixedOrders: true })).toEqual(['abc'])
  })

  test('that are missing for an outcome take no step', async () => {
    const source = `await Promise.reject(1).then(() => {}).then(() => {}).catch((error) => error)`
    expect((await enumerate(source)).interleavings).toBe(1)
  })

  test('of finally pass the outcome on, once what they return has ended well', async () => {
    expect(await texts(`return await Promise.resolve('v').finally(async () => { await null; return 'other' })`)).toEqual(['v'])
    expect(await texts(`return await Promise.reject('no').finally(() => {}).catch((error) => error)`)).toEqual(['no'])
    expect(await texts(`return await Promise.resolve('v').finally(() => Promise.reject('late')).catch((error) => error)`)).toEqual(['late'])
  })
})

describe('promises', () => {
  test('have combinators', async () => {
    expect(await texts(`return (await Promise.all(['a', Promise.resolve('b')])).join('')`)).toEqual(['ab'])
    expect(await texts(`return (await Promise.allSettled([Promise.reject('a'), 'b'])).map((part) => part.status).join()`)).toEqual(['rejected,fulfilled'])
    expect(await texts(`return await Promise.any([Promise.reject('a'), Promise.resolve('b')])`)).toEqual(['b'])
    expect(await texts(`return await Promise.any([Promise.reject('a')]).catch((error) => error.errors[0])`)).toEqual(['a'])
    expect(await texts(`const wait = async (name) => { await null; return name }; return await Promise.race([wait('a'), wait('b')])`)).toEqual(['a', 'b'])
    expect(await texts(`return await Promise.try((value) => value, 'a')`)).toEqual(['a'])
    expect(await texts(`const { promise, resolve } = Promise.withResolvers(); resolve('a'); resolve('b'); return await promise`)).toEqual(['a'])
  })

  test('of a subclass stay of their class', async () => {
    const source = `
      class Mine extends Promise { get isMine() { return true } }
      const promise = Mine.resolve('a').then((value) => value + 'b')
      return (promise.isMine && Mine.all([]).isMine && promise instanceof Promise) + await promise`
    expect(await texts(source)).toEqual(['trueab'])
  })

  test('that are rejected and that nobody handles by the end of the step are reported', async () => {
    expect(await texts(`Promise.reject(1); await null; return 'v'`)).toEqual(['unhandled rejection 1'])
    expect(await texts(`const promise = Promise.reject(1); promise.catch(() => {}); await null; return 'v'`)).toEqual(['v'])
    expect(await texts(`const promise = Promise.reject(1); await null; promise.catch(() => {}); return 'v'`)).toEqual(['unhandled rejection 1'])
  })

  test('an error of the body goes before one that nobody handled', async () => {
    expect(await texts(`Promise.reject(1); throw new Error('body')`)).toEqual(['throws Error: body'])
  })
})

describe('time', () => {
  test('passes only when nothing else can run', async () => {
    const source = `
      let log = ''
      setTimeout(() => { log += 't' }, 0)
      const task = async () => { await null; await null; log += 'a' }
      await Promise.all([task(), new Promise((resolve) => setTimeout(resolve, 5))])
      return log`
    expect(await texts(source)).toEqual(['at'])
  })

  test('is virtual', async () => {
    const source = `const start = Date.now(); await new Promise((resolve) => setTimeout(resolve, 60_000)); return Date.now() - start`
    expect(await texts(source)).toEqual(['60000'])
  })

  const twoSetters = (second: number): string => `
    let log = ''
    const set = async (name, length) => { await null; await new Promise((resolve) => setTimeout(() => { log += name; resolve() }, length)) }
    const sleep = async () => { await null; await new Promise((resolve) => setTimeout(resolve, 5)); setTimeout(() => { log += 'b' }, ${second}) }
    await Promise.all([set('a', 10), sleep()])
    await new Promise((resolve) => setTimeout(resolve, 20))
    return log`

  test('timers that are due at one moment fire in any order', async () => {
    expect(await texts(twoSetters(5))).toEqual(['ab', 'ba'])
    expect(await texts(twoSetters(6))).toEqual(['ab'])
  })

  test('timers that one line of control has set keep their order', async () => {
    const source = `let log = ''; for (const name of 'abc') setTimeout(() => { log += name }, 5); await new Promise((resolve) => setTimeout(resolve, 6)); return log`
    expect(await texts(source)).toEqual(['abc'])
  })

  test('a call that is awaited at once is its caller’s line of control', async () => {
    const source = `
      let log = ''
      const later = async (name) => { await null; setTimeout(() => { log += name }, 5) }
      setTimeout(() => { log += 'a' }, 5)
      await later('b')
      await new Promise((resolve) => setTimeout(resolve, 6))
      return log`
    expect(await texts(source)).toEqual(['ab'])
    expect(await texts(source.replace('await later', 'later'))).toEqual(['ab', 'ba'])
  })

  test('timers of one length keep their order if orders are fixed', async () => {
    const source = `
      let log = ''
      const task = async (name) => { await null; log += name; setTimeout(() => { log += name.toUpperCase() }, 5) }
      await Promise.all([task('a'), task('b')])
      await new Promise((resolve) => setTimeout(resolve, 6))
      return log`
    expect(await texts(source)).toEqual(['abAB', 'abBA', 'baAB', 'baBA'])
    expect(await texts(source, { fixedOrders: true })).toEqual(['abAB', 'baBA'])
  })

  test('intervals repeat until they are cleared', async () => {
    const source = `
      let log = ''
      await new Promise((resolve) => { const timer = setInterval(() => { log += 'i'; if (log.length === 3) { clearInterval(timer); resolve() } }, 5) })
      return log + performance.now()`
    expect(await texts(source)).toEqual(['iii15'])
  })

  test('a timer that is due can still be cleared by another one', async () => {
    const source = `
      let log = ''
      const timers = {}
      const set = async (name, other) => { await null; timers[name] = setTimeout(() => { log += name; clearTimeout(timers[other]) }, 5) }
      await Promise.all([set('a', 'b'), set('b', 'a')])
      await new Promise((resolve) => setTimeout(resolve, 6))
      return log`
    expect(await texts(source)).toEqual(['a', 'b'])
  })

  test('microtasks keep their order and go before timers and immediates if orders are fixed', async () => {
    const source = `
      let log = ''
      setImmediate(() => { log += 'i' })
      queueMicrotask(() => { log += 'a' })
      queueMicrotask(() => { log += 'b' })
      await new Promise((resolve) => setTimeout(resolve, 1))
      return log`
    expect(await texts(source)).toEqual(['abi', 'aib', 'bai', 'bia', 'iab', 'iba'])
    expect(await texts(source, { fixedOrders: true })).toEqual(['abi'])
  })

  test('AbortSignal.timeout aborts by virtual time', async () => {
    const source = `
      const signal = AbortSignal.timeout(50)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return performance.now() + signal.reason.name`
    expect(await texts(source)).toEqual(['50TimeoutError'])
  })

  test('outside the enumeration the platform’s own is back', async () => {
    const { setTimeout: before } = globalThis
    await enumerate(twoTasks)
    expect(globalThis.setTimeout).toBe(before)
  })
})

describe('async iteration', () => {
  test('goes through an async generator', async () => {
    const source = `
      let log = ''
      async function* letters() { try { yield 'a'; await null; yield 'b'; yield 'c' } finally { log += '!' } }
      for await (const letter of letters()) { log += letter; if (letter === 'b') break }
      return log`
    expect(await texts(source)).toEqual(['ab!'])
  })

  test('awaits what a sync iterable gives, and its end', async () => {
    const source = `
      let log = ''
      const one = async () => { for await (const item of [Promise.resolve('a')]) log += item; log += 'e' }
      const two = async () => { await null; log += 'x' }
      await Promise.all([one(), two()])
      return log`
    expect(await texts(source)).toEqual(['aex', 'axe', 'xae'])
  })

  test('answers the requests of two tasks in their order', async () => {
    const source = `
      let log = ''
      async function* numbers() { yield 1; yield 2 }
      const shared = numbers()
      const task = async (name) => { const { value } = await shared.next(); log += name + value }
      await Promise.all([task('a'), task('b')])
      return log`
    expect(await texts(source)).toEqual(['a1b2', 'b2a1'])
  })

  test('ends a generator by return and by throw', async () => {
    const source = `
      async function* letters() { try { yield 1 } catch (error) { yield 'caught ' + error } }
      const one = letters(), two = letters(), three = letters()
      await one.next(); await two.next()
      const results = [await one.throw('t'), await one.next(), await two.return('r'), await two.next(), await three.return('n')]
      return results.map(({ value, done }) => value + (done ? '.' : '')).join()`
    expect(await texts(source)).toEqual(['caught t,undefined.,r.,undefined.,n.'])
  })

  test('hands over to another generator', async () => {
    const source = `
      async function* inner() { yield 'a'; return 'r' }
      async function* outer() { const got = yield* inner(); yield got; yield* ['s'] }
      let log = ''
      for await (const item of outer()) log += item
      return log`
    expect(await texts(source)).toEqual(['ars'])
  })

  test('keeps the labels of loops', async () => {
    const source = `
      let log = ''
      outer: for await (const letter of ['a', 'b', 'c']) for (const digit of [1, 2]) { if (letter === 'b') continue outer; log += letter + digit }
      return log`
    expect(await texts(source)).toEqual(['a1a2c1c2'])
  })
})

describe('rewriting', () => {
  test('leaves nothing async', () => {
    const code = asCoroutines(`(async function f() { class A { static async m() {} async #p() {} async *g() {} }; return { async m() {}, p: async () => 1 } })`)
    expect(code).not.toMatch(/async|await/)
  })

  test('keeps this, super, parameters and private methods', async () => {
    const source = `
      class Base { constructor() { this.base = 'b' } async name(x) { return this.base + x } }
      class Sub extends Base {
        async name(x, y = x + 1) { return await super.name(y) + await this.#own(() => this.base) }
        async #own(f) { return f() }
        arrow = async () => this.base
        set(v) { return (async () => { super.extra = v; return this.extra })() }
      }
      const sub = new Sub()
      return await sub.name(1) + await sub.arrow() + await sub.set('e')`
    expect(await texts(source)).toEqual(['b2bbe'])
  })

  test('what a default parameter throws rejects', async () => {
    expect(await texts(`const f = async (x = (() => { throw 'no' })()) => x; return await f().catch((error) => error)`)).toEqual(['no'])
  })

  test('returned values become text in the outermost function alone', () => {
    expect(returningText('(async function body() { const f = () => { return 1 }; return [f()] })')).toBe(
      '(async function body() { const f = () => { return 1 }; return JSON.stringify([f()]) })',
    )
  })
})

describe('comparing', () => {
  test('agrees where the project sees every access', async () => {
    expect(await compare(twoTasks)).toMatchObject({ status: 'agrees', lost: [], invented: [], interleavings: 6 })
  })

  test('tells what was lost and what was invented', async () => {
    const explore = async () => ({ outcomes: [...sixInterleavings.slice(1), 'a'].map((text) => JSON.stringify(text)), first: undefined, executions: 6, verdict: 'holds' as const })
    expect(await compare(twoTasks, { explore })).toMatchObject({ status: 'differs', lost: ['"a1a2b1b2"'], invented: ['"a"'] })
  })

  test('tells what the exploration threw', async () => {
    const explore = async () => { throw new Error('no exploration') }
    expect(await compare(twoTasks, { explore })).toMatchObject({ status: 'differs', error: expect.stringContaining('no exploration') })
  })
})
