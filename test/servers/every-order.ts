import type { Reference } from './comparison.ts'

/** Of those that could come next, takes one, and remembers the others. */
export type Choose = (options: readonly number[]) => number

/** How often the beginning of an order is tried to which the server does not come any more. */
const tries = 20

/** How a program can end, run once for every way to choose; undefined where there are more of these. What the server decides by itself it may decide otherwise another time: then what was chosen before cannot be. */
export async function outcomesOfEveryOrder(limit: number, run: (choose: Choose) => Promise<string>): Promise<Reference | undefined> {
  const outcomes = new Set<string>()
  const waiting: { readonly given: readonly number[]; readonly tried: number }[] = [{ given: [], tried: 0 }]
  let orders = 0
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (++orders > limit) return undefined
    const { given, tried } = next
    const path: number[] = []
    const others: number[][] = []
    let isOther = false
    const outcome = await run((options) => {
      const wanted = given[path.length]
      isOther ||= wanted !== undefined && !options.includes(wanted)
      const chosen = isOther || wanted === undefined ? options[0]! : wanted
      if (wanted === undefined) for (const other of options.slice(1)) others.push([...path, other])
      path.push(chosen)
      return chosen
    })
    outcomes.add(outcome)
    if (!isOther) waiting.push(...others.map((other) => ({ given: other, tried: 0 })))
    else if (tried < tries) {
      orders--
      waiting.push({ given, tried: tried + 1 })
    }
  }
  return { outcomes: [...outcomes].toSorted(), orders }
}
