import { execFile } from 'node:child_process'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'

interface Report {
  testResults: { name: string; assertionResults: { title: string; status: string; failureMessages: string[] }[] }[]
}

const root = path.resolve(import.meta.dirname, '../..')

/** Runs the real Vitest on the project in this folder. */
async function runVitest(project: string, ...args: string[]): Promise<{ output: string; report: Report | undefined }> {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  const output = await new Promise<string>((resolve) => {
    const { VITEST: _, VITEST_POOL_ID: __, VITEST_WORKER_ID: ___, ...env } = process.env
    execFile(process.execPath, [vitest, 'run', '-r', path.join(import.meta.dirname, project), ...args], { env, maxBuffer: 1e8 }, (_error, stdout, stderr) => resolve(stdout + stderr))
  })
  const json = /\{"numTotal.*\}/.exec(output)?.[0]
  return { output, report: json ? (JSON.parse(json) as Report) : undefined }
}

describe('a project under the plugin', () => {
  let report: Report
  beforeAll(async () => {
    const run = await runVitest('project')
    if (!run.report) throw new Error(run.output)
    report = run.report
  }, 30_000)

  const testsOf = (file: string): Report['testResults'][number]['assertionResults'] =>
    report.testResults.find(({ name }) => name.endsWith(file))!.assertionResults

  test("Vitest's features work", () => {
    const tests = testsOf('vitest-features.spec.ts')
    expect(tests.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(tests).toHaveLength(12)
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
