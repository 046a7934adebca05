import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { project, run, type Run } from './project.ts'

/** Takes long without waiting for anything. */
const busy = `export const busy = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
`

const longSteps = `import { dporTest } from 'vitest-dpor'
import { busy } from './busy'
const body = (milliseconds: number, tasks: number) => async () => {
  const state = { n: 0 }
  const task = async () => { for (let i = 0; i < 40; i++) { const seen = state.n; busy(milliseconds); await null; state.n = seen + 1 } }
  await Promise.all(Array.from({ length: tasks }, task))
}
dporTest('steps of 150 ms', { timeout: 1500 }, body(150, 2))
dporTest('steps of 600 ms', { timeout: 2000 }, body(600, 2))
dporTest('maxTime', { timeout: 20000, maxTime: 400 }, body(50, 2))
dporTest('asking again', { timeout: 20000, maxSteps: 2000, maxExecutions: 20 }, async () => {
  const asked = { times: 0 }
  let ready = false
  setTimeout(() => { ready = asked.times > 0 }, 10)
  while (!ready) {
    asked.times++; await null
  }
})
dporTest('asking for ever', async () => {
  const door = { isOpen: true, turn: 0 }
  const close = async () => { await null; if (door.turn === 0) door.isOpen = false }
  const pass = async () => {
    await null
    door.turn = 1
    while (door.isOpen) await null
  }
  await Promise.all([close(), pass()])
})
dporTest('setup', { timeout: 1500 }, { setup: body(150, 1), tasks: [async () => {}] })
`

describe('an exploration ends in time', () => {
  let result: Run

  beforeAll(async () => {
    result = await run(project('ends', { 'busy.ts': busy, 'long.spec.ts': longSteps }))
  })

  test.each(['steps of 150 ms', 'steps of 600 ms', 'setup'])('%s: inconclusive before the timeout of the test', (name) => {
    expect(result.output).not.toContain('Test timed out')
    expect(result.test(name)).toMatchObject({ status: 'passed', dpor: { verdict: 'inconclusive', inconclusiveReason: expect.stringMatching(/timeout of \d+ ms/) } })
  })

  test('a loop that asks again and again is named', () => {
    const { dpor } = result.test('asking again')
    expect(dpor).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: expect.stringMatching(/^maxSteps of 2000; an execution went on at .*long\.spec\.ts:16:20.* again and again/) })
  })

  test('one that asks for ever what nobody changes is a livelock', () => {
    const { status, message, dpor } = result.test('asking for ever')
    expect({ status, dpor }).toMatchObject({ status: 'failed', dpor: { verdict: 'fails' } })
    expect(message).toMatch(/LivelockError: nobody can change any more what this asks for again and again: pass#1 at long\.spec\.ts:\d+:5 \(while \(door\.isOpen\)\), which looks at door\.isOpen/)
  })

  test('maxTime ends an execution as well', () => {
    const { dpor, milliseconds } = result.test('maxTime')
    expect(dpor).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: 'maxTime of 400 ms' })
    expect(milliseconds).toBeLessThan(1500)
  })
})

test('the timeout of an execution that is given up does not end the run without control that follows', async () => {
  const slow = `import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
test('slow under control', { timeout: 4000 }, async () => {
  const state = { n: 0 }
  for (let round = 0; round < 1000; round++) {
    for (let i = 0; i < 20_000; i++) state.n += i
    await new Promise((done) => setImmediate(done))
  }
  await promisify(execFile)(process.execPath, ['-e', 'setTimeout(() => {}, 2900)'])
  expect(state.n).toBe(1000 * 10_000 * 19_999)
})
`
  const { test: report } = await run(project('given-up', { 'slow.spec.ts': slow }), '--', '--dpor')
  expect(report('slow under control')).toMatchObject({ status: 'passed', found: { found: 'unexplored' } })
})

