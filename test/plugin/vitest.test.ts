import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runVitest, type Report } from './spawn.ts'

describe('a project under the plugin', () => {
  let report: Report
  beforeAll(async () => {
    const run = await runVitest(path.join(import.meta.dirname, 'project'))
    if (!run.report) throw new Error(run.output)
    report = run.report
  }, 120_000)

  const testsOf = (file: string): Report['testResults'][number]['assertionResults'] =>
    report.testResults.find(({ name }) => name.endsWith(file))!.assertionResults

  test("Vitest's features work", () => {
    const tests = testsOf('vitest-features.spec.ts')
    expect(tests.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(tests).toHaveLength(13)
  })

  test.each([
    ['an error in another file', ['account.ts:20:11', 'stacks.spec.ts:7:11']],
    ['a failing assertion', ['stacks.spec.ts:13:23']],
    ['a missing method', ['stacks.spec.ts:18:23']],
  ])('%s is shown where it is in the source', (title, places) => {
    const [message] = testsOf('stacks.spec.ts').find((candidate) => candidate.title === title)!.failureMessages
    for (const place of places) expect(message).toContain(place)
  })
})
