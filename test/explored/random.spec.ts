import nodeCrypto, { getRandomValues, randomBytes, randomFill, randomFillSync, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { nanoid } from 'nanoid'
import { describe, expect, test } from 'vitest'
import { dporTest, explore } from '../../src/index.ts'

const pool = Buffer.alloc(64)

const makers: Readonly<Record<string, () => string>> = {
  randomBytes: () => randomBytes(8).toString('hex'),
  'randomBytes of the module': () => nodeCrypto.randomBytes(8).toString('hex'),
  'randomUUID of the module': () => nodeCrypto.randomUUID(),
  randomFillSync: () => randomFillSync(new Uint32Array(4), 1, 2).join(),
  'randomFillSync of a pool': () => randomFillSync(pool).toString('hex'),
  'randomFillSync of what was never written': () => randomFillSync(Buffer.allocUnsafe(3000)).toString('hex'),
  randomInt: () => `${randomInt(2 ** 40)} ${randomInt(5, 2 ** 40)}`,
  nanoid: () => nanoid(),
  'what stands between the fields of a form': () => new Response(new FormData()).headers.get('content-type')!,
  'getRandomValues of the module': () => nodeCrypto.getRandomValues(new Uint8Array(8)).join(),
}

dporTest.each(Object.entries(makers))('%s is the same in every execution', async (_, make) => {
  const taken: Record<string, number> = {}
  const take = async (): Promise<void> => {
    await null
    taken[make()] = Object.keys(taken).length
  }
  await Promise.all([take(), take()])
  expect(Object.keys(taken)).toHaveLength(2)
})

const bytesLater = promisify(randomBytes)
const fillLater = promisify(randomFill) as unknown as (view: Uint8Array) => Promise<Uint8Array>

const laterMakers: Readonly<Record<string, () => Promise<string>>> = {
  randomBytes: () => new Promise((resolve) => { randomBytes(8, (_, bytes) => { resolve(bytes.toString('hex')) }) }),
  'a promise of randomBytes': async () => (await bytesLater(16)).toString('hex'),
  randomFill: () => new Promise((resolve) => { const numbers = new Uint32Array(4); randomFill(numbers, 1, 2, () => { resolve(numbers.join()) }) }),
  'a promise of randomFill': async () => (await fillLater(new Uint8Array(9))).join(),
}

dporTest.each(Object.entries(laterMakers))('what %s answers later is the same in every execution', async (_, make) => {
  const taken: Record<string, number> = {}
  const take = async (): Promise<void> => {
    const name = await make()
    taken[name] = Object.keys(taken).length
  }
  await Promise.all([take(), take()])
  expect(Object.keys(taken)).toHaveLength(2)
})

test('no more is filled than was asked for, and wrong arguments are refused', async () => {
  const { verdict, failures } = await explore(async () => {
    const numbers = randomFillSync(new Uint32Array(4), 1, 2)
    expect([numbers[0], numbers[3]]).toEqual([0, 0])
    expect(() => randomFillSync(numbers, 5)).toThrow(RangeError)
    expect(() => randomBytes(-1)).toThrow(RangeError)
    expect(randomInt(7)).toBeLessThan(7)
    expect(randomInt(7, 9)).toBeGreaterThan(6)
  })
  expect({ verdict, failures }).toEqual({ verdict: 'holds', failures: [] })
})

const askers: Readonly<Record<string, () => unknown>> = {
  'globalThis.crypto': () => globalThis.crypto.randomUUID(),
  'crypto.subtle': () => crypto.subtle,
  'getRandomValues of the module': () => nodeCrypto.getRandomValues(new Uint8Array(4)).join(),
  'getRandomValues, imported': () => getRandomValues(new Uint8Array(4)).join(),
}

test.each(Object.entries(askers))('who asks for %s first decides nothing', async (_, ask) => {
  const take = async (): Promise<void> => {
    for (let i = 0; i < 3; i++) {
      await null
      ask()
    }
  }
  expect(await explore(() => Promise.all([take(), take()]))).toMatchObject({ verdict: 'holds', executions: 1, opaque: [] })
})

test('whoever replaces globalThis.crypto comes before or after whoever asks for it', async () => {
  const replace = async (): Promise<void> => {
    await null
    Object.defineProperty(globalThis, 'crypto', { value: { randomUUID: () => 'a fake' }, configurable: true })
  }
  const ask = async (): Promise<string> => {
    await null
    return globalThis.crypto.randomUUID()
  }
  const { verdict, executions } = await explore(async () => {
    const [id] = await Promise.all([ask(), replace()])
    if (id === 'a fake') throw new Error('it was replaced')
  }, { stopOnFirst: false })
  expect({ verdict, executions }).toEqual({ verdict: 'fails', executions: 2 })
  expect(crypto.randomUUID()).not.toBe('a fake')
})

dporTest('Math.random has as many digits as that of the platform', async () => {
  const numbers = Array.from({ length: 100 }, () => Math.random())
  await null
  expect(numbers.filter((number) => number * 2 ** 32 !== Math.floor(number * 2 ** 32)).length).toBeGreaterThan(90)
  expect(numbers.filter((number) => number * 2 ** 45 !== Math.floor(number * 2 ** 45)).length).toBeGreaterThan(90)
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true)
})

describe('tests draw numbers of their own', () => {
  const drawn: number[] = []
  dporTest('one', async () => void drawn.push(Math.random()))
  dporTest('another', async () => void drawn.push(Math.random()))

  test('as they do without this package: a file that one of them has named so is not found by the other', () => {
    expect(drawn).toHaveLength(2)
    expect(drawn[0]).not.toBe(drawn[1])
  })
})
