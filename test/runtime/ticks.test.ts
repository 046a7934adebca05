import { expect, onTestFinished, test } from 'vitest'
import { watchTicks } from '../../src/runtime/globals/ticks.ts'

/** What a fake clock puts in the place of `process.nextTick`. */
function standIn(methods: readonly string[]): typeof process.nextTick {
  return Object.assign(() => {}, { clock: { methods, tick() {} } })
}

test('while an exploration waits for the platform, ticks are those of the clock that is installed, not of one before it', () => {
  const real = process.nextTick
  onTestFinished(() => void (process.nextTick = real))
  onTestFinished(watchTicks())
  process.nextTick = standIn([])
  expect(process.nextTick).toBe(real)
  const installed = standIn(['nextTick'])
  process.nextTick = installed
  expect(process.nextTick).toBe(installed)
  process.nextTick = real
  expect(process.nextTick).toBe(real)
})
