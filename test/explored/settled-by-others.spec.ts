import { describe, expect, test, vi } from 'vitest'
import { explore } from 'vitest-dpor'
import { outcomes } from './uninstrumented/outcomes.ts'

const options = { interleave: 'event-loop' } as const

interface Gate {
  readonly promise: Promise<void>
  readonly open: () => void
}

function gate(): Gate {
  let open!: () => void
  const promise = new Promise<void>((resolve) => (open = resolve))
  return { promise, open }
}

const passedOn = async ({ promise }: Gate): Promise<void> => promise

/** Whether an answer that is under way has come when the body has awaited something. */
const after = (wait: () => Promise<unknown>) => async (): Promise<boolean> => {
  const answer = vi.fn(async () => {})
  let hasCome = false
  const answered = answer().then(() => (hasCome = true))
  await wait()
  const had = hasCome
  await answered
  return had
}

describe('an await in a test file', () => {
  const others: Record<string, () => Promise<unknown>> = {
    'a promise': async () => {
      const { promise, open } = gate()
      open()
      await promise
    },
    'what a call passes on': async () => {
      const opened = gate()
      const result = passedOn(opened)
      opened.open()
      await opened.promise
      await opened.promise
      await opened.promise
      await result
    },
  }
  test.each(Object.entries(others))('of what the program itself has settled goes on before any answer comes: %s', async (_name, wait) => {
    // The plain run, in which the answer takes no time, and one.
    expect(await explore(after(wait), options)).toMatchObject({ verdict: 'holds', executions: 2 })
  })

  const answers: Record<string, () => Promise<unknown>> = {
    'a value': async () => void (await 0),
    'a promise of it': async () => void (await Promise.resolve(0)),
    'a promise that settles itself': async () => void (await new Promise<void>((resolve) => resolve())),
  }
  test.each(Object.entries(answers))('of what is there where it is made stands for I/O: %s', async (_name, wait) => {
    expect((await outcomes(after(wait), options)).seen).toEqual(['false', 'true'])
  })

  test('so nothing is rejected before the body handles it, as in Node', async () => {
    const { verdict } = await explore(async () => {
      const fails = vi.fn().mockRejectedValue(new Error('no'))
      const replaced = gate()
      const first = passedOn(replaced)
      replaced.open()
      const second = fails() as Promise<void>
      await replaced.promise
      await first
      await expect(second).rejects.toThrow('no')
    }, options)
    expect(verdict).toBe('holds')
  })
})
