import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { project, run, type Run } from './project.ts'

const example = (file: string): string => readFileSync(path.resolve(import.meta.dirname, '../../examples/01-account', file), 'utf8')

const spec = example('account.spec.ts')
const buggy = { 'account.ts': example('account.ts'), 'account.spec.ts': spec }
const fixed = { 'account.ts': example('account.fixed.ts'), 'account.spec.ts': spec }
const name = 'two withdrawals never overdraw'

/** Line of a text in account.ts, from 1. */
const lineOf = (text: string): number => buggy['account.ts'].split('\n').findIndex((line) => line.includes(text)) + 1

describe('account.ts with its bug', () => {
  let result: Run
  beforeAll(async () => {
    result = await run(project('account-buggy', buggy))
  })

  test('the run fails', () => {
    expect(result.code).toBe(1)
    expect(result.test(name).status).toBe('failed')
  })

  test('the lost update is told, with its values', () => {
    expect(result.output).toContain('Lost update on account.balance')
    expect(result.output).toContain('wrote 20')
    expect(result.output).toMatch(new RegExp(`account\\.ts:${lineOf('= this.balance')}\\s+read balance -> 100`))
    expect(result.output).toMatch(new RegExp(`account\\.ts:${lineOf('this.balance =')}\\s+write balance = 20`))
    expect(result.output).toMatch(/withdraw#1\(80\)\s+withdraw#2\(80\)/)
  })

  test('the error of the test is shown', () => {
    expect(result.output).toContain('AssertionError: expected 160 to be less than or equal to 100')
  })

  test('the code frame points to the racing line of account.ts', () => {
    const line = lineOf('this.balance =')
    expect(result.output).toMatch(new RegExp(`❯.* account\\.ts:${line}:\\d+`))
    expect(result.output).toMatch(new RegExp(`^\\s+${line}\\|\\s+this\\.balance = balance - amount\\n\\s+\\|\\s+\\^`, 'm'))
  })

  test('nothing of the tool is in the stack', () => {
    expect(result.output).not.toMatch(/__dpor|node_modules\/vitest-dpor/)
  })

  test('the JSON report has verdict, counts and schedule', () => {
    expect(result.test(name).dpor).toEqual({
      verdict: 'fails', executions: 1, blocked: 0, steps: expect.any(Number), interleave: 'await', equivalence: 'observation', schedule: expect.any(String),
    })
    expect(result.test(name).dpor!['steps']).toBeGreaterThan(2)
  })

  test('the verdict is listed', () => {
    expect(result.output).toMatch(new RegExp(`fails +.*${name}.*1 execution`))
  })

  test('the printed replay runs the failing schedule, alone', async () => {
    const { schedule } = result.test(name).dpor as { schedule: string }
    expect(result.output).toContain(`replay: '${schedule}'`)
    const replayed = await run(project('account-replay', {
      ...buggy,
      'account.spec.ts': spec.replace("overdraw', async", `overdraw', { replay: '${schedule}' }, async`),
    }))
    expect(replayed.code).toBe(1)
    expect(replayed.output).toContain('Lost update on account.balance')
    expect(replayed.test(name).dpor).toMatchObject({ verdict: 'fails', executions: 1, schedule })
  })
})

describe('account.ts without its bug', () => {
  let result: Run
  beforeAll(async () => {
    result = await run(project('account-fixed', fixed))
  })

  test('the run passes', () => {
    expect(result.code).toBe(0)
    expect(result.test(name).status).toBe('passed')
  })

  test('verdict and number of executions are shown', () => {
    expect(result.output).toMatch(new RegExp(`holds +.*${name}.*2 executions`))
    expect(result.test(name).dpor).toEqual({ verdict: 'holds', executions: 2, blocked: 0, steps: expect.any(Number), interleave: 'await', equivalence: 'observation' })
  })
})

test('a failure that is found in a later execution is replayed in 1', async () => {
  const late = `import { dporTest } from 'vitest-dpor'
import { Account } from './account.ts'
dporTest('late', {
  setup: () => new Account(100),
  tasks: [(account) => account.withdraw(80), async (account) => {
    for (let i = 0; i < 5; i++) await null
    return account.withdraw(80)
  }],
  invariant: (_, paid) => paid[0] + paid[1] <= 100,
})
`
  const files = { 'account.ts': buggy['account.ts'], 'a.spec.ts': late }
  const first = (await run(project('late', files))).test('late')
  const { executions, schedule } = first.dpor as { executions: number; schedule: string }
  expect(executions).toBeGreaterThan(1)
  const replayed = (await run(project('late', { ...files, 'a.spec.ts': late.replace("'late', {", `'late', { replay: '${schedule}~k3f9w' }, {`) }))).test('late')
  expect(replayed).toMatchObject({ status: 'failed', dpor: { verdict: 'fails', executions: 1, schedule } })
})

test('a replay without -t runs the test that it belongs to, and fails where there is none', async () => {
  const other = `import { dporTest } from 'vitest-dpor'
dporTest('another', async () => {})
`
  const folder = project('account-belongs', { ...buggy, 'b.spec.ts': other })
  const [, schedule, tag] = /--dpor\.replay=([\d.]+)~(\w+)/.exec((await run(folder)).output)!
  const replayed = await run(folder, '--', `--dpor.replay=${schedule}~${tag}`)
  expect([replayed.test(name).status, replayed.test('another').status]).toEqual(['failed', 'skipped'])
  const missed = await run(folder, '--', `--dpor.replay=${schedule}~none0`)
  expect([missed.code, missed.test(name).status]).toEqual([1, 'skipped'])
  expect(missed.output).toContain(`--dpor.replay=${schedule}~none0 belongs to none of the tests of this run`)
})

describe('replay strings', () => {
  let result: Run
  beforeAll(async () => {
    const file = (replay: string) => `import { dporTest } from 'vitest-dpor'
import { expect } from 'vitest'
import { Account } from './account.ts'
dporTest('replayed', { replay: ${JSON.stringify(replay)} }, async () => {
  const account = new Account(100)
  await Promise.all([account.withdraw(80), account.withdraw(80)])
  expect(account.balance).toBe(20)
})
`
    result = await run(project('replay', {
      'account.ts': buggy['account.ts'],
      'garbled.spec.ts': file('not a schedule!').replace('replayed', 'garbled'),
      'long.spec.ts': file('1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1').replace('replayed', 'long'),
      'other.spec.ts': file('9.9.9').replace('replayed', 'other'),
    }))
  })

  test.each(['garbled', 'long', 'other'])('%s: one clear error', (which) => {
    const { status, message, dpor } = result.test(which)
    expect(status).toBe('failed')
    expect(message).toMatch(/^(?:ReplayError|OptionError)\b.*(?:replay|schedule)/)
    expect(message).not.toMatch(/internal error|bug in/i)
    expect(dpor).toBeUndefined()
  })
})
