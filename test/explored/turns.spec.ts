import { describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

describe('reactions that come one after another', () => {
  test('change no name of what their step makes, once their order is found to matter', async () => {
    const { verdict, failures } = await explore(async () => {
      const settled = Promise.resolve()
      const make = async () => {
        await null
        const first = settled.then(() => 1)
        const list: number[] = []
        list.push(1)
        const record: Record<string, number> = {}
        record['a'] = 1
        return [await first, list.length, Object.keys(record).length]
      }
      expect(await Promise.all([make(), make()])).toEqual([[1, 1, 1], [1, 1, 1]])
    })
    expect({ verdict, failures }).toEqual({ verdict: 'holds', failures: [] })
  })
})
