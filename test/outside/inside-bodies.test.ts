import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { project, run, type Run } from './project.ts'

const race = `import { afterEach, beforeEach, describe, expect, onTestFailed, onTestFinished, vi } from 'vitest'
import { dporTest } from 'vitest-dpor'
/** 4 in the plain order, 5 in the other. */
async function race() {
  const shared = { n: 0 }
  await Promise.all([1, 2].map(async (i) => { await null; shared.n = shared.n * 2 + i }))
  return shared.n
}
`

/** Tests whose name says FAIL have to fail, all others to pass. */
function expectEnds({ names, test: report }: Run): void {
  expect(names.filter((name) => (report(name).status === 'failed') !== name.includes('(FAIL)')).map((name) => `${name}: ${report(name).message}`)).toEqual([])
}

describe('what Vitest keeps of a test', () => {
  let result: Run
  beforeAll(async () => {
    result = await run(project('inside', {
      'inside.spec.ts': `${race}
dporTest('assertions', async () => { expect.assertions(1); expect(await race()).toBeGreaterThan(3) })
dporTest('assertions (FAIL)', async () => { expect.assertions(1); const n = await race(); if (n === 4) expect(n).toBe(4) })
dporTest('hasAssertions (FAIL)', async () => { expect.hasAssertions(); const n = await race(); if (n === 4) expect(n).toBe(4) })
dporTest('assertions of the context', async ({ expect }) => { expect.assertions(1); expect(await race()).toBeGreaterThan(3) })
dporTest('assertions of the context (FAIL)', async ({ expect }) => { expect.assertions(1); const n = await race(); if (n === 5) expect(n).toBe(5) })
describe('asked by a hook', () => {
  beforeEach(() => { expect.hasAssertions() })
  dporTest('asked', async () => { expect(await race()).toBeGreaterThan(3) })
  dporTest('asked (FAIL)', async () => { const n = await race(); if (n === 4) expect(n).toBe(4) })
})
dporTest('soft', async () => { expect.soft(await race()).toBeGreaterThan(3) })
dporTest('soft (FAIL)', async () => { const n = await race(); expect.soft(n).toBe(4); expect.soft(n + 1).toBe(5) })
dporTest('unreachable (FAIL)', async () => { if (await race() === 5) expect.unreachable() })
dporTest('skip', async (context) => { await race(); context.skip() })
dporTest('retry and repeats', { retry: 1, repeats: 1 }, async () => { expect(await race()).toBeGreaterThan(3) })
dporTest('handlers for the end', { reproduce: 1 }, async () => {
  onTestFinished(() => { process.stderr.write('[finished]') })
  onTestFailed(() => { process.stderr.write('[failed]') })
  await race()
})
dporTest('handlers for the end (FAIL)', { reproduce: 1 }, async () => {
  onTestFinished(async () => { await null; process.stderr.write('[2 finished]') })
  onTestFailed(() => { process.stderr.write('[2 failed]') })
  expect(await race()).toBe(4)
})
dporTest('in a handler (FAIL)', async ({ onTestFinished }) => { let n = 0; onTestFinished(() => { expect(n).toBe(4) }); n = await race() })
dporTest('one line', async () => { await null; console.log('printed once') })
dporTest('lines (FAIL)', async () => { const n = await race(); console.log('line of ' + n); expect(n).toBe(4) })
dporTest('rejects (FAIL)', async () => { const n = await race(); await expect(Promise.reject(new Error(String(n)))).rejects.toThrow('4') })
`,
      'below/loaded.ts': 'export const one = 1\n',
      'below/loads.spec.ts': `import { expect, test, vi } from 'vitest'
import { dporTest } from 'vitest-dpor'
test('loads by a path that is known only now', async () => { const file = './loaded'; expect([await vi.importActual(file), await vi.importMock(file)]).toMatchObject([{ one: 1 }, { one: 1 }]) })
dporTest('loads within an exploration', async () => { const file = './loaded'; expect(await vi.importActual(file)).toMatchObject({ one: 1 }) })
`,
      'fails.spec.ts': `import { generateKeySync } from 'node:crypto'
${race}
dporTest.fails('fails', async () => { expect(await race()).toBe(4) })
dporTest('fails, by option', { fails: true }, async () => { expect(await race()).toBe(4) })
dporTest.fails.each([1, 2])('fails, case %i', async () => { expect(await race()).toBe(4) })
dporTest.fails('passes (FAIL)', async () => { expect(await race()).toBeGreaterThan(3) })
dporTest.fails('bad option (FAIL)', { maxExecutions: -1 }, async () => { expect(1).toBe(2) })
const newKey = () => generateKeySync('aes', { length: 128 }).export().readUInt32LE()
dporTest.fails('differs each time (FAIL)', async () => { const shared = { n: newKey() }; await Promise.all([1, 2].map(async (i) => { await null; shared.n = shared.n * i + newKey() })); throw new Error() })
dporTest.fails('not instrumented (FAIL)', eval('async () => { throw new Error() }'))
`,
      'waits.spec.ts': `${race}
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const ready = () => { const state = { is: false }; void sleep(200_000).then(() => { state.is = true }); return state }
dporTest('waitFor', async () => { const state = ready(); await vi.waitFor(() => { expect(state.is).toBe(true) }, { timeout: 300_000, interval: 70_000 }) })
dporTest('waitFor an async callback', async () => { const state = ready(); expect(await vi.waitFor(async () => { await null; if (!state.is) throw new Error('no'); return 1 }, { timeout: 300_000, interval: 70_000 })).toBe(1) })
dporTest('waitFor in vain', async () => { await expect(vi.waitFor(() => { throw new Error('never') }, { timeout: 1e5, interval: 1e4 })).rejects.toThrow('never') })
dporTest('waitUntil', async () => { const state = ready(); expect(await vi.waitUntil(() => state.is, { timeout: 300_000, interval: 70_000 })).toBe(true) })
dporTest('poll', async () => { const state = ready(); await expect.poll(() => state.is, { timeout: 300_000, interval: 70_000 }).toBe(true) })
dporTest('poll in vain', async () => { await expect(expect.poll(() => 1, { timeout: 200 }).toBe(2)).rejects.toThrow() })
dporTest('two that wait for each other', async () => {
  const state = { a: 0, b: 0 }
  const one = async () => { await sleep(100); state.a = 1; await vi.waitFor(() => expect(state.b).toBe(1)) }
  const two = async () => { await vi.waitFor(() => expect(state.a).toBe(1)); state.b = 1 }
  await Promise.all([one(), two()])
})
describe('with fake timers', () => {
  beforeEach(() => { vi.useFakeTimers() })
  afterEach(() => { vi.useRealTimers() })
  dporTest('waitFor moves them', async () => { let is = false; setTimeout(() => { is = true }, 200); await vi.waitFor(() => { expect(is).toBe(true) }) })
})
`,
    }))
  })

  test('belongs to each execution', () => {
    expectEnds(result)
    expect(result.test('fails').dpor).toMatchObject({ verdict: 'fails', executions: 2 })
    expect(result.test('differs each time (FAIL)').message).toContain('diverged')
    expect(result.test('waitFor').milliseconds).toBeLessThan(5000)
  })

  test('handlers for the end are called once for each execution', () => {
    const count = (text: string): number => result.output.split(text).length - 1
    // Two executions, and one that checks that the verdict repeats.
    expect([count('[finished]'), count('[failed]')]).toEqual([3, 0])
    // And those that look for the cause of the failure, with its race turned round or its calls one after the other, and for events that lead to it: they end as well. Twice,
    // by awaits and by events, the plain run is seen to pass after the failure.
    expect([count('[2 finished]'), count('[2 failed]')]).toEqual([16, 8])
  })

  test('the console shows the first and the failing execution', () => {
    const lines = result.output.split('\n')
    expect(lines.filter((line) => line === 'printed once')).toHaveLength(1)
    const first = lines.indexOf('line of 4')
    expect(lines.slice(first - 1, first + 3)).toEqual(['execution 1:', 'line of 4', 'execution 2:', 'line of 5'])
  })
})

