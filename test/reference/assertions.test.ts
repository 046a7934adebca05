import { chai, expect, test, vi } from 'vitest'
import { problemsOf } from './check-case.ts'
import { compare } from './compare.ts'
import { scope } from './scope.ts'

/** Bodies assert with what Vitest's assertions are made of. */
const withAssertions = () => ({ ...scope(), expect: chai.expect, assert: chai.assert, vi: { fn: vi.fn } })

/** Of so many bodies one is compared. */
const share = 3

const things: readonly { readonly make: string; readonly changes: readonly string[]; readonly assertions: readonly string[] }[] = [
  { make: `const o = ['a', 'b']`, changes: [`o.push('c')`, 'o.pop()', `o[0] = 'z'`, 'o.reverse()', 'o.length = 0', `o.unshift('c')`, 'o.x = 1', `o[5] = 'q'`, 'delete o[0]', 'o.sort()', 'Object.freeze(o)', 'Object.setPrototypeOf(o, null)'],
    assertions: ['expect(o).toHaveLength(2)', `expect(o).toContain('c')`, `expect(o).not.toContain('a')`, `expect(o).toContainEqual('b')`, `expect(o).toEqual(['a', 'b'])`, `expect(o).toStrictEqual(['a', 'b'])`, `expect(o).toMatchObject(['a', 'b'])`, `expect(o).toHaveProperty('length', 2)`, `expect(o).toHaveProperty('0', 'a')`, `expect(o).toHaveProperty('x')`, `expect(o).toHaveProperty([1], 'b')`, `expect(o).to.include('c')`, 'expect(o).to.have.length(2)', 'expect(o).to.have.lengthOf.above(2)', 'expect(o).to.be.empty', 'expect(o).to.not.be.empty', `expect(o).to.have.members(['b', 'a'])`, `expect(o).to.have.ordered.members(['a', 'b'])`, `expect(o).to.include.members(['c'])`, `expect(o).to.deep.equal(['a', 'b'])`, `expect(o).to.eql(['a', 'b'])`, `expect(o).to.deep.include('c')`, 'expect(o).toBeInstanceOf(Array)', `expect(o).to.be.an('array')`, 'expect(o).toSatisfy((l) => l.length === 2)', `expect(['a', 'b']).toEqual(o)`, `expect({ o }).toMatchObject({ o: ['a', 'b'] })`, `expect({ o }).toHaveProperty('o.length', 2)`, `expect({ o }).toHaveProperty('o[0]', 'a')`, `expect([o]).toContainEqual(['a', 'b'])`, `expect(o).toEqual(expect.arrayContaining(['c']))`, 'assert.lengthOf(o, 2)', `assert.include(o, 'c')`, `assert.deepEqual(o, ['a', 'b'])`, `assert.sameMembers(o, ['b', 'a'])`, 'assert.isEmpty(o)', `assert.property(o, 'x')`, `assert.nestedProperty({ o }, 'o[2]')`, 'assert.isFrozen(o)', 'expect(o).to.be.frozen', 'expect(Object.isFrozen(o)).toBe(true)', `expect(o.includes('c')).toBe(true)`, `expect(o.at(-1)).toBe('b')`, `expect(o[0]).toBe('a')`, `expect(o.join()).toMatch('c')`] },
  { make: 'const o = { a: 1, b: { c: [1] } }', changes: ['o.a = 2', 'o.z = 1', 'delete o.a', 'o.b.c.push(2)', 'o.b.d = 1', 'o.b = null', `Object.defineProperty(o, 'a', { enumerable: false })`, 'Object.setPrototypeOf(o, { q: 1 })', 'o.b.c[0] = 9'],
    assertions: ['expect(o).toEqual({ a: 1, b: { c: [1] } })', 'expect(o).toStrictEqual({ a: 1, b: { c: [1] } })', 'expect(o).toMatchObject({ a: 1 })', 'expect(o).toMatchObject({ b: { c: [1] } })', 'expect(o).toMatchObject({ b: { c: { length: 1 } } })', 'expect(o).toMatchObject({ b: {} })', 'expect(o).toMatchObject({ z: 1 })', `expect(o).toHaveProperty('a')`, `expect(o).toHaveProperty('a', 1)`, `expect(o).toHaveProperty('b.c')`, `expect(o).toHaveProperty('b.c', [1])`, `expect(o).toHaveProperty('b.c[1]')`, `expect(o).toHaveProperty(['b', 'd'], 1)`, `expect(o).toHaveProperty('q')`, `expect(o).to.have.property('a', 1)`, `expect(o).to.have.property('q')`, `expect(o).to.have.own.property('z')`, `expect(o).to.have.nested.property('b.c[0]', 1)`, `expect(o).to.have.keys('a', 'b')`, `expect(o).to.have.all.keys('a', 'b')`, 'expect(o).to.include({ a: 1 })', 'expect(o).to.deep.include({ b: { c: [1] } })', 'expect(o).to.not.be.empty', 'expect(o).toEqual(expect.objectContaining({ a: 1 }))', 'expect({ a: 1, b: { c: [1] } }).toEqual(o)', 'expect(o).toBeInstanceOf(Object)', 'expect(o.b).toBeDefined()', 'expect(o.z).toBeUndefined()', 'expect(o.b).not.toBeNull()', `expect(o).to.have.property('b').that.has.property('d')`, `expect(o).to.have.property('b').with.property('c').with.lengthOf(1)`, `assert.property(o, 'z')`, `assert.propertyVal(o, 'a', 1)`, `assert.nestedPropertyVal(o, 'b.c[0]', 1)`, `assert.hasAllKeys(o, ['a', 'b'])`, 'assert.deepInclude(o, { b: { c: [1] } })', 'assert.isNotNull(o.b)', 'assert.isDefined(o.z)', 'assert.isOk(o.b)'] },
  { make: `const o = new Map([['a', { n: 1 }]])`, changes: [`o.set('b', 1)`, `o.delete('a')`, `o.get('a').n = 2`, 'o.clear()', `o.set('a', { n: 1 })`],
    assertions: [`expect(o).toEqual(new Map([['a', { n: 1 }]]))`, `expect(o).toHaveProperty('size', 1)`, 'expect(o).to.have.lengthOf(1)', 'expect(o).to.be.empty', `expect(o).to.have.keys('a')`, 'expect(o).to.deep.include({ n: 1 })', `expect(o.has('b')).toBe(true)`, `expect([...o.keys()]).toContain('b')`, `expect(o.get('a')).toEqual({ n: 1 })`, 'assert.lengthOf(o, 1)', `assert.hasAllKeys(o, ['a'])`, `expect(o).toMatchObject(new Map([['a', { n: 1 }]]))`] },
  { make: `const x = { n: 1 }; const o = new Set(['a', x])`, changes: [`o.add('b')`, `o.delete('a')`, 'x.n = 2', 'o.clear()'],
    assertions: [`expect(o).toContain('b')`, `expect(o).toContain('a')`, 'expect(o).toContainEqual({ n: 1 })', `expect(o).toEqual(new Set([{ n: 1 }, 'a']))`, `expect(o).to.include('b')`, 'expect(o).to.have.lengthOf(2)', `expect(o).toHaveProperty('size', 2)`, 'expect(o).to.be.empty', `assert.include(o, 'a')`, 'assert.isEmpty(o)', `expect(o).to.have.keys('a', x)`] },
  { make: 'const o = vi.fn((y) => y)', changes: [`o('a')`, 'o.mockReturnValue(5)', 'o.mockClear()', `o('b')`, 'o.mockReset()'],
    assertions: ['expect(o).toHaveBeenCalled()', 'expect(o).toHaveBeenCalledTimes(1)', `expect(o).toHaveBeenCalledWith('a')`, `expect(o).not.toHaveBeenCalledWith('b')`, `expect(o).toHaveBeenLastCalledWith('b')`, `expect(o).toHaveReturnedWith('a')`, 'expect(o.mock.calls).toHaveLength(1)', `expect(o.mock.calls[0]?.[0]).toBe('a')`, `expect(o.mock.lastCall).toEqual(['b'])`, `expect(o.mock.results).toEqual([{ type: 'return', value: 'a' }])`, `expect(o('c')).toBe('c')`] },
  { make: `const o = new Error('a', { cause: { n: 1 } })`, changes: [`o.message = 'b'`, 'o.cause.n = 2', `o.name = 'Z'`, 'o.extra = 1'], assertions: [`expect(o).toEqual(new Error('a'))`, `expect(o).toHaveProperty('message', 'a')`, `expect(o).toMatchObject({ message: 'a' })`, 'expect(o.cause).toEqual({ n: 1 })', `expect(o).toStrictEqual(new Error('a', { cause: { n: 1 } }))`, `expect(o).to.have.property('name', 'Error')`] },
  { make: 'const o = new Date(5)', changes: ['o.setTime(6)'], assertions: ['expect(o).toEqual(new Date(5))', 'expect(o.getTime()).toBe(5)', 'expect({ o }).toMatchObject({ o: new Date(5) })', 'expect(o).to.deep.equal(new Date(5))', 'assert.deepEqual(o, new Date(5))', `expect({ o }).toHaveProperty('o', new Date(5))`, 'expect([o]).toContainEqual(new Date(5))'] },
  { make: 'const o = new Uint8Array([1, 2])', changes: ['o[0] = 9', 'o.fill(2)'], assertions: ['expect(o).toEqual(new Uint8Array([1, 2]))', 'expect(o).toContain(1)', 'expect(o).toHaveLength(2)', `expect(o).toHaveProperty('0', 1)`, 'expect([...o]).toEqual([1, 2])', 'expect(o).to.deep.equal(new Uint8Array([1, 2]))', 'expect({ o }).toMatchObject({ o: new Uint8Array([1, 2]) })'] },
]

test.each(things)('an assertion about what another task changes passes or fails as it does in every order: $make', async ({ make, changes, assertions }) => {
  let position = 0
  for (const change of changes) {
    for (const assertion of assertions) {
      if (position++ % share !== 0) continue
      const source = `${make}
let seen
const changing = async () => { await null; ${change} }
const asserting = async () => { await null; try { ${assertion}; seen = 'passes' } catch { seen = 'fails' } }
await Promise.all([changing(), asserting()])
return seen`
      const comparison = await compare(source, { scope: withAssertions })
      expect(problemsOf(comparison), `${change} and ${assertion}`).toEqual([])
      expect(comparison.executions, `${change} and ${assertion}`).toBeLessThanOrEqual(2)
    }
  }
}, 120_000)
