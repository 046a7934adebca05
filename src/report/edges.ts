import type { ExecutionOrder } from '../engine/index.ts'
import type { ExplanationEdge, ExplanationRow } from './explanation.ts'
import { grouped } from './grouped.ts'
import type { Line } from './told.ts'

/**
 * Happens-before between rows of different processes, as far as it does not follow from that of other rows. The first parts of several calls run within one
 * step: what comes after that comes after the one that was at the same location.
 *
 * @param lines what the rows are made of
 */
export function edgesOf(rows: readonly ExplanationRow[], order: ExecutionOrder, lines: readonly Line[]): ExplanationEdge[] {
  const isBefore = (one: ExplanationRow, other: ExplanationRow): boolean => one.step === other.step ? one.process === other.process && one.number < other.number : order.happensBefore(one.step, other.step)
  const locationOf = ({ number }: ExplanationRow): number | undefined => {
    const { subject } = lines[number - 1]!
    return 'location' in subject ? subject.location : undefined
  }
  // A process that waits need not have had a step.
  const stepped = rows.filter(({ step }) => step >= 0)
  return stepped.flatMap((to, j) => {
    const before = stepped.slice(0, j).filter((from) => isBefore(from, to))
    const nearest = before.filter((from) => from.process !== to.process && !before.some((between) => between !== from && isBefore(from, between)))
    const chosen = [...grouped(nearest, ({ step }) => step).values()].map((same) => same.findLast((from) => locationOf(from) === locationOf(to)) ?? same.at(-1)!)
    return chosen.map((from): ExplanationEdge => ({ from: from.number, to: to.number, kind: order.isEnforced(from.step, to.step) ? 'enforced' : 'conflict' }))
  })
}
