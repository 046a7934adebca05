import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { explore, io } from 'vitest-dpor'

/** What Node puts in the place of a listener that is called once knows for ever that it was called. */
describe.each(['await', 'event-loop'] as const)('a listener that is called once, of an emitter that is older than the test (%s)', (interleave) => {
  const emitter = new EventEmitter()
  const heard: [number, unknown][] = []
  emitter.once('event', function (this: unknown, value: number) {
    heard.push([value, this])
  })
  emitter.prependOnceListener('event', (value: number) => void heard.push([-value, undefined]))
  const wait = (): Promise<number> => io(Promise.resolve(1))

  test('is called in each execution', async () => {
    const { verdict, executions } = await explore(
      async () => {
        heard.length = 0
        await Promise.all([1, 2].map(async (value) => (await wait(), emitter.emit('event', value))))
        const [[first]] = heard as [[number, unknown]]
        expect(heard).toEqual([[first, undefined], [-first, emitter]])
      },
      { interleave },
    )
    expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: expect.any(Number) })
    expect(executions).toBeGreaterThan(1)
  })

  test('is still there, and is called once', () => {
    expect([emitter.listenerCount('event'), Object.hasOwn(emitter, 'on')]).toEqual([2, false])
    heard.length = 0
    emitter.emit('event', 3)
    emitter.emit('event', 4)
    expect(heard.map(([value]) => value)).toEqual([-3, 3])
  })

  test('can be taken away', async () => {
    const other = new EventEmitter()
    const listener = (): void => void heard.push([0, undefined])
    other.once('event', listener)
    const { verdict } = await explore(
      async () => {
        await Promise.all([wait().then(() => other.emit('event')), wait().then(() => other.off('event', listener))])
        expect(other.listenerCount('event')).toBe(0)
      },
      { interleave },
    )
    expect([verdict, other.listenerCount('event')]).toEqual(['holds', 1])
    other.off('event', listener)
    expect(other.listenerCount('event')).toBe(0)
  })
})
