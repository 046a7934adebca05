import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { project, run, runBy, type Run } from './project.ts'
import { cache } from './racing-cache.ts'

const head = `
import { expect, test, vi } from 'vitest'
import { Cache } from './cache'
function versions() { let version = 0; return new Cache(vi.fn(async () => 'version ' + ++version)) }
`
/** Two tests find what is one race, and one test cannot be explored to its end. */
const tests = `${head}
test('the last refresh wins', async () => {
  const cache = versions()
  await Promise.all([cache.refresh('a'), cache.refresh('a')])
  expect(cache.values.get('a')).toBe('version 2')
})
test('so it does with three', async () => {
  const cache = versions()
  await Promise.all([cache.refresh('a'), cache.refresh('a'), cache.refresh('b')])
  expect(cache.values.get('a')).toBe('version 2')
})
test('large', async () => {
  const order: number[] = []
  const answer = vi.fn(async (n: number) => n)
  await Promise.all([1, 2, 3, 4, 5, 6].map(async (n) => order.push(await answer(n))))
  expect(order).toHaveLength(6)
})
test('no concurrency', () => {})
`
const files = { 'cache.ts': cache, 'cache.spec.ts': tests }

describe('a race that several tests find', () => {
  test('is one finding', async () => {
    const { code, output } = await run(project('reports-one-finding', files), '--', '--dpor')
    expect(output).toContain('DPOR  4 tests: 2 races at 1 place, 1 has no concurrency, 1 inconclusive')
    expect(output).toMatch(/race +cache\.spec\.ts > the last refresh wins, cache\.spec\.ts > so it does with three +2 tests; Last write wins on values\.get\("a"\) at cache\.ts:7/)
    expect(code).toBe(1)
  })
})

/** In two classes of one file the same expression is set by whoever comes last. */
const twoClasses = `
import { expect, test, vi } from 'vitest'
class Search {
  shown = ''
  constructor(readonly ask: (text: string) => Promise<string>) {}
  async type(text: string) {
    this.shown = await this.ask(text)
  }
}
class Page {
  shown = ''
  constructor(readonly load: (path: string) => Promise<string>) {}
  async open(path: string) {
    this.shown = \`page \${await this.load(path)}\`
  }
}
const answer = vi.fn(async (text: string) => text)
test('the last search', async () => {
  const search = new Search(answer)
  await Promise.all([search.type('a'), search.type('ab')])
  expect(search.shown).toBe('ab')
})
test('the last page', async () => {
  const page = new Page(answer)
  await Promise.all([page.open('a'), page.open('b')])
  expect(page.shown).toBe('page b')
})
`

test('a race is another one where the same expression stands in another line of code: a baseline does not hide it', async () => {
  const folder = project('reports-two-classes', { 'a.spec.ts': twoClasses })
  const flags = ['--', '--dpor', '--dpor.test-time=1m', '--dpor.baseline=races.json']
  expect((await run(folder, '-t', 'the last search', ...flags)).code).toBe(0)
  const { code, output, test: report } = await run(folder, ...flags)
  expect(output).toContain('DPOR  2 tests: 1 race, 1 known race')
  expect(report('the last search')).toMatchObject({ status: 'passed', found: { found: 'known', race: { code: 'this.shown = await this.ask(text)' } } })
  expect(report('the last page')).toMatchObject({ status: 'failed', found: { found: 'race' } })
  expect(code).toBe(1)
})

describe('a baseline', () => {
  let folder: string
  const flags = ['--', '--dpor', '--dpor.baseline=races.json']
  let first: Run
  beforeAll(async () => {
    folder = project('reports-baseline', files)
    first = await run(folder, ...flags)
  })

  test('is written where there is none, and then nothing fails', () => {
    expect(first.code).toBe(0)
    expect(first.output).toContain('the races of 2 tests are written to races.json')
    expect(JSON.parse(readFileSync(path.join(folder, 'races.json'), 'utf8'))).toEqual({
      races: [{ kind: 'last-write-wins', title: 'Last write wins on values.get("a")', file: 'cache.ts', code: expect.stringContaining('this.values.set(key, value)'), test: 'cache.spec.ts > so it does with three' }],
    })
  })

  test('keeps what is known from failing, also where lines have moved, and nothing else', async () => {
    writeFileSync(path.join(folder, 'cache.ts'), `// A line more.\n${cache}`)
    const again = await run(folder, ...flags)
    expect(again.code).toBe(0)
    expect(again.output).toContain('DPOR  4 tests: 2 known races at 1 place, 1 has no concurrency, 1 inconclusive')
    expect(again.test('the last refresh wins')).toMatchObject({ status: 'passed', found: { found: 'known', race: { file: 'cache.ts', line: 8 } } })
    writeFileSync(path.join(folder, 'other.spec.ts'), `${head}
test('a new one', async () => {
  const answer = vi.fn(async (n: number) => n)
  let last = 0
  await Promise.all([1, 2].map(async (n) => { last = await answer(n) }))
  expect(last).toBe(2)
})`)
    const later = await run(folder, ...flags)
    expect(later.test('a new one')).toMatchObject({ status: 'failed', found: { found: 'race' } })
    expect(later.test('the last refresh wins').status).toBe('passed')
    expect(later.code).toBe(1)
  })

  test('that is none is refused', async () => {
    writeFileSync(path.join(folder, 'other.json'), '{}')
    const { code, output } = await run(folder, '--', '--dpor', '--dpor.baseline=other.json')
    expect(output).toContain('vitest-dpor: other.json is no baseline: it has no list of races, as this package writes it. Remove it to have it written anew.')
    expect(code).toBe(1)
  })
})

