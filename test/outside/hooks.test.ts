import { beforeAll, describe, expect, test } from 'vitest'
import { hooked } from './hooked.ts'
import { project, run, type Run } from './project.ts'

describe('what stands around a dporTest', () => {
  let result: Run
  const told = (of: string, output: string): string => [...output.matchAll(/\[[\w ]+\]/g)].join('').replaceAll(/store \d/g, 'store N').split(of).join('*')

  beforeAll(async () => {
    result = await run(project('hooks', { 'a.spec.ts': hooked }))
  })

  test('runs for each execution', async () => {
    const { output, test: report } = await run(project('hooks-each', { 'a.spec.ts': hooked }), '-t', 'for each')
    expect(report('for each')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds', executions: 2 } })
    // One execution is what Vitest does for a test; the verdict is checked by some more.
    expect(told('[make store][make user][around][before][body][after][clean up][finished][around over][take down store N]', output)).toMatch(/^\*{3,}$/)
    expect(output).toMatch(/store 4.*store 5/)
  })

  test("runs once with hooks: 'once'", async () => {
    const { output, test: report } = await run(project('hooks-once', { 'a.spec.ts': hooked }), '-t', 'suite once')
    expect(report('suite once')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds', executions: 2 } })
    expect(told('', output).replaceAll('*', '')).toBe('[make store][make user][around][before][after][clean up][around over][take down store N]')
  })

  test.each([
    ['tasks', { status: 'passed', dpor: { verdict: 'holds' } }],
    ['to fail', { status: 'passed', dpor: { verdict: 'fails' } }],
    ['each 5', { status: 'passed', dpor: { verdict: 'holds', executions: 2 } }],
    ['each 4', { status: 'failed', dpor: { verdict: 'fails', executions: 2 } }],
    ['skips', { status: 'skipped' }],
    ['the file has it once', { status: 'passed', dpor: { verdict: 'holds', executions: 2 } }],
    ['and others find it', { status: 'passed', dpor: { verdict: 'holds', executions: 2 } }],
    ['fixtures written elsewhere', { status: 'passed', dpor: { verdict: 'holds', executions: 1 } }],
    ['finds what one run has left', { status: 'passed', dpor: undefined }],
    ['that the next test finds', { status: 'passed', dpor: { verdict: 'holds' } }],
  ])('%s', (name, ends) => {
    expect(result.test(name)).toMatchObject(ends)
  })

  test.each([
    ['waits for ever', /Never-settled promise: test waits for ever/],
    ['wrong', /^OptionError: option 'maxTime' is -1/],
    ['that a hook looks at afterwards', /Order violation on .*list[\s\S]*2 came first/],
    ['that fails', /The test threw; it fails in the one order that there is[\s\S]*by itself/],
  ])('%s fails', (name, message) => {
    expect(result.test(name).status).toBe('failed')
    expect(result.test(name).message).toMatch(message)
  })
})

test('a body may leave what a hook puts back, which Vitest works with, and the tests after it run', async () => {
  const { output, test: report } = await run(project('hooks-replaced', { 'a.spec.ts': `
import { dporTest } from 'vitest-dpor'
import { beforeEach, expect } from 'vitest'
const native = globalThis.AggregateError
beforeEach(() => { globalThis.AggregateError = native })
dporTest('leaves it', async () => { globalThis.AggregateError = undefined!; await null; expect(globalThis.AggregateError).toBe(undefined) })
dporTest('fails without it', async () => { globalThis.AggregateError = undefined!; await null; throw new Error('by itself') })
dporTest('finds it', async () => { expect(globalThis.AggregateError).toBe(native) })
` }))
  expect(report('leaves it')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
  expect(report('fails without it')).toMatchObject({ status: 'failed', dpor: { verdict: 'fails' }, message: expect.stringContaining('by itself') as string })
  expect(report('finds it')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
  expect(output).not.toContain('Unhandled Error')
})
