import http from 'node:http'
import { describe, expect, test } from 'vitest'
import { exploreBody } from '../../src/testing/explored-body.ts'
import { inAnotherProcess } from './uninstrumented/in-another-process.ts'

/** Of one process, timers of one length fire in the order in which they were set. */
async function inOrder(): Promise<void> {
  const log: string[] = []
  setTimeout(() => log.push('first'), 10)
  await new Promise<void>((done) => setTimeout(done, 10))
  expect(log).toEqual(['first'])
}

/** These may come either way. */
async function inAnyOrder(): Promise<void> {
  const log: string[] = []
  await Promise.all(['first', 'second'].map(async (name) => (await null, log.push(name))))
  expect(log).toEqual(['first', 'second'])
}

test.each(['await', 'event-loop'] as const)("by '%s' an order that has failed before fails again only where it is possible", async (interleave) => {
  for (const knownFailure of ['0.2.1', '0.2.1.0', '0.2.0.1', '0.2.0']) {
    const { result } = await exploreBody(inOrder, { interleave, knownFailure })
    expect([knownFailure, result.verdict]).toEqual([knownFailure, 'holds'])
  }
})

test.each(['0.2.0.1', '0.2.1.0', '0.1.2.0'])('nor does %s fail, where what is awaited comes of the promise that has the reaction', async (knownFailure) => {
  const { result } = await exploreBody(async () => {
    let hasReacted = false
    const promise = (async () => void (await null))()
    void promise.then(() => {
      hasReacted = true
    })
    // oxlint-disable-next-line unicorn/no-single-promise-in-promise-methods
    await Promise.all([promise])
    expect(hasReacted).toBe(true)
  }, { interleave: 'await', knownFailure })
  expect(result.verdict).toBe('holds')
})

test('one that still fails is found right after the plain run', async () => {
  const { result } = await exploreBody(inAnyOrder, {})
  expect(result.verdict).toBe('fails')
  const again = await exploreBody(inAnyOrder, { knownFailure: result.failures[0]!.schedule })
  expect(again.result).toMatchObject({ verdict: 'fails', executions: 2 })
})

describe('a server in another process', () => {
  const source = `require('node:http').createServer((_request, response) => setTimeout(() => response.end(), 100)).listen(0, function () { process.stdout.write(String(this.address().port)) })`
  const other = inAnotherProcess(source)

  test('a timer that has come before its answer does not where that is waited for', async () => {
    const body = async (): Promise<void> => {
      const late = new Promise((done) => setTimeout(done, 4000, 'late'))
      const answer = new Promise((done) => http.get({ port: other.port, agent: false }, (response) => response.resume().on('end', () => done('answer'))))
      expect(await Promise.race([answer, late])).toBe('answer')
    }
    const { result } = await exploreBody(body, { interleave: 'event-loop', time: 'race' })
    expect(result.verdict).toBe('fails')
    const again = await exploreBody(body, { interleave: 'event-loop', knownFailure: result.failures[0]!.schedule })
    expect(again.result.verdict).toBe('holds')
  })
})
