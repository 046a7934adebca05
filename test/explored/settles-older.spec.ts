import { describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

interface Gate {
  readonly promise: Promise<number>
  readonly open: (value: number) => void
}

function makeGate(): Gate {
  let open: Gate['open'] = () => {}
  const promise = new Promise<number>((resolve) => {
    open = resolve
  })
  return { promise, open }
}

const later = (): Promise<void> => new Promise((resume) => setImmediate(resume))
const answer = async (value: number): Promise<number> => (await null, value)
const format = new Intl.NumberFormat('en').format

/** Nobody can undo that a promise is settled: what later executions find is not what the first one did. */
describe.each(['await', 'event-loop'] as const)('a promise that is older than the test (%s)', (interleave) => {
  const gates: Record<string, Gate> = { 'that others wait for': makeGate(), 'that nobody waits for': makeGate() }

  test.each(Object.keys(gates))('%s: which order settles it first is not known to be all there is', async (name) => {
    const { open, promise } = gates[name]!
    const { verdict, inconclusiveReason, executions } = await explore(
      async () => {
        const open1 = async (): Promise<void> => (await later(), open(1))
        const open2 = async (): Promise<void> => (await later(), open(2))
        const waits = name === 'that others wait for' ? [promise] : []
        await Promise.all([open1(), open2(), ...waits])
        expect(await promise).toBe(1)
      },
      { interleave },
    )
    expect({ verdict, executions, inconclusiveReason }).toEqual({ verdict: 'inconclusive', executions: 1, inconclusiveReason: expect.stringMatching(/could not be undone: a promise, which stays settled, changed at test\/explored\/settles-older/) })
  })

  test('one that has been settled before stays what it is', async () => {
    const { open, promise } = makeGate()
    open(1)
    const { verdict } = await explore(
      async () => {
        await Promise.all([1, 2].map(async () => (await later(), open(2))))
        expect(await promise).toBe(1)
      },
      { interleave },
    )
    expect(verdict).toBe('holds')
  })

  test('one of the body is another one each time: the order in which it is settled fails', async () => {
    const { verdict, failures } = await explore(
      async () => {
        const { open, promise } = makeGate()
        await Promise.all([1, 2].map(async (value) => {
          open(await answer(value))
          format(value)
        }))
        expect(await promise).toBe(1)
      },
      { interleave },
    )
    expect({ verdict, isPlain: failures[0]?.execution === 1 }).toEqual({ verdict: 'fails', isPlain: false })
  })
})

/** An event runs reactions of the platform's own: those of executions that are over are there until somebody settles the promise. */
test('who still waits at the end for a promise that is older goes on whenever it is settled: there is one execution', async () => {
  const { open, promise } = makeGate()
  const log: unknown[] = []
  const shared = { count: 0 }
  const { verdict, executions, inconclusiveReason } = await explore(
    async () => {
      void promise.then((value) => log.push(value))
      void (async () => log.push(await promise))()
      await Promise.all([1, 2].map(async () => (await later(), shared.count++)))
    },
    { interleave: 'event-loop' },
  )
  expect({ verdict, executions, inconclusiveReason }).toEqual({ verdict: 'inconclusive', executions: 1, inconclusiveReason: expect.stringMatching(/could not be undone: who waits for a promise that was there before/) })
  open(1)
  await later()
  expect(log).toEqual([1, 1])
})

test('who has waited for one that was settled before has left nothing', async () => {
  const { open, promise } = makeGate()
  open(1)
  const { verdict } = await explore(async () => void (await Promise.all([promise.then(() => 1), (async () => await promise)()])), { interleave: 'event-loop' })
  expect(verdict).toBe('holds')
})
