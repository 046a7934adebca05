import { expect, test } from 'vitest'
import { EngineError } from '../../src/engine/index.ts'
import { running } from '../../src/runtime/execution/running.ts'
import { explore } from '../../src/runtime/index.ts'

/** What only happens where the package has a bug: the engine is told of something out of its turn. */
function plant(): void {
  running?.search.finish({ status: 'complete' })
}

test.each([
  ['at once', async () => { try { plant() } catch {} }],
  ['as a rejection', () => new Promise<void>(plant).catch(() => {})],
  ['in a later step', async () => { await Promise.resolve(); try { plant() } catch {} await Promise.resolve() }],
  ['so that it looks like a deadlock', async () => { try { plant() } catch { await new Promise(() => {}) } }],
])('an error of the engine that the body has caught is no verdict: %s', async (_, body) => {
  await expect(explore(body)).rejects.toThrow(EngineError)
})

test('one that was thrown before says nothing of the body', async () => {
  try {
    throw new EngineError('planted')
  } catch {}
  expect((await explore(async () => { await Promise.resolve() })).verdict).toBe('holds')
})