describe('snapshots', () => {
  const spec = `${race}
dporTest('keyed', async () => { const n = await race(); expect({ big: n > 3 }).toMatchSnapshot(); expect(n > 3).toMatchSnapshot('named') })
dporTest('inline', async () => { const n = await race(); expect(n > 3).toMatchInlineSnapshot() })
dporTest('in a file', async () => { const n = await race(); await expect(String(n > 3)).toMatchFileSnapshot('./same.txt') })
dporTest('thrown', async () => { await race(); expect(() => { throw new Error('x') }).toThrowErrorMatchingInlineSnapshot() })
`
  const ordered = `${race}
dporTest('keyed (FAIL)', async () => { expect(await race()).toMatchSnapshot() })
dporTest('inline (FAIL)', async () => { expect(await race()).toMatchInlineSnapshot() })
dporTest('in a file (FAIL)', async () => { await expect(String(await race())).toMatchFileSnapshot('./ordered.txt') })
dporTest('in one order only (FAIL)', async () => { const n = await race(); if (n === 5) expect(n).toMatchSnapshot() })
`

  test('are written once, and compared with all executions', async () => {
    const folder = project('snapshots', { 'same.spec.ts': spec, 'ordered.spec.ts': ordered })
    const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8')
    for (const args of [[], [], ['--update']]) {
      const result = await run(folder, ...args)
      expectEnds(result)
      expect(read('__snapshots__/same.spec.ts.snap').match(/^exports/gm)).toHaveLength(2)
      expect(read('same.txt')).toBe('true')
      expect(read('same.spec.ts')).toContain('toMatchInlineSnapshot(`true`)')
      expect(read('same.spec.ts')).toContain('toThrowErrorMatchingInlineSnapshot(`[Error: x]`)')
      expect(read('__snapshots__/ordered.spec.ts.snap')).toContain('exports[`keyed (FAIL) 1`] = `4`')
      // Who looks for the failure in other ways takes none besides.
      expect(read('__snapshots__/ordered.spec.ts.snap').match(/^exports/gm)).toHaveLength(1)
    }
  })

  test('of ordinary tests as well, and of hooked ones', async () => {
    const folder = project('snapshots-ordinary', {
      'a.spec.ts': `import { beforeEach, describe, expect, test, vi } from 'vitest'
import { dporTest } from 'vitest-dpor'
const answer = vi.fn(async (n: number) => n)
/** 12 in the plain order, 21 in the other. */
async function race() {
  const order: number[] = []
  await Promise.all([1, 2].map(async (n) => order.push(await answer(n))))
  return order.join('')
}
test('the first (FAIL)', async () => { expect(await race()).toMatchSnapshot() })
test('the second (FAIL)', async () => { expect(await race()).toMatchSnapshot() })
test('by its own (FAIL)', async ({ expect }) => { expect(await race()).toMatchSnapshot() })
test('inline (FAIL)', async () => { expect(await race()).toMatchInlineSnapshot() })
test('the same', async () => { expect((await race()).length).toMatchSnapshot(); expect((await race()).length).toMatchSnapshot('named') })
describe('hooked', () => {
  beforeEach(() => {})
  dporTest('explored (FAIL)', async () => { expect(await race()).toMatchSnapshot() })
})
`,
    })
    const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8')
    for (const _ of ['new', 'known']) {
      const result = await run(folder, '--', '--dpor')
      expectEnds(result)
      expect(read('__snapshots__/a.spec.ts.snap').match(/^exports\[`(.*)`\] = (.*);$/gm)).toEqual([
        'exports[`by its own (FAIL) 1`] = `"12"`;',
        'exports[`hooked > explored (FAIL) 1`] = `"12"`;',
        'exports[`the first (FAIL) 1`] = `"12"`;',
        'exports[`the same > named 1`] = `2`;',
        'exports[`the same 1`] = `2`;',
        'exports[`the second (FAIL) 1`] = `"12"`;',
      ])
      expect(read('a.spec.ts')).toContain('toMatchInlineSnapshot(`"12"`)')
    }
  })
})
