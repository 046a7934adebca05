import { beforeAll, describe, expect, test } from 'vitest'
import { config, project, run, type Run } from './project.ts'

/** Small utilities of the kind every project depends on, which await by themselves. */
const utilities: Record<string, string> = {
  delay: `
function delay(milliseconds, value) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, value))
}
`,
  limit: `
function limit(concurrency) {
  let active = 0
  const queue = []
  const next = () => {
    active--
    if (queue.length > 0) queue.shift()()
  }
  const start = async (work, resolve, args) => {
    active++
    const result = (async () => work(...args))()
    resolve(result)
    try { await result } catch {}
    next()
  }
  return (work, ...args) => new Promise((resolve) => {
    queue.push(start.bind(undefined, work, resolve, args))
    void (async () => {
      await Promise.resolve()
      if (active < concurrency && queue.length > 0) queue.shift()()
    })()
  })
}
`,
  map: `
async function map(items, mapper, { concurrency = Infinity } = {}) {
  const results = []
  const iterator = items.entries()
  const worker = async () => {
    for (const [index, item] of iterator) results[index] = await mapper(item, index)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  return results
}
`,
}

const modules = Object.fromEntries(
  Object.entries(utilities).flatMap(([name, text]) => [
    [`node_modules/${name}-esm/package.json`, `{ "name": "${name}-esm", "type": "module", "exports": "./index.js" }`],
    [`node_modules/${name}-esm/index.js`, `${text}export default ${name}\n`],
    [`node_modules/${name}-cjs/package.json`, `{ "name": "${name}-cjs", "main": "./index.js" }`],
    [`node_modules/${name}-cjs/index.js`, `'use strict'\n${text}module.exports = ${name}\n`],
  ]),
)

const spec = (format: string): string => `import { expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
import delay from 'delay-${format}'
import limit from 'limit-${format}'
import map from 'map-${format}'

const makeBump = () => {
  const counter = { n: 0 }
  const bump = async () => {
    const n = counter.n
    await null
    counter.n = n + 1
    return counter.n
  }
  return { counter, bump }
}
dporTest('${format} delay', async () => {
  const order: string[] = []
  const say = async (word: string, after: number) => { order.push(await delay(after, word)) }
  await Promise.all([say('later', 60_000), say('sooner', 1000)])
  expect(order).toEqual(['sooner', 'later'])
})
dporTest('${format} limit of one', async () => {
  const { counter, bump } = makeBump()
  const one = limit(1)
  await Promise.all([one(bump), one(bump), one(bump)])
  expect(counter.n).toBe(3)
})
dporTest('${format} limit of two', async () => {
  const { counter, bump } = makeBump()
  const two = limit(2)
  await Promise.all([two(bump), two(bump)])
  expect(counter.n).toBe(2)
})
dporTest('${format} map, one by one', async () => {
  const { counter, bump } = makeBump()
  expect(await map([1, 2, 3], bump, { concurrency: 1 })).toEqual([1, 2, 3])
  expect(counter.n).toBe(3)
})
dporTest('${format} map, all at once', async () => {
  const { counter, bump } = makeBump()
  await map([1, 2], bump)
  expect(counter.n).toBe(2)
})
dporTest('${format} limit, rejected', async () => {
  const one = limit(1)
  await expect(one(async () => { await null; throw new RangeError('no') })).rejects.toThrow('no')
})
`

describe.each([
  ['not instrumented', config('{ inline: [] }')],
  ['instrumented', config()],
])('dependencies, %s', (_, configuration) => {
  let result: Run
  beforeAll(async () => {
    result = await run(project('dependencies', { ...modules, 'vitest.config.ts': configuration, 'esm.spec.ts': spec('esm'), 'cjs.spec.ts': spec('cjs') }))
  })

  describe.each(['esm', 'cjs'])('%s', (format) => {
    test.each(['delay', 'limit of one', 'map, one by one', 'limit, rejected'])('%s: holds', (name) => {
      const { status, message, dpor } = result.test(`${format} ${name}`)
      expect(message).toBe('')
      expect(status).toBe('passed')
      expect(dpor).toMatchObject({ verdict: 'holds' })
    })

    test.each(['limit of two', 'map, all at once'])('%s: the lost update is found', (name) => {
      const { status, message, dpor } = result.test(`${format} ${name}`)
      expect(status).toBe('failed')
      expect(message).toMatch(/expected 1 to be 2/)
      expect(dpor).toMatchObject({ verdict: 'fails' })
    })

    test('an hour takes no time', () => {
      expect(result.test(`${format} delay`).milliseconds).toBeLessThan(1000)
    })
  })
})