describe('reports for machines', () => {
  const flags = ['--', '--dpor', '--dpor.races=warn', '--dpor.test-executions=20', '--dpor.test-time=1m']
  const race = 'race: Last write wins on values.get("a") at cache.ts:7'
  const inconclusive = 'inconclusive: maxExecutions of 20'

  test('JUnit and TAP show races that fail nothing, and what is inconclusive', async () => {
    const folder = project('reports-machines', files)
    const { code, output } = await run(folder, '--reporter=junit', '--reporter=tap-flat', '--outputFile.junit=junit.xml', ...flags)
    expect(code).toBe(0)
    const junit = readFileSync(path.join(folder, 'junit.xml'), 'utf8')
    expect(junit.match(/<property name="dpor" value="[^"]*/g)).toEqual([race, race, inconclusive].map((text) => `<property name="dpor" value="${text.replaceAll('"', '&quot;')}`))
    expect(output.match(/# dpor: .*/g)).toEqual([race, race, inconclusive].map((text) => `# dpor: ${text}`))
  })

  test('GitHub Actions has warnings at the lines, and a summary of the step', async () => {
    const waiting = `import { test } from 'vitest'\ntest('waits', async () => { await new Promise((done) => setTimeout(done, 1)) })\n`
    const folder = project('reports-github', { ...files, 'waiting.spec.ts': waiting, 'summary.md': '' })
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path.join(folder, 'summary.md') }
    const { code, output } = await runBy({ env }, folder, '--reporter=github-actions', ...flags)
    expect(code).toBe(0)
    expect(output).toContain(`::warning file=cache.ts,line=7,title=DPOR%3A the last refresh wins::${race}, after 3 executions`)
    expect(output).toContain(`::warning file=cache.spec.ts,line=19,title=DPOR%3A large::${inconclusive}, after 20 executions`)
    expect(output.match(/::warning/g)).toHaveLength(3)
    const summary = readFileSync(path.join(folder, 'summary.md'), 'utf8')
    expect(summary).toContain('5 tests: 2 races at 1 place, 1 has no concurrency, 1 has one order in time, 1 inconclusive')
    expect(summary).toContain('- **in time** 1 test waits for timers')
    expect(summary).toContain('- **inconclusive** cache.spec.ts \\> large (20 executions; maxExecutions of 20; most races on keys of order (cache.spec.ts:19))')
  })

  test('JUnit has the story of a race that fails its test, and none of the data that it is made of', async () => {
    const folder = project('reports-failing', files)
    await run(folder, '--reporter=junit', '--outputFile.junit=junit.xml', '--', '--dpor', '--dpor.test-executions=20')
    const junit = readFileSync(path.join(folder, 'junit.xml'), 'utf8')
    expect(junit).toMatch(/type="Race">\s*Race: Last write wins on values\.get[\s\S]*cache\.ts:7:17/)
    expect(junit).not.toMatch(/Serialized Error|failureKind/)
  })

  test('a dporTest that is inconclusive is among them', async () => {
    const folder = project('reports-dpor-test', { 'a.spec.ts': `
import { dporTest } from 'vitest-dpor'
dporTest('large', { maxExecutions: 5 }, async () => { const order: number[] = []; await Promise.all([1, 2, 3, 4].map(async (n) => { await null; order.push(n) })); order.join() })` })
    const { code, output } = await runBy({ env: { GITHUB_ACTIONS: 'true' } }, folder, '--reporter=github-actions', '--reporter=junit', '--outputFile.junit=junit.xml')
    expect(code).toBe(0)
    expect(output).toContain('::warning file=a.spec.ts,line=3,title=DPOR%3A large::inconclusive: maxExecutions of 5')
    expect(readFileSync(path.join(folder, 'junit.xml'), 'utf8')).toContain('<property name="dpor" value="inconclusive: maxExecutions of 5">')
  })
})
