import * as v8 from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import { explore } from 'vitest-dpor'
import { letGo, older, reclaimMemory, WeakCache } from './uninstrumented/weak-cache.ts'

test('what code that is not instrumented refers to weakly lives as long as the execution', async () => {
  const { verdict } = await explore(async () => {
    const cache = new WeakCache()
    cache.fill('a')
    await new Promise((resolve) => setTimeout(resolve, 1))
    reclaimMemory()
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(cache.has('a')).toBe(true)
  })
  expect(verdict).toBe('holds')
})

test('what instrumented code has found by a reference that is older stays in all executions', async () => {
  const { verdict } = await explore(async () => {
    const step = () => new Promise((resolve) => setTimeout(resolve, 1))
    await step()
    reclaimMemory()
    await step()
    expect(older.deref()).toBeDefined()
    letGo()
  }, { reproduce: 4 })
  expect(verdict).toBe('holds')
})

test('a weak reference is one for whoever looks at it', async () => {
  const { verdict } = await explore(async () => {
    const target = {}
    const reference = new WeakRef(target)
    class Named extends WeakRef<object> {}
    await null
    expect([reference instanceof WeakRef, reference.constructor === WeakRef, Object.getPrototypeOf(reference) === WeakRef.prototype, reference.deref() === target]).toEqual([true, true, true, true])
    expect([new Named(target) instanceof Named, WeakRef.name, WeakRef.length, String(reference)]).toEqual([true, 'WeakRef', 1, '[object WeakRef]'])
    expect(() => (WeakRef as unknown as () => void)()).toThrow(TypeError)
    expect(() => Reflect.construct(Object, [], WeakRef.prototype.deref)).toThrow(TypeError)
  })
  expect(verdict).toBe('holds')
})

/** As detectors of leaks do it. */
function reclaim(): void {
  v8.setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  v8.setFlagsFromString('--no-expose-gc')
  collect()
}

test.each([['garbage is collected', reclaim], ['a picture of the heap is taken', () => void v8.getHeapSnapshot()]])('whether memory is reclaimed an exploration does not say: %s', async (_, ask) => {
  let isHeld = true
  const held = new FinalizationRegistry(() => {
    isHeld = false
  })
  const { verdict, failures, inconclusiveReason } = await explore(async () => {
    held.register({}, undefined)
    await null
    ask()
    await new Promise(setImmediate)
    expect(isHeld).toBe(false)
  })
  expect({ verdict, failures, inconclusiveReason }).toEqual({
    verdict: 'inconclusive',
    failures: [],
    inconclusiveReason: 'the body asks whether memory is reclaimed, and an exploration keeps what it has seen: ask that in a plain test',
  })
})

const heard: string[] = []
const registry = new FinalizationRegistry((held: string) => void heard.push(held))

describe('what an execution registers to hear that it was reclaimed', () => {
  test('is not told of when another test runs', async () => {
    const { verdict } = await explore(async () => {
      let n = 0
      await Promise.all([1, 2].map(async () => {
        registry.register({}, 'of an exploration')
        const seen = n
        await null
        n = seen + 1
      }))
    })
    expect(verdict).toBe('holds')
    registry.register({}, 'outside')
    await vi.waitFor(() => {
      reclaim()
      expect(heard).toContain('outside')
    })
    expect(heard).toEqual(['outside'])
  })

  test('may be taken back, and who does not say by what meets nobody', async () => {
    const { failures, executions } = await explore(async () => {
      const token = {}
      await Promise.all([1, 2].map(async () => registry.register({}, 'of nobody')))
      registry.register({}, 'of a token', token)
      expect([registry.unregister(token), registry.unregister(token)]).toEqual([true, false])
      expect(() => registry.register({}, 'x', 1 as never)).toThrow(TypeError)
      expect(() => registry.register(1 as never, 'x')).toThrow(TypeError)
    })
    expect(failures).toEqual([])
    expect(executions).toBe(1)
  })
})
