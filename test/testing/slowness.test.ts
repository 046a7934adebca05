import { describe, expect, test } from 'vitest'
import { Slowness } from '../../src/testing/slowness.ts'

/** What a process was found to have used whenever somebody asked. */
function asked(...used: { busy: number; onCore: number }[]): number[] {
  let i = 0
  const slowness = new Slowness(() => used[i]!)
  return used.map(() => {
    const now = slowness.now()
    i++
    return now
  })
}

describe('how slow the machine is', () => {
  test('not at all where the process has a core whenever it wants one', () => {
    expect(asked({ busy: 500, onCore: 480 }, { busy: 900, onCore: 1300 })).toEqual([1, 1])
  })

  test('as many times as what it has done took longer, since it was asked for before', () => {
    expect(asked({ busy: 900, onCore: 300 }, { busy: 1500, onCore: 600 }, { busy: 1800, onCore: 900 })).toEqual([3, 2, 1])
  })

  test('as it was, where little has happened since', () => {
    expect(asked({ busy: 400, onCore: 200 }, { busy: 900, onCore: 250 }, { busy: 1000, onCore: 310 })).toEqual([2, 2, 5])
  })

  test('where the process had little to do nobody asks for how long it had a core', () => {
    const slowness = new Slowness(() => ({ busy: 90, get onCore(): number { throw new Error('asked') } }))
    expect(slowness.now()).toBe(1)
  })

  test('on a busy machine, where it has a core for little of its time, nobody asks for that again and again', () => {
    let times = 0
    let busy = 0
    const slowness = new Slowness(() => ({ busy: (busy += 5), get onCore() { times++; return busy / 10 } }))
    for (let i = 0; i < 100; i++) slowness.now()
    expect([times, slowness.now()]).toEqual([17, 1])
  })

  test('no more than five times', () => {
    expect(asked({ busy: 9000, onCore: 300 })).toEqual([5])
  })

  test('of this process it can be told', () => {
    expect([1, 2, 3, 4, 5]).toContain(new Slowness().now())
  })
})
