import { assert, describe, expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

/** What an assertion of one task says while another changes what it looks at. */
async function saying(change: () => unknown, assertion: () => unknown): Promise<string[]> {
  const { seen } = await outcomes(async () => {
    let said
    const changing = async () => {
      await null
      change()
    }
    const asserting = async () => {
      await null
      try {
        await assertion()
        said = 'passes'
      } catch {
        said = 'fails'
      }
    }
    await Promise.all([changing(), asserting()])
    return said
  })
  return seen
}

describe('an error that is shared', () => {
  test.for<[string, (error: Error) => unknown]>([
    ['toThrow', (error) => expect(() => { throw error }).toThrow('one')],
    ['toThrowError', (error) => expect(() => { throw error }).toThrowError(/one/)],
    ['not.toThrow', (error) => expect(() => { throw error }).not.toThrow('two')],
    ['throw', (error) => expect(() => { throw error }).to.throw('one')],
    ['assert.throws', (error) => assert.throws(() => { throw error }, /one/)],
    ['rejects.toThrow', (error) => expect(Promise.reject(error)).rejects.toThrow('one')],
  ])('%s', async ([, assertion]) => {
    const seen = await saying(
      () => (shared.error.message = 'two'),
      () => assertion(shared.error),
    )
    expect(seen).toEqual(['"fails"', '"passes"'])
  })
})

const shared = { error: new Error('one') }

class One {
  k = 1
}

class Two {}

describe('an object whose class changes', () => {
  test.for<[string, (object: object) => unknown]>([
    ['toStrictEqual', (object) => expect(object).toStrictEqual(new One())],
    ['deep equal', (object) => expect(object).to.deep.equal(new One())],
    ['assert.deepEqual', (object) => assert.deepEqual(object, new One())],
    ['toBeInstanceOf', (object) => expect(object).toBeInstanceOf(One)],
  ])('%s', async ([, assertion]) => {
    const { seen } = await outcomes(async () => {
      const object = new One()
      let said
      const changing = async () => {
        await null
        Object.setPrototypeOf(object, Object.assign(Object.create(Two.prototype), { more: 1 }))
      }
      const asserting = async () => {
        await null
        try {
          assertion(object)
          said = 'passes'
        } catch {
          said = 'fails'
        }
      }
      await Promise.all([changing(), asserting()])
      return said
    })
    expect(seen).toEqual(['"fails"', '"passes"'])
  })
})
