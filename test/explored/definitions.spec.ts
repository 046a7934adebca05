import { expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

test('a definition looks whether the property is new: it does not commute with an assignment', async () => {
  const result = await outcomes(async () => {
    const x: { a: number; b?: number } = { a: 0 }
    const assign = async () => {
      await null
      x.b = 3
    }
    const define = async () => {
      await null
      Object.defineProperty(x, 'b', { value: 2, configurable: true, writable: true, enumerable: true })
      await null
      delete x.b
    }
    await Promise.all([assign(), define()])
    return Object.entries(x)
  })
  expect(result).toEqual({ seen: ['[["a",0],["b",3]]', '[["a",0]]'], executions: 3, verdict: 'holds' })
})
