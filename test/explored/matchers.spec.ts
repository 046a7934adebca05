import nodeAssert from 'node:assert'
import strictAssert from 'node:assert/strict'
import util from 'node:util'
import { assert, describe, expect, expect as check, test, vi } from 'vitest'
import { explore } from 'vitest-dpor'

/** Three tasks that push onto one log, and an assertion on it. */
async function pushing(assertion: (log: string[]) => unknown): Promise<number> {
  const { verdict, executions } = await explore(async () => {
    const log: string[] = []
    const add = async (name: string) => {
      await null
      log.push(name)
    }
    await Promise.all(['a', 'b', 'c'].map(add))
    await assertion(log)
  }, { stopOnFirst: false })
  expect(verdict).toBe('holds')
  return executions
}

/** Three tasks that add to one Set. */
async function adding(assertion: (set: Set<string>) => unknown): Promise<number> {
  const { verdict, executions } = await explore(async () => {
    const set = new Set<string>()
    const add = async (name: string) => {
      await null
      set.add(name)
    }
    await Promise.all(['a', 'b', 'c'].map(add))
    await assertion(set)
  }, { stopOnFirst: false })
  expect(verdict).toBe('holds')
  return executions
}

/** Three tasks that push onto a log inside an object that has a count too. */
async function within(assertion: (state: { count: number; log: string[] }) => unknown): Promise<number> {
  return pushing((log) => assertion({ count: 3, log }))
}

/** Three tasks that call one mock. */
async function calling(assertion: (mock: (name: string) => void) => unknown): Promise<number> {
  const { verdict, executions } = await explore(async () => {
    const mock = vi.fn<(name: string) => void>()
    const call = async (name: string) => {
      await null
      mock(name)
    }
    await Promise.all(['a', 'b', 'c'].map(call))
    await assertion(mock)
  }, { stopOnFirst: false })
  expect(verdict).toBe('holds')
  return executions
}

const any = [expect.any(String), expect.any(String), expect.any(String)]

describe('how many there are: 1 execution of 3 pushes', () => {
  test.for<[string, (log: string[]) => unknown]>([
    ['nothing', () => {}],
    ['toHaveLength', (log) => expect(log).toHaveLength(3)],
    ['not.toHaveLength', (log) => expect(log).not.toHaveLength(4)],
    ['lengthOf', (log) => expect(log).to.have.lengthOf(3)],
    ['length', (log) => expect(log).to.have.length(3)],
    ['not empty', (log) => expect(log).to.not.be.empty],
    ['assert.lengthOf', (log) => assert.lengthOf(log, 3)],
    ['assert.isNotEmpty', (log) => assert.isNotEmpty(log)],
    ['toHaveProperty length', (log) => expect(log).toHaveProperty('length', 3)],
  ])('%s', async ([, assertion]) => expect(await pushing(assertion)).toBe(1))
})

describe('membership: 1 execution', () => {
  test.for<[string, (log: string[]) => unknown]>([
    ['toContain', (log) => expect(log).toContain('a')],
    ['not.toContain', (log) => expect(log).not.toContain('z')],
    ['toContainEqual', (log) => expect(log).toContainEqual('b')],
    ['include', (log) => expect(log).to.include('a')],
    ['contain', (log) => expect(log).to.contain('a')],
    ['members', (log) => expect(log).to.have.members(['c', 'b', 'a'])],
    ['assert.include', (log) => assert.include(log, 'a')],
    ['assert.sameMembers', (log) => assert.sameMembers(log, ['c', 'b', 'a'])],
    ['includes', (log) => expect(log.includes('c')).toBe(true)],
  ])('%s', async ([, assertion]) => expect(await pushing(assertion)).toBe(1))
  test.for<[string, (set: Set<string>) => unknown]>([
    ['toContain of a Set', (set) => expect(set).toContain('a')],
    ['include of a Set', (set) => expect(set).to.include('a')],
    ['toHaveProperty size', (set) => expect(set).toHaveProperty('size', 3)],
    ['lengthOf a Set', (set) => expect(set).to.have.lengthOf(3)],
  ])('%s', async ([, assertion]) => expect(await adding(assertion)).toBe(1))
})

