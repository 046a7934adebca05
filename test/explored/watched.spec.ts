import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import * as runtime from '../../src/runtime/index.ts'
import { older, opaque } from './uninstrumented/events.ts'

/** An emitter that opaque code has without being handed it: what it does with it is told if the two tasks conflict. */
const { emitter } = older
const listened = { tasks: [async () => void emitter.on('x', () => {}), async () => opaque.emitOlder('x')] }
const executionsBy = async ({ explore }: Pick<typeof runtime, 'explore'>): Promise<number> => (await explore(listened)).executions

test('calls of built-ins by opaque code are told, whatever stood in their place in an earlier exploration', async () => {
  const spy = vi.spyOn(EventEmitter.prototype, 'emit')
  await executionsBy(runtime)
  spy.mockRestore()
  expect([await executionsBy(runtime), await executionsBy(runtime)]).toEqual([2, 2])
})

test('and by each of several copies of the runtime, in turn', async () => {
  const copies = [runtime]
  while (copies.length < 3) {
    vi.resetModules()
    copies.push(await import('../../src/runtime/index.ts'))
  }
  const executions: number[] = []
  for (const copy of [...copies, ...copies]) {
    copy.install()
    executions.push(await executionsBy(copy))
  }
  runtime.install()
  expect([new Set(copies).size, executions]).toEqual([3, [2, 2, 2, 2, 2, 2]])
})

test('the timers of modules are virtual in every exploration, and real between them', async () => {
  const body = async () => {
    await Promise.all([sleep(86_400_000), sleep(1)])
  }
  await runtime.explore(body)
  const started = performance.now()
  await sleep(20)
  expect(performance.now() - started).toBeGreaterThan(15)
  expect((await runtime.explore(body)).verdict).toBe('holds')
})
