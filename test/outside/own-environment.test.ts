import { beforeAll, describe, expect, test } from 'vitest'
import { project, run, type Run } from './project.ts'

const files = {
  'vitest.config.ts': `
import { defineConfig } from 'vitest/config'
import { dpor } from 'vitest-dpor/plugin'
export default defineConfig({ plugins: [dpor()], test: { environment: './environment.js' } })`,
  'environment.js': `
export default {
  name: 'own',
  viteEnvironment: 'ssr',
  setup(global) {
    const native = global.EventTarget
    global.EventTarget = class extends native {}
    return { teardown: () => { global.EventTarget = native } }
  },
}`,
  'signals.spec.js': `
import { expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
dporTest('signals are of another class', async () => {
  expect(Object.getPrototypeOf(AbortSignal.prototype)).not.toBe(EventTarget.prototype)
})
const heard = async (isRemoved) => {
  const controller = new AbortController()
  let count = 0
  const listener = () => { count++ }
  controller.signal.addEventListener('abort', listener, { once: true })
  await null
  if (isRemoved) controller.signal.removeEventListener('abort', listener)
  controller.abort()
  return count
}
dporTest('a listener that is there', async () => { expect(await heard(false)).toBe(1) })
dporTest('a listener that is removed', async () => { expect(await heard(true)).toBe(0) })
dporTest('to add one races with the abort', async () => {
  const controller = new AbortController()
  let count = 0
  const listens = async () => { await null; controller.signal.addEventListener('abort', () => { count++ }) }
  const aborts = async () => { await null; controller.abort() }
  await Promise.all([listens(), aborts()])
  expect(count).toBe(1)
})`,
}

/** A test environment may put an EventTarget of its own on the global object, as jsdom does: Node's signals are of Node's class all the same. */
describe('signals in an environment with another EventTarget', () => {
  let result: Run
  beforeAll(async () => {
    result = await run(project('own-environment', files))
  })

  test.each(['signals are of another class', 'a listener that is there', 'a listener that is removed'])('%s', (name) => {
    expect(result.test(name)).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
  })

  test('to add a listener races with the abort', () => {
    expect(result.test('to add one races with the abort')).toMatchObject({ status: 'failed', dpor: { verdict: 'fails' } })
  })
})
