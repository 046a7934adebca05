import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { countOf } from '../../src/runtime/accesses/event-targets.ts'

describe('the listeners of a target are counted', () => {
  test('as Node lists them', () => {
    const { signal } = new AbortController()
    const listener = (): void => {}
    const counts = (): unknown[] => [countOf(signal, 'abort'), getEventListeners(signal, 'abort').length]
    expect(counts()).toEqual([0, 0])
    signal.addEventListener('abort', listener)
    signal.addEventListener('abort', listener)
    signal.addEventListener('abort', () => {}, { once: true })
    expect(counts()).toEqual([2, 2])
    signal.dispatchEvent(new Event('abort'))
    expect(counts()).toEqual([1, 1])
    signal.removeEventListener('abort', listener)
    expect(counts()).toEqual([0, 0])
  })

  test('without walking through them', () => {
    const target = new EventTarget()
    for (let i = 0; i < 3; i++) target.addEventListener('x', () => {})
    const kept = Reflect.get(target, Object.getOwnPropertySymbols(target).find(({ description }) => description === 'kEvents')!) as Map<string, object>
    Object.defineProperty(kept.get('x'), 'next', { get: () => expect.unreachable('a listener was looked at') })
    expect(countOf(target, 'x')).toBe(3)
  })

  test('of a Proxy as well', () => {
    const target = new EventTarget()
    target.addEventListener('x', () => {})
    expect(countOf(new Proxy(target, {}), 'x')).toBe(1)
  })
})
