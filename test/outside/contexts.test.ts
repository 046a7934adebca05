import { expect, test } from 'vitest'
import { project, run } from './project.ts'

/** A context of Vitest's own has typed arrays and buffers of its own, and some of Node's: each is seen, and put back. */
const bytes = `
import { expect, test, vi } from 'vitest'
const classes = [BigInt64Array, BigUint64Array, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Uint8Array, Uint16Array, Uint32Array, Uint8ClampedArray]
const wait = vi.fn(async () => 1)
for (const Class of classes) {
  const number = Class.name.startsWith('Big') ? BigInt : Number
  const older = { set: new Class(4), fill: new Class(4), copied: Class.from([1, 2, 3, 4].map(number)) }
  const change = () => {
    older.set.set([number(1)], 1)
    older.fill.fill(number(1))
    older.copied.copyWithin(0, 2).reverse()
  }
  test(Class.name + ' put back', async () => {
    expect([...older.set, ...older.fill, ...older.copied].map(Number)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4])
    change()
    let count = 0
    await Promise.all([1, 2].map(async () => { await null; count++ }))
    expect(count).toBe(2)
  })
  test(Class.name + ' race', async () => {
    const shared = new Class(2)
    const look = async () => { await wait(); return shared.includes(number(1)) }
    const put = async () => { await wait(); shared.fill(number(1)) }
    const [found] = await Promise.all([look(), put()])
    expect(found).toBe(false)
  })
}
test('a buffer', async () => {
  const { buffer } = new Uint16Array([1, 2])
  expect(new Uint8Array(buffer.slice(2)).length).toBe(2)
  await null
})
`

test.each(['threads', 'vmThreads', 'vmForks'])('typed arrays are seen and put back by %s', async (pool) => {
  const { names, test: report } = await run(project(`contexts-${pool}`, { 'bytes.spec.js': bytes }), `--pool=${pool}`, '--', '--dpor')
  const found = (kind: string): unknown[] => names.filter((name) => name.endsWith(kind)).map((name) => report(name).found?.found)
  expect(new Set(found('put back'))).toEqual(new Set(['holds']))
  expect(found('race')).toHaveLength(11)
  expect(new Set(found('race'))).toEqual(new Set(['race']))
})
