import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { project, run } from './project.ts'

/** Where it listens too late the assertion waits for ever. */
const spec = (listens: 'late' | 'early'): string => `
import { expect, test, vi } from 'vitest'
const begin = vi.fn(async () => 'u1')
const work = vi.fn(async () => 'done')

test('is told of the end', async () => {
  const listeners: ((end: string) => void)[] = []
  const told = new Promise<string>((resolve) => {
    ${listens === 'late' ? 'void begin().then(() => listeners.push(resolve))' : 'listeners.push(resolve); void begin()'}
  })
  void work().then(work).then((end) => listeners.forEach((listener) => listener(end)))
  await expect(told).resolves.toBe('done')
})
test('so is this one, which is red without the flag', { timeout: 500 }, async () => {
  await expect(Promise.all([begin(), work()])).resolves.toEqual(['u1', 'done!'])
})
`

test('an assertion that waits for ever in one execution keeps no other one from its end', async () => {
  const folder = project('waiting-assertions', { 'told.spec.ts': spec('late') })
  const late = await run(folder, '--', '--dpor')
  expect(late.test('is told of the end').message).toMatch(/Deadlock: test waits for ever[\s\S]*The test passes with/)
  expect(late.test('so is this one, which is red without the flag')).toMatchObject({ status: 'failed', found: { found: 'fails' } })
  // The order that has failed does not fit any more.
  writeFileSync(path.join(folder, 'told.spec.ts'), spec('early'))
  expect((await run(folder, '--', '--dpor')).test('is told of the end')).toMatchObject({ status: 'passed', found: { found: 'alone' } })
})
