import { describe, expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

// oxlint-disable no-new-func

/** Code that is sloppy, as packages are that were never told to be strict, in an exploration and outside of one. */
const run = async (text: string): Promise<unknown> => {
  const plainly = new Function(text)() as unknown
  const { seen } = await outcomes(async () => {
    const make = new Function(text)
    await null
    return make() as unknown
  })
  expect(seen).toEqual([JSON.stringify(plainly)])
  return plainly
}

describe('what cannot be assigned or removed stays as it is in sloppy code, and nothing is thrown', () => {
  test.each([
    ['a property that is read-only', 'const f = (a, b) => a; f.length = 5; return f.length', 2],
    ['of a frozen object', 'const o = Object.freeze({ a: 1 }); o.a = 2; o.a += 1; o.a++; ++o.a; o.a ||= 3; o.a &&= 3; [o.a] = [4]; for (o.a of [5]); o.b = 1; return [o, o.a--, o.a -= 1, o.a = 9]', [{ a: 1 }, 1, 0, 9]],
    ['of its own in a frozen object', 'const o = Object.freeze({ a: 1 }); return [delete o.a, o.a, delete o.b]', [false, 1, true]],
    ['an accessor without a setter', 'const o = { get a() { return 1 } }; o.a = 2; o.a++; return o.a', 1],
    ['what is inherited and read-only', 'const o = Object.create(Object.freeze({ a: 1 })); o.a = 2; return [o.a, Object.keys(o)]', [1, []]],
    ['of a text or a number', 'const s = "text", n = 1; s.length = 1; s.name = 2; n.name = 3; n.name++; return [s.length, s.name === undefined, delete s.length, delete n.name]', [4, true, false, true]],
    ['what a trap refuses', 'const p = new Proxy({ a: 1 }, { set: () => false, deleteProperty: () => false }); p.a = 2; return [p.a, delete p.a]', [1, false]],
    ['the length of a frozen list', 'const list = Object.freeze([1, 2]); list.length = 0; list[0] = 3; return list', [1, 2]],
  ])('%s', async (_name, text, expected) => {
    expect(await run(text)).toEqual(expected)
  })
})

describe('what throws in sloppy code as well', () => {
  const thrown = (code: string): string => `try { ${code}; return "nothing" } catch (error) { return error.name }`
  test.each([
    ['a setter', 'const o = { set a(value) { throw new RangeError() } }; o.a = 2', 'RangeError'],
    ['a trap', 'const p = new Proxy({}, { set() { throw new RangeError() } }); p.a = 2', 'RangeError'],
    ['what is no length', '[].length = -1', 'RangeError'],
    ['Object.assign', 'Object.assign(Object.freeze({ a: 1 }), { a: 2 })', 'TypeError'],
    ['a function of it that is strict', '(function () { "use strict"; Object.freeze([1])[0] = 2 })()', 'TypeError'],
    ['a class in it', 'new (class { a = Object.freeze([1]); b() { delete this.a[0] } })().b()', 'TypeError'],
    ['what is strict as a whole', '"use strict"; Object.freeze([1])[0]++', 'nothing'],
    ['what follows a strict function is sloppy again', '(function () { "use strict"; return [1].length })(); Object.freeze([1])[0] = 2', 'nothing'],
  ])('%s', async (_name, code, expected) => {
    expect(await run(thrown(code))).toBe(expected)
  })

  test('strict code', async () => {
    expect(await run('"use strict"; try { Object.freeze([1])[0]++ } catch (error) { return error.name }')).toBe('TypeError')
  })
})