describe('which object it is: 1 execution', () => {
  test.for<[string, (log: string[]) => unknown]>([
    ['toBeDefined', (log) => expect(log).toBeDefined()],
    ['not.toBeNull', (log) => expect(log).not.toBeNull()],
    ['not.toBeUndefined', (log) => expect(log).not.toBeUndefined()],
    ['toBeTruthy', (log) => expect(log).toBeTruthy()],
    ['not.toBeNaN', (log) => expect(log).not.toBeNaN()],
    ['toBe', (log) => expect(log).toBe(log)],
    ['toBeInstanceOf', (log) => expect(log).toBeInstanceOf(Array)],
    ['toBeTypeOf', (log) => expect(log).toBeTypeOf('object')],
    ['exist', (log) => expect(log).to.exist],
    ['ok', (log) => expect(log).to.be.ok],
    ['an array', (log) => expect(log).to.be.an('array')],
    ['equal', (log) => expect(log).to.equal(log)],
    ['assert', (log) => assert(log)],
    ['assert.ok', (log) => assert.ok(log)],
    ['assert.isArray', (log) => assert.isArray(log)],
    ['assert.strictEqual', (log) => assert.strictEqual(log, log)],
    ['node assert', (log) => nodeAssert(log)],
    ['node assert.ok', (log) => nodeAssert.ok(log)],
    ['node assert.strictEqual', (log) => nodeAssert.strictEqual(log, log)],
  ])('%s', async ([, assertion]) => expect(await pushing(assertion)).toBe(1))
})

describe('the order: 3! executions', () => {
  test.for<[string, (log: string[]) => unknown]>([
    ['toEqual', (log) => expect(log).toEqual(expect.arrayContaining(['a', 'b', 'c']))],
    ['toStrictEqual', (log) => expect(log).toStrictEqual(any)],
    ['toMatchObject', (log) => expect(log).toMatchObject(any)],
    ['toHaveProperty of an element', (log) => expect(log).toHaveProperty('0')],
    ['toContainEqual of the log', (log) => expect([log]).toContainEqual(any)],
    ['toSatisfy', (log) => expect(log).toSatisfy((list: string[]) => list[0] !== 'z')],
    ['deep equal', (log) => expect(log).to.not.deep.equal(['a'])],
    ['eql', (log) => expect(log).to.not.eql(['a'])],
    ['ordered members', (log) => expect(log).to.not.have.ordered.members(['a'])],
    ['resolves.toEqual', (log) => expect(Promise.resolve(log)).resolves.toEqual(any)],
    ['rejects.toEqual', (log) => expect(Promise.reject(log)).rejects.toEqual(any)],
    ['assert.notDeepEqual', (log) => assert.notDeepEqual(log, ['a'])],
    ['node assert.notDeepStrictEqual', (log) => nodeAssert.notDeepStrictEqual(log, ['a'])],
    ['node assert.notDeepEqual', (log) => nodeAssert.notDeepEqual(log, ['a'])],
    ['toEqual by another name', (log) => check(log).toEqual(any)],
    ['expect.soft', (log) => expect.soft(log).toEqual(any)],
    ['toEqual, the log as what is expected', (log) => expect(any).toEqual(log)],
    ['a matcher of the log', (log) => expect({ log: ['a', 'b', 'c'] }).not.toEqual(expect.objectContaining({ log, more: 1 }))],
    ['util.isDeepStrictEqual', (log) => expect(util.isDeepStrictEqual(log, ['x'])).toBe(false)],
    ['util.inspect', (log) => expect(util.inspect(log)).toHaveLength(17)],
    ['node assert/strict.notDeepEqual', (log) => strictAssert.notDeepEqual(log, ['a'])],
  ])('%s', async ([, assertion]) => expect(await pushing(assertion)).toBe(6))
})

test('an assertion that waits for what it expects looks when it has that', async () => {
  const { executions } = await explore(async () => {
    const log: string[] = []
    const add = async (name: string) => {
      await null
      log.push(name)
    }
    const waiting = async () => {
      try {
        expect(log).toEqual(await Promise.resolve([]))
      } catch {}
    }
    await Promise.all([add('a'), waiting()])
  }, { stopOnFirst: false })
  expect(executions).toBe(2)
})

