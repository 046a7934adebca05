import { describe, expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

/** Bodies that listen themselves: as long as the test runner listens as well, it takes a rejection for a failure. */
function listen(listener: (error: unknown) => void): void {
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', listener)
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const modes = ['await', 'event-loop'] as const

describe.each(modes)("rejections that the body is told of, interleave: '%s'", (interleave) => {
  test('come in the order of the steps that have led to them', async () => {
    const { verdict, seen } = await outcomes(
      async () => {
        const log: unknown[] = []
        listen((error) => log.push(error))
        const reject = async (n: number) => {
          await null
          void Promise.reject(n)
        }
        await Promise.all([reject(1), reject(2)])
        await later(5)
        return log.join()
      },
      { interleave },
    )
    expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: ['"1,2"', '"2,1"'] })
  })

  test('come before what other steps look at, or after', async () => {
    const { verdict, seen } = await outcomes(
      async () => {
        const log: unknown[] = []
        listen((error) => log.push(error))
        const reject = async () => {
          await null
          void Promise.reject(1)
        }
        const look = async () => {
          await null
          return log.length
        }
        return (await Promise.all([reject(), look(), look()])).slice(1)
      },
      { interleave },
    )
    expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: ['[0,0]', '[0,1]', '[1,0]', '[1,1]'] })
  })

  test('to a listener for one call, which is taken off again', async () => {
    const before = process.listenerCount('unhandledRejection')
    const { verdict, seen } = await outcomes(
      async () => {
        process.removeAllListeners('unhandledRejection')
        const told = new Promise((resolve) => process.once('unhandledRejection', resolve))
        const other = () => {}
        process.on('unhandledRejection', other)
        void (async () => {
          await null
          throw new Error('no')
        })()
        const error = await told
        process.off('unhandledRejection', other)
        return [String(error), process.listenerCount('unhandledRejection')]
      },
      { interleave },
    )
    expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: ['["Error: no",0]'] })
    expect(process.listenerCount('unhandledRejection')).toBe(before)
  })
})
