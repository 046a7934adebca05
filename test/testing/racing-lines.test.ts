import { expect, test } from 'vitest'
import { racingLines, racingLinesOfAll } from '../../src/testing/racing-lines.ts'
import { run } from '../report/executed.ts'

/** What each two lines of the body were seen in; the body begins in line 1. */
async function linesOf(code: string, options: Parameters<typeof run>[1] = {}): Promise<Record<string, string>> {
  const { result } = await run(code, { racedPlaces: true, ...options })
  const found = racingLines(result.racedPlaces, { isComplete: result.verdict === 'holds' })
  return Object.fromEntries(found.map(({ lines, seen }) => [lines.map(({ line }) => line).join(), seen]))
}

const add = `
  const box = { n: 0 }
  const add = async () => { await null
    const { n } = box
    await null
    box.n = n + 1 }
  await Promise.all([add(), add()])`

test('where all is explored, each line comes before and after the other', async () => {
  expect(await linesOf(`${add}
    if (box.n === 3) throw new Error()`)).toEqual({ '4,6': 'both', '6,6': 'both' })
})

test('where it ends early, what was not turned round is known', async () => {
  expect(await linesOf(`${add}
    if (box.n !== 2) throw new Error()`)).toEqual({ '4,6': 'one', '6,6': 'one' })
})

test('what comes to the same is run in one order', async () => {
  expect(await linesOf(`
    const seen = {}
    const write = async (n) => { await null
      seen.last = n }
    await Promise.all([write(1), write(2)])`)).toEqual({ '4,4': 'same' })
})

test('what a lock keeps apart was never side by side', async () => {
  expect(await linesOf(`
    const box = { n: 0 }
    let last = Promise.resolve()
    const add = () => (last = last.then(async () => { await null
      const { n } = box
      await null
      box.n = n + 1 }))
    await Promise.all([add(), add()])
    if (box.n !== 2) throw new Error()`)).toMatchObject({ '5,7': 'never', '7,7': 'never' })
})

test('nothing is found out that was not asked for', async () => {
  expect((await run(add)).result.racedPlaces).toEqual([])
})

test('what one of several tests has seen in both orders is seen', () => {
  const lines = [{ file: 'a.ts', line: 1, text: 'x' }, { file: 'a.ts', line: 2, text: 'x' }] as const
  expect(racingLinesOfAll([[{ lines, seen: 'one' }], [{ lines, seen: 'both' }], []])).toEqual([{ lines, seen: 'both', tests: 2 }])
})
