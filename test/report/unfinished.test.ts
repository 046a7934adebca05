import { expect, test } from 'vitest'
import { explain } from '../../src/report/index.ts'
import { exploreRecorded, type RunOptions } from '../../src/runtime/index.ts'
import { Investigation } from '../../src/testing/experiment.ts'
import { bodyOf, madeOf } from './executed.ts'

type Orders = Parameters<NonNullable<RunOptions['investigate']>>[1]

/** Nobody knows how it ends if the call that begins first goes first. */
const onlyLastFirst = (orders: Orders): Orders =>
  ({
    attempt: orders.attempt.bind(orders),
    record: orders.record.bind(orders),
    failing: orders.failing.bind(orders),
    begunLater: orders.begunLater.bind(orders),
    sequentially: async (recording, sequence) => (sequence?.lastFirst ? orders.sequentially(recording, sequence) : { found: 'unknown' }),
  }) satisfies Partial<Orders> as unknown as Orders

const pool = madeOf(
  `return (factory) => {
    const all = new Set(), idle = []
    return {
      acquire: async () => { const one = await factory.create(); all.add(one); return one },
      release: (one) => { idle.push(one) },
      close: async () => { for (const one of idle.splice(0)) { all.delete(one); factory.destroy(one) } await null },
    }
  }`,
  '/app/node_modules/pools/index.cjs',
)

const testFile = '/app/pools.spec.cjs'

const thrownAt = (line: number): Error => Object.assign(new Error('not destroyed'), { stack: `Error: not destroyed\n    at ${testFile}:${line}:5` })

test('a call that nobody waits for is told as well where only the calls that begin last are known to pass, put first', async () => {
  const code = `
    let destroyed = 0
    const own = pool({ create: async () => ({}), destroy: async () => { await new Promise((resolve) => setTimeout(resolve, 100)); destroyed++ } })
    own.release(await own.acquire())
    await own.close()
    if (destroyed !== 1) throw thrownAt(6)`
  const investigation = new Investigation()
  const { result, recording } = await exploreRecorded(bodyOf(code, { pool, thrownAt }, testFile), { reproduce: 1, investigate: (failing, orders) => investigation.investigate(failing, onlyLastFirst(orders)) })
  const { headline } = explain({ recording: recording!, failure: result.failures[0]!, experiment: investigation.experiment, testFile, executions: result.executions, complete: true, root: '/', name: 'the test' })
  expect(investigation.experiment?.failing?.sequentially).toBe('unknown')
  expect(headline).toMatch(/^Order violation on destroyed: test read 0, while destroy#1 was still at work, which would have made it 1\. Nothing makes test wait for destroy#1\. It fails in /)
})
