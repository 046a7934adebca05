import { once } from 'node:events'
import { mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { performance, PerformanceObserver } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'watched-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const sleep = (milliseconds: number) => new Promise<'late'>((resolve) => void setTimeout(resolve, milliseconds, 'late'))

const names = (): Promise<string[]> =>
  new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      observer.disconnect()
      resolve(list.getEntries().map(({ name }) => name))
    })
    observer.observe({ entryTypes: ['mark'] })
  })

type Waiting = { async: false } | { async: true; value: Promise<string> }
const waitAsync = (Atomics as unknown as { waitAsync?: (cells: Int32Array, index: number, value: number, timeout?: number) => Waiting }).waitAsync!

async function waitFor(cells: Int32Array): Promise<void> {
  await null
  const waiting = waitAsync(cells, 0, 0)
  if (waiting.async) await waiting.value
}

async function wake(cells: Int32Array, value: number): Promise<void> {
  await null
  await null
  Atomics.store(cells, 0, value)
  Atomics.notify(cells, 0)
}

const cells = (): Int32Array => new Int32Array(new SharedArrayBuffer(4))

describe.each(['await', 'event-loop'] as const)("interleave: '%s'", (interleave) => {
  const verdictOf = async (body: () => Promise<unknown>): Promise<string> => (await explore(body, { interleave })).verdict

  test('what has changed in a file that is watched', async () => {
    const verdict = await verdictOf(async () => {
      const file = path.join(folder, 'file')
      writeFileSync(file, '1')
      const watcher = watch(file)
      const changed = once(watcher, 'change')
      await writeFile(file, '2')
      expect((await changed)[0]).toBe('change')
      watcher.close()
    })
    expect(verdict).toBe('holds')
  })

  test('marks are told to who observes them, before any timer', async () => {
    const verdict = await verdictOf(async () => {
      const seen = names()
      performance.mark('here')
      expect(await Promise.race([seen, sleep(100)])).toEqual(['here'])
    })
    expect(verdict).toBe('holds')
  })

  test.skipIf(!waitAsync)('Atomics.waitAsync: a wakeup that comes first is lost', async () => {
    const together = (value: number) => () => {
      const shared = cells()
      return Promise.all([waitFor(shared), wake(shared, value)])
    }
    expect([await verdictOf(together(0)), await verdictOf(together(1))]).toEqual(['fails', 'holds'])
  })

  test.skipIf(!waitAsync)('Atomics.notify: who is woken goes on before a timer', async () => {
    const verdict = await verdictOf(async () => {
      const shared = cells()
      const waiting = waitAsync(shared, 0, 0)
      Atomics.notify(shared, 0)
      expect(await Promise.race([waiting.async && waiting.value, sleep(100)])).toBe('ok')
    })
    expect(verdict).toBe('holds')
  })

  test.skipIf(!waitAsync)('Atomics.waitAsync with a timeout is not explored: time is virtual, and that is not', async () => {
    const waiting = (timeout?: number) => explore(async () => {
      const shared = cells()
      const woken = waitAsync(shared, 0, 0, timeout)
      setTimeout(() => Atomics.notify(shared, 0), 1000)
      expect(woken.async ? await woken.value : 'at once').toBe(timeout === 0 ? 'at once' : 'ok')
    }, { interleave })
    const timed = await waiting(2000)
    expect(timed.verdict).toBe('inconclusive')
    expect(timed.inconclusiveReason).toContain('Atomics.waitAsync with a timeout')
    expect((await Promise.all([waiting(), waiting(Infinity), waiting(0)])).map(({ verdict }) => verdict)).toEqual(['holds', 'holds', 'holds'])
  })
})
