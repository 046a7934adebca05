import { expect, test } from 'vitest'
import { exploreBody } from './project.ts'

/** Orders of two kinds of jobs that the platform has, and the reference does not. */

test('an immediate comes after the ticks and after the microtasks of its step', async () => {
  const { outcomes } = await exploreBody(`
    let log = ''
    setImmediate(() => { log += 'i' })
    process.nextTick(() => { log += 't' })
    queueMicrotask(() => { log += 'm' })
    await new Promise((resolve) => setTimeout(resolve, 1))
    return log`)
  expect(outcomes).toEqual(['"mti"', '"tmi"'])
})

test('a timer comes after those of its process, whatever others of its length were set between', async () => {
  const { outcomes } = await exploreBody(`
    let log = ''
    setTimeout(() => { log += 'a' }, 9)
    let open
    const gate = new Promise((resolve) => { open = resolve })
    const other = async () => { await new Promise((resolve) => setTimeout(resolve, 5)); setTimeout(() => { log += 'b' }, 4); open() }
    const done = other()
    await gate
    setTimeout(() => { log += 'c' }, 4)
    await done
    await new Promise((resolve) => setTimeout(resolve, 9))
    return log`)
  expect(outcomes).toEqual(['"abc"', '"bac"'])
})
