import { EventEmitter } from 'node:events'
import os, { freemem } from 'node:os'
import { describe, expect, test } from 'vitest'
import { dporTest, explore } from '../../src/index.ts'

/** There are two orders, so that there are several executions. */
async function inTwoOrders<T>(work: () => T): Promise<T> {
  const log: string[] = []
  const write = async (name: string): Promise<void> => { await null; log.push(name) }
  const result = work()
  await Promise.all([write('a'), write('b')])
  log.join()
  return result
}

describe('what is measured of the process and the machine is the same in each execution', () => {
  dporTest.each([
    ['memory', () => process.memoryUsage().heapUsed],
    ['resident memory', () => process.memoryUsage.rss()],
    ['processor time', () => process.cpuUsage().user],
    ['processor time since', () => process.cpuUsage({ user: 1, system: 1 }).user],
    ['resources', () => process.resourceUsage().userCPUTime],
    ['how long the process has run', () => process.uptime()],
    ['free memory', () => freemem()],
    ['load', () => os.loadavg()[0]],
    ['how busy the loop is', () => performance.eventLoopUtilization().utilization],
    ['the number of a timer', () => { const timer = setTimeout(() => {}, 1); clearTimeout(timer); return Number(timer) }],
  ])('%s', async (_, measure) => {
    const found: Record<string, number> = {}
    await inTwoOrders(() => { found[String(measure())] = 1 })
    expect(Object.keys(found)).toHaveLength(1)
  })

  test('and is what it was outside', () => {
    expect(process.memoryUsage().heapUsed).not.toBe(process.memoryUsage.rss())
    expect(process.uptime()).toBeGreaterThan(0)
  })

  dporTest('each caller gets an object of its own', async () => {
    const before = process.memoryUsage()
    before.rss = -1
    await null
    expect(process.memoryUsage().rss).toBeGreaterThan(0)
  })
})

describe('each execution finds it as the first one did', () => {
  dporTest('marks and measures', async () => {
    await inTwoOrders(() => { performance.mark('begin'); performance.measure('since', 'begin') })
    expect([performance.getEntriesByName('begin').length, performance.getEntriesByName('since').length]).toEqual([1, 1])
  })

  test('marks from before stay', async () => {
    performance.mark('older', { startTime: 5, detail: 'kept' })
    const { verdict } = await explore(async () => { await inTwoOrders(() => performance.clearMarks()) })
    expect(verdict).toBe('holds')
    expect(performance.getEntriesByName('older')).toMatchObject([{ startTime: 5, detail: 'kept' }])
  })

  dporTest('how many listeners an emitter may have', async () => {
    expect(EventEmitter.defaultMaxListeners).toBe(10)
    await inTwoOrders(() => { EventEmitter.defaultMaxListeners = 20 })
  })

  const folder = process.cwd()
  dporTest('the working directory', async () => {
    expect(process.cwd()).toBe(folder)
    await inTwoOrders(() => process.chdir('/'))
    expect(process.cwd()).toBe('/')
    process.chdir(folder)
  })

  test('the working directory afterwards', async () => {
    await explore(async () => { process.chdir('/'); await null })
    expect(process.cwd()).toBe(folder)
  })
})
