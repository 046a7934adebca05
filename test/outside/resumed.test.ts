import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { config, project, run } from './project.ts'

const code = (share: string): string => `export class Store {
  values: number[] = [0, 0, 0]
  async move(from: number, to: number): Promise<void> {
    await Promise.resolve()
    const value = this.values[from]!
    await Promise.resolve()
    this.values[to] = value + ${share}
  }
}
`

const spec = `import { dporTest } from 'vitest-dpor'
import { expect } from 'vitest'
import { Store } from './store'

const moves = async () => {
  const store = new Store()
  await Promise.all([store.move(0, 1), store.move(1, 2), store.move(2, 0), store.move(1, 0)])
  expect(store.values.join()).not.toBe('9,9,9')
}

dporTest('on its own', moves)
`

test('a nightly run goes on where the last one ended, until all holds; changed code is refused', async () => {
  const folder = project('resumed', { 'vitest.config.ts': config(), 'store.ts': code('1'), 'store.spec.ts': spec })
  const whole = (await run(folder)).test('on its own').dpor!
  expect(whole['verdict']).toBe('holds')
  const night = () => run(folder, '--', '--dpor.max-executions=15', '--dpor.save-to=kept', '--dpor.resume-from=kept')
  const files = () => (existsSync(path.join(folder, 'kept')) ? readdirSync(path.join(folder, 'kept')) : [])

  const first = (await night()).test('on its own')
  expect(first.dpor).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: 'maxExecutions of 15' })
  expect(files()).toHaveLength(1)
  let nights = 1
  let last = first
  for (; last.dpor!['verdict'] === 'inconclusive' && nights < 20; nights++) last = (await night()).test('on its own')
  expect(last.dpor).toMatchObject({ verdict: 'holds', executions: whole['executions'] })
  expect(nights).toBeGreaterThan(2)
  expect(files()).toEqual([])

  await night()
  writeFileSync(path.join(folder, 'store.ts'), code('2'))
  const changed = (await night()).test('on its own')
  expect(changed.status).toBe('failed')
  expect(changed.message).toContain("the program has changed since it was written. Remove the file to begin from the start")
})