describe('keys that two tasks add', () => {
  test.for<[string, (found: { object: object; map: Map<string, number>; set: Set<string> }) => unknown, number]>([
    ['toEqual of an object', ({ object }) => expect(object).toEqual({ a: 1, b: 1 }), 1],
    ['toStrictEqual of a Map', ({ map }) => expect(map).toStrictEqual(new Map([['a', 1], ['b', 1]])), 1],
    ['toEqual of a Set', ({ set }) => expect(set).toEqual(new Set(['a', 'b'])), 1],
    ['toEqual of the keys', ({ object }) => expect(Object.keys(object)).toHaveLength(2), 2],
    ['deep equal of an object', ({ object }) => expect(object).to.deep.equal({ a: 1, b: 1 }), 1],
    ['a text', ({ map }) => expect(JSON.stringify([...map])).toHaveLength(17), 2],
  ])('%s', async ([, assertion, executions]) => {
    const explored = await explore(async () => {
      const found = { object: {} as Record<string, number>, map: new Map<string, number>(), set: new Set<string>() }
      const add = async (key: string) => {
        await null
        found.object[key] = 1
        found.map.set(key, 1)
        found.set.add(key)
      }
      await Promise.all([add('a'), add('b')])
      assertion(found)
    }, { stopOnFirst: false })
    expect(explored).toMatchObject({ verdict: 'holds', executions })
  })
})

describe('one part of an object', () => {
  test.for<[string, (state: { count: number; log: string[] }) => unknown, number]>([
    ['toHaveProperty', (state) => expect(state).toHaveProperty('count'), 1],
    ['toHaveProperty with a value', (state) => expect(state).toHaveProperty('count', 3), 1],
    ['toHaveProperty of the log', (state) => expect(state).toHaveProperty('log', any), 6],
    ['toHaveProperty by a path', (state) => expect(state).toHaveProperty('log.length', 3), 1],
    ['toHaveProperty by a list', (state) => expect(state).toHaveProperty(['log', 'length'], 3), 1],
    ['toHaveProperty by a path to an element', (state) => expect(state).toHaveProperty('log[0]'), 6],
    ['toMatchObject', (state) => expect(state).toMatchObject({ count: 3 }), 1],
    ['toMatchObject of the log', (state) => expect(state).toMatchObject({ log: any }), 6],
    ['toMatchObject of the length', (state) => expect(state).toMatchObject({ log: { length: 3 } }), 1],
    ['toEqual', (state) => expect(state).not.toEqual({ count: 3 }), 6],
    ['objectContaining', (state) => expect(state).toEqual(expect.objectContaining({ count: 3 })), 6],
    ['property', (state) => expect(state).to.have.property('count', 3), 1],
    ['assert.property', (state) => assert.property(state, 'count'), 1],
    ['assert.propertyVal', (state) => assert.propertyVal(state, 'count', 3), 1],
  ])('%s', async ([, assertion, executions]) => expect(await within(assertion)).toBe(executions))
})

describe('calls of a mock', () => {
  test.for<[string, (mock: (name: string) => void) => unknown, number]>([
    ['nothing', () => {}, 1],
    ['toHaveBeenCalled', (mock) => expect(mock).toHaveBeenCalled(), 1],
    ['toHaveBeenCalledTimes', (mock) => expect(mock).toHaveBeenCalledTimes(3), 1],
    ['not.toHaveBeenCalledOnce', (mock) => expect(mock).not.toHaveBeenCalledOnce(), 1],
    ['toHaveReturnedTimes', (mock) => expect(mock).toHaveReturnedTimes(3), 1],
    ['toHaveBeenCalledWith', (mock) => expect(mock).toHaveBeenCalledWith('a'), 1],
    ['not.toHaveBeenCalledWith', (mock) => expect(mock).not.toHaveBeenCalledWith('z'), 1],
    ['toHaveBeenLastCalledWith', (mock) => expect(mock).toHaveBeenLastCalledWith(expect.any(String)), 6],
    ['toHaveBeenNthCalledWith', (mock) => expect(mock).toHaveBeenNthCalledWith(1, expect.any(String)), 6],
    ['its calls', (mock) => expect(vi.mocked(mock).mock.calls[0]).toHaveLength(1), 6],
  ])('%s', async ([, assertion, executions]) => expect(await calling(assertion)).toBe(executions))
})

test('a class of errors with a field for its cause: how many of them were made makes no difference', async () => {
  class Refused extends Error {
    override cause: unknown
    constructor(cause: unknown) {
      super('refused', { cause })
      this.cause = cause
    }
  }
  const refuse = async (i: number) => {
    await null
    throw new Refused(i)
  }
  const { verdict, executions } = await explore(async () => {
    for (let i = 0; i < 4; i++) await expect(refuse(i)).rejects.toThrow()
  })
  expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 1 })
})
