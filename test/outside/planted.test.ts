import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { project, run, type Run } from './project.ts'

const folder = path.join(import.meta.dirname, 'planted')
const files = Object.fromEntries(['services.ts', 'planted.spec.ts', 'further-services.ts', 'further.spec.ts'].map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))

let plain: Run
let explored: Run
beforeAll(async () => {
  plain = await run(project('planted-plain', files))
  explored = await run(project('planted', files), '--', '--dpor')
})

const named = ({ names }: Run, kind: string): string[] => names.filter((name) => name.startsWith(kind))

test('all of them pass in the plain order', () => {
  expect(plain.names.filter((name) => plain.test(name).status !== 'passed')).toEqual([])
})

test('in ordinary tests with mocks, hooks, fixtures and fake timers each planted race is found', () => {
  const racy = named(explored, 'racy:')
  expect(racy.length).toBeGreaterThanOrEqual(30)
  expect(racy.filter((name) => explored.test(name).status !== 'failed' || explored.test(name).found?.found !== 'race')).toEqual([])
  // Each is told as a race, and not as an error that none explains,
  expect(racy.filter((name) => explored.test(name).message.startsWith('Race: The test threw'))).toEqual([])
  // and has one story, and nothing else.
  expect(racy.filter((name) => !/^Race: [\s\S]*Replay: vitest run -- --dpor --dpor\.replay=/.test(explored.test(name).message))).toEqual([])
})

test('and where it is taken out the test holds', () => {
  const fixed = named(explored, 'fixed:')
  expect(fixed).toHaveLength(named(explored, 'racy:').length)
  expect(fixed.filter((name) => explored.test(name).status !== 'passed' || !['holds', 'alone'].includes(explored.test(name).found?.found ?? ''))).toEqual([])
})
