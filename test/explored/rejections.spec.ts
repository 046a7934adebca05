import { describe, expect, test } from 'vitest'
import { explore, io } from 'vitest-dpor'
import { firstOutcome, outcomes } from './uninstrumented/outcomes.ts'

/** Bodies that listen themselves. */
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

  /** What is told of a rejection that is handled two turns later. */
  const handledLate = async () => {
    const log: string[] = []
    listen(() => log.push('unhandled'))
    process.on('rejectionHandled', () => log.push('handled'))
    const rejected = Promise.reject(new Error('no'))
    await later(5)
    await rejected.catch(() => log.push('caught'))
    await later(5)
    return log.join()
  }

  test('and of their being handled later, by the execution that they are of', async () => {
    const { verdict, executions, seen } = await outcomes(handledLate, { interleave })
    expect({ verdict, executions, seen: seen.filter((log) => log !== '"unhandled,handled,caught"') }).toEqual({ verdict: 'holds', executions: 1, seen: ['"unhandled,caught,handled"'] })
  })

  test('in the plain run at the end of its turn, whatever may come from outside meanwhile', async () => {
    const body = async (): Promise<string> => {
      const told = new Promise((resolve) => process.once('warning', resolve))
      process.emitWarning('of something else')
      await told
      return handledLate()
    }
    expect(await firstOutcome(body, { interleave })).toBe('unhandled,caught,handled')
  })

  test('and where only the plain run fails by that, it counts', async () => {
    const { verdict, failures } = await explore(async () => expect(await handledLate()).not.toBe('unhandled,caught,handled'), { interleave })
    expect({ verdict, failures: failures.length }).toEqual({ verdict: 'fails', failures: 1 })
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

describe.each(modes)("errors that nobody handles, where the body listens beside the test runner, interleave: '%s'", (interleave) => {
  const ways: Record<string, { readonly event: 'uncaughtException' | 'unhandledRejection'; readonly fail: () => unknown }> = {
    'a callback throws': { event: 'uncaughtException', fail: () => setTimeout(() => { throw new Error('lost') }, 1) },
    'a callback of queueMicrotask throws': { event: 'uncaughtException', fail: () => queueMicrotask(() => { throw new Error('lost') }) },
    'a callback of nextTick throws': { event: 'uncaughtException', fail: () => process.nextTick(() => { throw new Error('lost') }) },
    'a listener throws': {
      event: 'uncaughtException',
      fail: () => {
        const target = new EventTarget()
        target.addEventListener('x', () => { throw new Error('lost') })
        target.dispatchEvent(new Event('x'))
      },
    },
    'a promise is rejected': { event: 'unhandledRejection', fail: () => Promise.reject(new Error('lost')) },
  }
  test.each(Object.entries(ways))('are left to the body: %s', async (_, { event, fail }) => {
    const before = process.listenerCount(event)
    for (const isAlone of [false, true]) {
      const { verdict, seen, reason } = await outcomes(
        async () => {
          const log: unknown[] = []
          if (isAlone) process.removeAllListeners(event)
          process.once(event as 'uncaughtException', (error) => log.push(error.message))
          void fail()
          await later(5)
          return log
        },
        { interleave },
      )
      expect({ verdict, seen, reason }).toEqual({ verdict: 'holds', seen: ['["lost"]'], reason: undefined })
      expect(process.listenerCount(event)).toBe(before)
    }
  })

  test.each(Object.entries(ways))('or else fail the test: %s', async (_, { fail }) => {
    const { verdict, failures } = await explore(async () => {
      void fail()
      await later(5)
    }, { interleave })
    expect([verdict, String(failures[0]?.error)]).toEqual(['fails', 'Error: lost'])
  })
})

describe.each(modes)("an answer that is rejected, interleave: '%s'", (interleave) => {
  const ways: Record<string, () => Promise<unknown>> = {
    'as it is': () => io(Promise.reject(new Error('no'))),
    'passed on by an async function': async () => io(Promise.reject(new Error('no'))),
    'passed on by a whole': () => Promise.all([io(Promise.reject(new Error('no'))), null]),
    'passed on by a reaction': () => io(Promise.reject(new Error('no'))).then(() => {}),
  }
  test.each(Object.entries(ways))('may come before somebody handles it, or after: %s', async (_, ask) => {
    const late = async () => {
      const asked = ask()
      await Promise.all([io(1), io(2)])
      await asked.catch(() => {})
    }
    const { executions, failures } = await explore(late, { interleave, stopOnFirst: false })
    expect([...new Set(failures.map(({ kind }) => kind))]).toEqual(['unhandled-rejection'])
    // In the plain order it is handled in the same turn.
    expect({ isFirstPassed: failures.every(({ execution }) => execution > 1), isAnyPassed: executions > failures.length }).toEqual({ isFirstPassed: true, isAnyPassed: true })
  })

  test('is in time for who waits for it at once, and fails where nobody does', async () => {
    const { seen, verdict } = await outcomes(async () => io(Promise.reject(new Error('no'))).catch((error: Error) => error.message), { interleave })
    expect({ seen, verdict }).toEqual({ seen: ['"no"'], verdict: 'holds' })
    const { failures } = await explore(async () => void io(Promise.reject(new Error('no'))), { interleave })
    expect(failures.map(({ kind }) => kind)).toEqual(['unhandled-rejection'])
  })
})

describe('while the call of a `then` is in the queue', () => {
  /** As promises that can be cancelled are made. */
  function cancellable() {
    let cancel = (): void => {}
    const promise = new Promise<void>((_, reject) => (cancel = () => reject(new Error('cancelled'))))
    // oxlint-disable-next-line no-thenable
    return { cancel: () => cancel(), promise, then: promise.then.bind(promise) }
  }
  const waitFor = async (one: PromiseLike<void>): Promise<string> => {
    try {
      await one
      return 'ended'
    } catch {
      return 'cancelled'
    }
  }

  test('it handles a rejection in time', async () => {
    const { verdict } = await explore(async () => {
      const one = cancellable()
      const waiting = waitFor(one)
      one.cancel()
      expect(await waiting).toBe('cancelled')
    })
    expect(verdict).toBe('holds')
  })

  test('and the one that it puts there', async () => {
    const { verdict } = await explore(async () => {
      const one = cancellable()
      // oxlint-disable-next-line no-thenable
      const waiting = waitFor({ then: (resolve: (value: unknown) => void) => resolve(one) } as PromiseLike<void>)
      one.cancel()
      expect(await waiting).toBe('cancelled')
    })
    expect(verdict).toBe('holds')
  })

  const others: Record<string, (promise: Promise<void>) => Promise<unknown>> = {
    'nobody handles another one': async () => {},
    'another one is handled after an await': async (promise) => {
      await null
      promise.catch(() => {})
    },
  }
  test.each(Object.keys(others))('%s', async (name) => {
    const { verdict, failures } = await explore(async () => {
      const [one, other] = [cancellable(), cancellable()]
      const waiting = waitFor(one)
      other.cancel()
      one.cancel()
      await Promise.all([waiting, others[name]!(other.promise)])
    })
    expect({ verdict, kind: failures[0]?.kind }).toEqual({ verdict: 'fails', kind: 'unhandled-rejection' })
  })
})
