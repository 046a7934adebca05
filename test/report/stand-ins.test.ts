import { describe, expect, test, vi } from 'vitest'
import { explain } from '../../src/report/index.ts'
import { run, headlineOf, madeOf } from './executed.ts'

const testFile = '/app/stand-ins.spec.cjs'

const store = madeOf(
  `return (disk) => ({
  async add(item) {
    const all = await disk.read()
    await disk.write([...all, item])
  },
})`,
  '/app/store.cjs',
)

const added = `
  let text = '[]'
  const own = store({ read: async () => { await null; return JSON.parse(text) }, write: async (all) => { await null; text = JSON.stringify(all) } })
  await Promise.all([own.add('a'), own.add('b')])
  if (JSON.parse(text).length !== 2) throw new Error(text)`

describe('what stands in for a disk in the test', () => {
  test.each(['await', 'event-loop'] as const)('is told with where the code under test has called it, by %s', async (interleave) => {
    const text = await headlineOf(added, { given: { store }, testFile, interleave })
    expect(text).toMatch(/^Lost update on text: add#\d wrote/)
    expect(text).toMatch(/ store\.cjs:3 > stand-ins\.spec\.cjs:\d+ read text/)
    expect(text).toMatch(/ store\.cjs:4 > stand-ins\.spec\.cjs:\d+ write text/)
  })

  test.each(['await', 'event-loop'] as const)('also where it is a mock, by %s', async (interleave) => {
    const code = added.replaceAll(/(read|write): async (.*?\})(?=, write| \})/g, '$1: vi.fn(async $2)')
    const text = await headlineOf(code, { given: { store, vi }, testFile, interleave })
    expect(text).toMatch(/ store\.cjs:3 > stand-ins\.spec\.cjs:\d+ read text/)
    expect(text).toMatch(/ store\.cjs:4 > stand-ins\.spec\.cjs:\d+ write text/)
  })

  test.each(['await', 'event-loop'] as const)('a plain function as well, by %s, and the first lines say so', async (interleave) => {
    const text = await headlineOf(
      `
  let text = '[]'
  const answer = (work) => new Promise((resolve) => setTimeout(() => resolve(work()), 1))
  const own = store({ read: () => { const all = JSON.parse(text); return answer(() => all) }, write: (all) => { text = JSON.stringify(all); return answer(() => {}) } })
  await Promise.all([own.add('a'), own.add('b')])
  if (JSON.parse(text).length !== 2) throw new Error(text)`,
      { given: { store }, testFile, interleave },
    )
    expect(text).toMatch(/^Lost update on text: .*Called from store\.cjs:3 \(add#\d\) and store\.cjs:4 \(add#\d\)\./)
    expect(text).toMatch(/ store\.cjs:3 > stand-ins\.spec\.cjs:\d+ read text/)
    expect(text).toMatch(/ store\.cjs:4 > stand-ins\.spec\.cjs:\d+ write text/)
  })

  test('what a package calls later is told by the place from where it does', async () => {
    const locks = madeOf('return () => { const queue = []; return { reading: (work) => work(), writing: async (work) => { await null; return work() } } }', '/app/node_modules/locks/index.cjs')
    const text = await headlineOf(
      `const lock = locks()
      let reading = 0
      const none = () => { if (reading) throw new Error('reading') }
      await Promise.all([lock.reading(async () => { reading++; await null; reading-- }), lock.writing(() => none())])`,
      { given: { locks }, testFile },
    )
    expect(text).toMatch(/^Order violation on reading: .* Called from index\.cjs:1 \(/)
    expect(text).toMatch(/ index\.cjs:1 > stand-ins\.spec\.cjs:\d+ read reading/)
  })

  test('and not where the test has called it itself', async () => {
    const text = await headlineOf(`${added.replace("own.add('b')", "(async () => { const all = JSON.parse(text); await null; text = JSON.stringify([...all, 'b']) })()")}`, { given: { store }, testFile })
    expect(text).toMatch(/ stand-ins\.spec\.cjs:\d+ read text/)
    expect(text).toMatch(/\d +\S+ +stand-ins\.spec\.cjs:\d+ (?:read|write) text/)
  })
})

test('a variable of a minified package has the name that it has in the source', async () => {
  const given = { count: madeOf('let o = 0; return async () => { const n = o; await null; o = n + 1; return o }', '/app/node_modules/tally/tally.min.cjs') }
  const { result, recording } = await run("await Promise.all([count(), count()]); if ((await count()) !== 3) throw new Error('lost')", { given })
  const [failure] = result.failures
  const story = (name: string | undefined): string => explain({ recording: recording!, failure: failure!, executions: result.executions, complete: true, root: '/', name: 'the test', original: (place) => ({ ...place, file: '/app/node_modules/tally/tally.ts', ...(name !== undefined && { name }) }) }).headline
  expect(story('total')).toMatch(/^Lost update on total: /)
  expect(story(undefined)).toMatch(/^Lost update on o: /)
})

test('a mock is called what it is kept as', async () => {
  const text = await headlineOf("const api = { load: vi.fn(async () => { const n = total; await null; total = n + 1 }) }; let total = 0; await Promise.all([api.load(), api.load()]); if (total !== 2) throw new Error('lost')", { given: { vi } })
  expect(text).toMatch(/^Lost update on total: load#2 wrote 1 from a value read before load#1 wrote 1\./)
})
