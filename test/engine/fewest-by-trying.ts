import type { OrderData } from '../../src/engine/index.ts'

/** The fewest switches of all orders of its class in which the steps can come, by trying each of them. Undefined if there are too many. */
export function fewestByTrying({ steps }: OrderData): number | undefined {
  let fewest = Infinity
  let left = 30_000
  const mayCome = (taken: readonly number[], step: number, counts: (reason: string) => boolean): boolean =>
    [...Array(steps[step]!.since).keys()].every((before) => taken.includes(before)) &&
    steps[step]!.after.every(({ step: before, reason }) => !counts(reason) || taken.includes(before))
  const goOn = (taken: readonly number[], switches: number): void => {
    if (--left < 0) return
    if (taken.length === steps.length) fewest = Math.min(fewest, switches)
    const last = steps[taken.at(-1)!]?.process
    const own = last === undefined ? -1 : steps.findIndex(({ process }, step) => process === last && !taken.includes(step))
    const couldGoOn = own >= 0 && mayCome(taken, own, (reason) => reason !== 'conflict')
    for (const [step, { process }] of steps.entries()) {
      if (!taken.includes(step) && mayCome(taken, step, () => true)) goOn([...taken, step], switches + (couldGoOn && process !== last ? 1 : 0))
    }
  }
  goOn([], 0)
  return left < 0 ? undefined : fewest
}