const account = (options: string) => `import { appendFileSync } from 'node:fs'
import { dporTest } from 'vitest-dpor'
import { expect } from 'vitest'
dporTest('another', async () => { appendFileSync(new URL('another.log', import.meta.url), 'x') })
dporTest('lost update', ${options}async () => {
  appendFileSync(new URL('runs.log', import.meta.url), 'x')
  const state = { n: 0 }
  const add = async () => { const seen = state.n; await null; state.n = seen + 1 }
  await Promise.all([add(), add()])
  expect(state.n).toBe(2)
})
`

function runsIn(folder: string, file = 'runs.log'): number {
  try {
    return readFileSync(path.join(folder, file), 'utf8').length
  } catch {
    return 0
  }
}

describe('a replay', () => {
  test('runs the body once, and no other test', async () => {
    const found = await run(project('replay-found', { 'account.spec.ts': account('') }))
    const [, replay] = /--dpor\.replay=(\S+)/.exec(found.output)!
    const folder = project('replay-found', { 'account.spec.ts': account('') })
    const replayed = await run(folder, '--', `--dpor.replay=${replay}`)
    expect(runsIn(folder)).toBe(1)
    expect(runsIn(folder, 'another.log')).toBe(0)
    expect(replayed.test('another').status).not.toBe('failed')
    expect(replayed.test('lost update').dpor).toMatchObject({ verdict: 'fails', executions: 1 })
    expect(replayed.output).toContain('Lost update on state.n')
  })

  test('in the source runs the body once, also where imports, functions, tests and lines have come to the file', async () => {
    const found = await run(project('replay-in-source', { 'account.spec.ts': account('') }))
    const { schedule } = found.test('lost update').dpor as { schedule: string }
    const before = `import { format } from 'node:util'
class Other { n = 0; async add() { const seen = this.n; await null; this.n = seen + 1 } }
dporTest('unrelated', async () => { const other = new Other(); await other.add(); expect(format('%d', other.n)).toBe('1') })
`
    const edited = account(`{ replay: '${schedule}' }, `).replace("dporTest('lost update'", `${before}$&`).replace('  const state', `  const unrelated = new Other()\n  unrelated.n += 1\n$&`)
    const folder = project('replay-in-source', { 'account.spec.ts': edited })
    const replayed = await run(folder)
    expect(runsIn(folder)).toBe(1)
    expect(replayed.test('lost update').dpor).toMatchObject({ verdict: 'fails', executions: 1, schedule })
  })

  test('that goes on after the end of its schedule says so', async () => {
    const result = await run(project('replay-short', { 'account.spec.ts': account(`{ replay: '0' }, `).replace('toBe(2)', 'toBeGreaterThan(0)') }))
    expect(result.test('lost update').dpor).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('after the end of the schedule') })
  })
})

test('what was explored so far is printed when the run is interrupted', async () => {
  const endless = `import { dporTest } from 'vitest-dpor'
dporTest('many orders', { timeout: 60000, maxExecutions: 1e9 }, async () => {
  const list = []
  const task = async (n: number) => { for (let i = 0; i < 6; i++) { await null; list.push(n) } }
  await Promise.all([1, 2, 3, 4].map(task))
  return list.join()
})
`
  // Another reporter hears of it at the same time.
  const teller = "import { writeFileSync } from 'node:fs'\nexport default class { onTestCaseArtifactRecord() { writeFileSync('told', '') } }\n"
  const folder = project('interrupted', { 'many.spec.ts': endless, 'teller.js': teller })
  const vitest = spawn(process.execPath, [path.join(inject('installed'), 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=./teller.js'], { cwd: folder, env: { ...process.env, NO_COLOR: '1', CI: '' } })
  let output = ''
  for (const stream of [vitest.stdout, vitest.stderr]) stream.on('data', (data) => (output += String(data)))
  const over = new Promise((resolve) => vitest.on('close', resolve))
  await vi.waitFor(() => expect(existsSync(path.join(folder, 'told')), output).toBe(true), { timeout: 50_000, interval: 50 })
  vitest.kill('SIGINT')
  const code = await over
  expect(output).toMatch(/interrupted\s+inconclusive {2}many\.spec\.ts > many orders {2}\d+ executions?, .*so far/)
  expect(code).not.toBe(0)
}, 60_000)
