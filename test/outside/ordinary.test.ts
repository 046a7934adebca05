import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { config, project, run, type Run } from './project.ts'

const files = {
  'mail.ts': `export async function send(to: string): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 5))
  return \`sent to \${to}\`
}
export const sender = { name: 'post', count: 0 }
`,
  'greet.ts': `import { send, sender } from './mail'
export async function greet(name: string): Promise<string> {
  sender.count++
  return (await send(name)).toUpperCase()
}
export function fail(list: { deep?: { value: number } }[]): number {
  let total = 0
  for (const { deep } of list) {
    total += deep!.value
  }
  return total
}
`,
  'plain.spec.ts': `import { expect, test } from 'vitest'
import { greet } from './greet'
import { sender } from './mail'
test('an ordinary async test', async () => {
  expect(await greet('ada')).toBe('SENT TO ADA')
  expect(sender.count).toBe(1)
})
test('real time passes', async () => {
  const before = Date.now()
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(Date.now() - before).toBeGreaterThanOrEqual(29)
})
test.concurrent('concurrent 1', async ({ expect }) => { expect(await greet('x')).toContain('X') })
test.concurrent('concurrent 2', async ({ expect }) => { expect(await greet('y')).toContain('Y') })
test.each([1, 2])('each %i', (n) => { expect(n).toBeGreaterThan(0) })
const own = test.extend<{ page: { url: string } }>({ page: async ({}, use) => { await use({ url: '/' }) } })
own('test.extend', ({ page }) => { expect(page.url).toBe('/') })
test('classes, generators, getters', async () => {
  class Tree {
    static made = 0
    #children: Tree[] = []
    constructor(readonly name: string) { Tree.made++ }
    add(...names: string[]) { this.#children.push(...names.map((name) => new Tree(name))); return this }
    get size(): number { return 1 + this.#children.reduce((sum, { size }) => sum + size, 0) }
    *[Symbol.iterator](): Generator<string> { yield this.name; for (const child of this.#children) yield* child }
    async *later() { for (const name of this) { await null; yield name } }
  }
  const tree = new Tree('a').add('b', 'c')
  const later: string[] = []
  for await (const name of tree.later()) later.push(name)
  expect([Tree.made, tree.size, [...tree], later]).toEqual([3, 3, ['a', 'b', 'c'], ['a', 'b', 'c']])
})
`,
  'mock.spec.ts': `import { beforeEach, expect, test, vi } from 'vitest'
import { greet } from './greet'
import { send } from './mail'
const { answers } = vi.hoisted(() => {
  const answers = new Map([['ada', 'mocked for ada']])
  answers.set('alan', 'mocked for alan')
  return { answers }
})
vi.mock('./mail', async (importOriginal) => {
  const original = await importOriginal<typeof import('./mail')>()
  return { ...original, send: vi.fn(async (to: string) => answers.get(to) ?? 'nobody') }
})
beforeEach(() => { vi.mocked(send).mockClear() })
test('vi.mock and vi.hoisted', async () => {
  expect(await greet('alan')).toBe('MOCKED FOR ALAN')
  expect(send).toHaveBeenCalledExactlyOnceWith('alan')
})
test('vi.spyOn', async () => {
  const target = { async read() { return 1 } }
  vi.spyOn(target, 'read').mockResolvedValue(2)
  expect(await target.read()).toBe(2)
})
`,
  'timers.spec.ts': `import { afterEach, expect, test, vi } from 'vitest'
import { greet } from './greet'
afterEach(() => { vi.useRealTimers() })
test('fake timers', async () => {
  vi.useFakeTimers({ now: 0 })
  const greeting = greet('ada')
  await vi.advanceTimersByTimeAsync(5)
  expect(await greeting).toBe('SENT TO ADA')
  expect(Date.now()).toBe(5)
})
`,
  'snapshot.spec.ts': `import { expect, test } from 'vitest'
import { greet } from './greet'
test('snapshots', async () => {
  expect({ greeting: await greet('ada'), map: new Map([['k', [1]]]), fn: async () => {} }).toMatchSnapshot()
  expect(await greet('alan')).toMatchInlineSnapshot(\`"SENT TO ALAN"\`)
})
`,
  'broken.spec.ts': `import { expect, test } from 'vitest'
import { fail, greet } from './greet'
test('broken in the module', () => {
  fail([{ deep: { value: 1 } }, {}])
})
test('broken in the spec', async () => {
  const greeting = await greet('ada')
  const wanted = { text: 'sent to ada' }
  expect({ text: greeting }).toEqual(wanted)
})
`,
}

const broken = ['broken in the module', 'broken in the spec']

describe('a project without explored tests', () => {
  let result: Run
  let plain: Run
  let folder: string
  beforeAll(async () => {
    plain = await run(project('ordinary-plain', { ...files, 'vitest.config.ts': 'export default {}' }))
    folder = project('ordinary', { ...files, 'vitest.config.ts': config() })
    result = await run(folder)
  })

  test('every test ends as it does without the plugin', () => {
    const ends = ({ names, test: report }: Run) => names.map((name) => `${report(name).status} ${name}`).toSorted()
    expect(ends(result)).toEqual(ends(plain))
    expect(result.names.filter((name) => result.test(name).status !== 'passed')).toEqual(broken)
    expect(result.code).toBe(plain.code)
  })

  test('snapshots are the same', () => {
    const snapshot = (which: string): string => readFileSync(path.join(folder, '..', which, '__snapshots__/snapshot.spec.ts.snap'), 'utf8')
    expect(snapshot('ordinary')).toBe(snapshot('ordinary-plain'))
    expect(snapshot('ordinary')).toContain('SENT TO ADA')
  })

  test('failures point to the same places, with the same code frames', () => {
    const frames = ({ output }: Run): string[] => output.split('\n').filter((line) => /^ ❯ |^\s+\d*\|/.test(line)).filter((line) => !line.includes(' tests |'))
    expect(frames(result)).toEqual(frames(plain))
    expect(result.output).toContain('❯ fail greet.ts:9:20')
    expect(result.output).toContain('❯ broken.spec.ts:9:30')
  })

  test('messages are the same', () => {
    for (const name of broken) expect(result.test(name).message.split('\n')[0]).toBe(plain.test(name).message.split('\n')[0])
  })

  test('nothing is said of explorations', () => {
    expect(result.output).not.toMatch(/DPOR|holds/)
    expect(existsSync(path.join(folder, '.vitest-dpor'))).toBe(false)
  })
})
