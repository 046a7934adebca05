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
