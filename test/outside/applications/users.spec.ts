import { dporTest } from 'vitest-dpor'
import { expect } from 'vitest'
import { Loader } from 'tiny-loader'

for (const isFixed of [false, true])
  dporTest(`a loader after a change, ${isFixed ? 'without' : 'with a race'}`, async () => {
    const rows = new Map([['1', 'ann']])
    const loader = new Loader(async (keys: string[]) => {
      await null
      return keys.map((key) => rows.get(key))
    })
    await loader.load('1')
    const rename = async () => {
      if (!isFixed) loader.clear('1')
      await null
      rows.set('1', 'eve')
      if (isFixed) loader.clear('1')
    }
    const read = async () => {
      await null
      await loader.load('1')
    }
    await Promise.all([read(), rename()])
    expect(await loader.load('1')).toBe('eve')
  })
