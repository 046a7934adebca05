import type { Reference } from './comparison.ts'

/** Of those that could come next, takes one, and remembers the others. */
export type Choose = (options: readonly number[]) => number

/** How a program can end, run once for every way to choose; undefined where there are more of these. */
export async function outcomesOfEveryOrder(limit: number, run: (choose: Choose) => Promise<string>): Promise<Reference | undefined> {
  const outcomes = new Set<string>()
  const waiting: number[][] = [[]]
  let orders = 0
  for (let prefix = waiting.pop(); prefix; prefix = waiting.pop()) {
    if (++orders > limit) return undefined
    const given = prefix
    const path: number[] = []
    outcomes.add(
      await run((options) => {
        const chosen = given[path.length] ?? options[0]!
        if (path.length >= given.length) for (const other of options.slice(1)) waiting.push([...path, other])
        path.push(chosen)
        return chosen
      }),
    )
  }
  return { outcomes: [...outcomes].toSorted(), orders }
}
