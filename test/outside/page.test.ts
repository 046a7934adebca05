import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { project, run, type Run } from './project.ts'

const box = `export const box = () => {
  let n = 0
  return { add: async () => { const before = n; await null; n = before + 1 }, get n() { return n } }
}
`
const body = `async () => {
  const { box } = await import('./box')
  const own = box()
  await Promise.all([own.add(), own.add()])
  expect(own.n).toBe(2)
}`
const head = "import { expect } from 'vitest'\nimport { dporTest } from 'vitest-dpor'\nimport './box'\n"

describe('pages of failures', () => {
  let folder: string
  let result: Run
  beforeAll(async () => {
    folder = project('pages', {
      'box.ts': box,
      'shown.spec.ts': `${head}dporTest('with a page', ${body})\n`,
      'off.spec.ts': `${head}dporTest('without', { page: false, trace: true }, ${body})\ndporTest.fails('expected', ${body})\n`,
    })
    result = await run(folder)
  })

  test('are kept where Vitest keeps what is attached, and the story says where', () => {
    const { message } = result.test('with a page')
    const [, file] = /^Page: (\S+\.html)$/m.exec(message) ?? []
    expect(file).toMatch(/^\.vitest-attachments\//)
    const page = readFileSync(path.join(folder, file!), 'utf8')
    expect(page).toContain('This order fails')
    // The code that was raced in.
    expect(page).toMatch(/&#62; +3 {4}return &#123;? ?|&#62; {4}3 /)
  })

  test('are made for no other failure', () => {
    expect(result.test('without').message).not.toContain('Page:')
    expect(readdirSync(path.join(folder, '.vitest-attachments'))).toHaveLength(1)
  })

  test('a trace tells every access to what is shared', () => {
    const { message } = result.test('without')
    expect(message).toMatch(/The whole execution:\n\n *\d+ +add#1 +box\.ts:3 +read n -> 0\n/)
    expect(result.test('with a page').message).not.toContain('The whole execution')
  })
})

test('a race in an ordinary test has a page as well', async () => {
  const folder = project('ordinary-pages', {
    'box.test.ts': `import { expect, test, vi } from 'vitest'
test('two answers', async () => {
  const shown: string[] = []
  const load = vi.fn(async (what: string) => what)
  const show = async (what: string) => { shown[0] = await load(what) }
  await Promise.all([show('old'), show('new')])
  expect(shown[0]).toBe('new')
})
`,
  })
  const { message } = (await run(folder, '--', '--dpor')).test('two answers')
  const [, file] = /^Page: (\S+\.html)$/m.exec(message) ?? []
  expect(existsSync(path.join(folder, file!))).toBe(true)
})

test('a run has a page of all explored tests, which leads to those of failures', async () => {
  const folder = project('run-page', {
    'box.ts': box,
    'a.spec.ts': `${head}dporTest('lost', ${body})\ndporTest('kept', async () => { expect(1).toBe(1) })\n`,
  })
  const { output } = await run(folder, '--reporter=vitest-dpor/report')
  expect(output).toContain('DPOR report written to ')
  const page = readFileSync(path.join(folder, 'dpor.html'), 'utf8')
  expect(page).toContain('<h1>2 explored tests: 1 fails, 1 holds</h1>')
  expect(page).toMatch(/<td class="open">one order<\/td><td>box\.ts:\d+<br><code>/)
  const [, failure] = /<a href="([^"]+)">a\.spec\.ts &#62; lost<\/a><p class="dim">(?:Lost update|Check-then-act) on /.exec(page) ?? []
  expect(existsSync(path.join(folder, failure!))).toBe(true)
})
