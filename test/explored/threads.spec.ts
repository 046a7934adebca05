import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import { explore, io } from 'vitest-dpor'

/** As transports of loggers do: a thread for which Node does not wait writes a line, some time after it was told to. */
const writing = `
  const { workerData, parentPort } = require('node:worker_threads')
  parentPort.on('message', () => setTimeout(() => require('node:fs').appendFileSync(workerData, 'line\\n'), 300))`

function write(file: string): void {
  const worker = new Worker(writing, { eval: true, workerData: file })
  worker.unref()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  worker.postMessage('write')
}

/** However soon the thread has written: how often somebody looks must not depend on that. */
const longEnough = async (): Promise<void> => {
  for (let i = 0; i < 2; i++) await new Promise((resolve) => setTimeout(resolve, 1_000))
}

test.each(['await', 'event-loop'] as const)('a thread has as long as the timers take that wait for what it does, and what it has left goes again: %s', async (interleave) => {
  const name = (): string => join(tmpdir(), `threads-${process.pid}-${Math.floor(Math.random() * 1e9)}`)
  const body = async (): Promise<void> => {
    const file = name()
    let done = ''
    write(file)
    const count = async (text: string): Promise<void> => {
      await io(Promise.resolve())
      done += text
    }
    await Promise.all([longEnough(), count('a'), count('b')])
    expect(readFileSync(file, 'utf8')).toBe('line\n')
    expect(done).toMatch(/ab|ba/)
  }
  const { verdict, executions, failures } = await explore(body, { interleave, maxTime: 20_000 })
  expect({ verdict, error: failures[0]?.error }).toEqual({ verdict: 'holds', error: undefined })
  expect(executions).toBeGreaterThan(1)
}, 60_000)

const older = join(tmpdir(), `threads-older-${process.pid}`)
afterAll(() => rmSync(older, { force: true }))

test('a file that is older stays, whoever adds to it', async () => {
  appendFileSync(older, 'older\n')
  await explore(async () => {
    write(older)
    await new Promise((done) => setTimeout(done, 50))
    expect(existsSync(older)).toBe(true)
  })
  expect(readFileSync(older, 'utf8')).toMatch(/^older\n/)
})

/** What it is told it tells, and ends. Node hands over what has not been by then when it tells of the end: in one go with that, or in one of its own before. */
const echoing = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', (message) => {
    parentPort.postMessage(message * 2)
    if (message === 2) parentPort.close()
  })`

test.each(['await', 'event-loop'] as const)('the last messages of a thread may come with its end, and before: %s', async (interleave) => {
  const body = async (): Promise<void> => {
    const worker = new Worker(echoing, { eval: true })
    const messages: unknown[] = []
    worker.on('message', (message) => messages.push(message))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    for (const message of [1, 2]) worker.postMessage(message)
    await once(worker, 'exit')
    expect(messages).toEqual([2, 4])
  }
  for (let i = 0; i < 4; i++) {
    const { verdict, inconclusiveReason } = await explore(body, { interleave })
    expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'holds', inconclusiveReason: undefined })
  }
}, 60_000)
