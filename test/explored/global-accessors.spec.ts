import { explore } from 'vitest-dpor'
import { expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

interface Replaced {
  process?: { pid: number }
  Buffer: { poolSize: number }
}
const global = globalThis as unknown as Replaced
const real = globalThis.process

const looks: Readonly<Record<string, () => unknown>> = {
  'globalThis.process': () => global.process?.pid,
  'globalThis.Buffer': () => global.Buffer.poolSize,
}

test.each(Object.entries(looks))('%s gives what is there: who looks for it decides nothing', async (_, look) => {
  const take = async (): Promise<void> => {
    await null
    look()
  }
  expect(await explore(() => Promise.all([take(), take()]))).toMatchObject({ verdict: 'holds', executions: 1, opaque: [] })
})

const replacements: Readonly<Record<string, () => unknown>> = {
  'is assigned another one': () => (global.process = { pid: 1 }),
  'gets another one': () => Object.defineProperty(global, 'process', { value: { pid: 1 }, configurable: true, writable: true }),
  'has none any more': () => delete global.process,
}

const readers: Readonly<Record<string, () => unknown>> = {
  'a property of it': () => global.process?.pid === real.pid,
  'a pattern': () => {
    const { process } = global
    return process?.pid === real.pid
  },
  'Reflect.get': () => (Reflect.get(global, 'process') as Replaced['process'])?.pid === real.pid,
}

const pairs = Object.entries(replacements).flatMap(([how, replace]) => Object.entries(readers).map(([by, read]) => ({ how, by, replace, read })))

test.each(pairs)('who reads $by comes before or after the global object $how', async ({ replace, read }) => {
  const { seen, executions } = await outcomes(async () => {
    const reads = async (): Promise<unknown> => {
      await null
      return read()
    }
    const replaces = async (): Promise<void> => {
      await null
      replace()
    }
    const [found] = await Promise.all([reads(), replaces()])
    Object.defineProperty(globalThis, 'process', { value: real, configurable: true, writable: true })
    return found
  })
  expect({ seen, executions }).toEqual({ seen: ['false', 'true'], executions: 2 })
})
