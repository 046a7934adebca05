import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { explore, type DporOptions } from 'vitest-dpor'

const folder = mkdtempSync(path.join(tmpdir(), 'dpor-resumed-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A body, or tasks that share what `setup` makes. */
type Subject = Parameters<typeof explore<any>>[0]
let files = 0

/** Explores the subject a few executions at a time, each time from where the last one ended. */
async function inPieces(subject: Subject, options: DporOptions, executions: number) {
  const file = path.join(folder, `${files++}.json`)
  for (let pieces = 1; ; pieces++) {
    const found = await explore(subject, { ...options, maxExecutions: executions, saveTo: file, resumeFrom: file })
    if (!existsSync(file)) return { found, pieces }
    expect(found.verdict).not.toBe('holds')
    expect(found.inconclusiveReason).toMatch(/^maxExecutions of /)
  }
}

const shown = ({ verdict, executions, failures, inconclusiveReason }: Awaited<ReturnType<typeof explore>>) => ({
  verdict,
  executions,
  inconclusiveReason,
  failures: failures.map(({ schedule, execution, error }) => [schedule, execution, (error as Error).message]),
})

const increments: Subject = {
  setup: () => ({ count: 0 }),
  tasks: Array.from({ length: 3 }, () => async (counter: { count: number }) => {
    const before = counter.count
    await null
    counter.count = before + 1
  }),
  invariant: ({ count }: { count: number }) => expect(count).toBe(3),
}

/** What is pushed is looked at last: the orders of the pushes, and of `done`, become classes only then. */
async function pushes(): Promise<void> {
  const log: string[] = []
  let done = 0
  const one = async (name: string) => {
    await null
    log.push(name)
    await null
    done++
  }
  await Promise.all([one('a'), one('b'), one('c')])
  expect(log.join('')).not.toBe('cab')
  expect(done).toBe(3)
}

async function independent(): Promise<void> {
  const cells = [0, 0, 0, 0]
  const one = async (i: number) => {
    const before = cells[i]!
    await null
    cells[(i + 1) % 4] = before + 1
  }
  await Promise.all([one(0), one(1), one(2), one(3)])
  expect(cells).toHaveLength(4)
}

describe.each(['optimal', 'source'] as const)('%s: an exploration that goes on from a file', (algorithm) => {
  test.each([
    ['tasks', increments],
    ['a body that observes an order', pushes],
    ['a body that holds', independent],
  ])('has found in the end what it finds in one go: %s', async (_, subject) => {
    for (const stopOnFirst of [false, true]) {
      const options = { algorithm, stopOnFirst, search: 'dfs' } as const
      const whole = await explore(subject, options)
      const { found, pieces } = await inPieces(subject, options, 2)
      expect(shown(found)).toEqual(shown(whole))
      expect(pieces > 1 || whole.executions <= 2).toBe(true)
    }
  })
})

test.each(['preemptions', 'stride:3'] as const)('search: %s', async (search) => {
  const options = { search, stopOnFirst: false }
  expect(shown((await inPieces(increments, options, 4)).found)).toEqual(shown(await explore(increments, options)))
})

test.each([{ part: '1/2' }, { part: '2/2', algorithm: 'source' }, { part: '2/2', search: 'preemptions' }, { part: '1/2', preemptionBound: 0 }] as const)('of a part: %o', async (given) => {
  const options = { stopOnFirst: false, equivalence: 'trace', ...given } as const
  // The failure that is told stands in the order of its class with the fewest switches, or in that of the plain run.
  const counted = (found: Awaited<ReturnType<typeof explore>>) => ({ ...shown(found), failures: found.failures.length })
  expect(counted((await inPieces(increments, options, 2)).found)).toEqual(counted(await explore(increments, options)))
})

describe('a file', () => {
  const saved = async (subject: Subject, options: DporOptions = {}): Promise<string> => {
    const file = path.join(folder, `${files++}.json`)
    await explore(subject, { stopOnFirst: false, maxExecutions: 3, saveTo: file, ...options })
    return file
  }

  test('of another body is refused', async () => {
    const resumeFrom = await saved(increments)
    await expect(explore(pushes, { stopOnFirst: false, resumeFrom })).rejects.toThrow(/^option 'resumeFrom' is '.*': the program has changed since it was written. Remove the file to begin from the start$/)
  })

  test('of other options is refused', async () => {
    const resumeFrom = await saved(increments)
    await expect(explore(increments, { stopOnFirst: false, algorithm: 'source', resumeFrom })).rejects.toThrow(`it was written with algorithm "optimal", and not "source". Remove`)
  })

  test('that is none begins nothing', async () => {
    const file = path.join(folder, 'none.json')
    expect(shown(await explore(increments, { stopOnFirst: false, resumeFrom: file }))).toEqual(shown(await explore(increments, { stopOnFirst: false })))
  })

  test('is written where time ends it, too', async () => {
    const resumeFrom = await saved(increments, { maxExecutions: undefined, maxTime: 1 })
    expect(shown(await explore(increments, { stopOnFirst: false, resumeFrom }))).toEqual(shown(await explore(increments, { stopOnFirst: false })))
  })
})
