import type { ExecutionOrder } from '../engine/index.ts'
import type { ExplanationEdge, ExplanationRow } from './explanation.ts'

/** Happens-before between rows of different processes, as far as it does not follow from that of other rows. */
export function edgesOf(rows: readonly ExplanationRow[], order: ExecutionOrder): ExplanationEdge[] {
  const isBefore = (one: ExplanationRow, other: ExplanationRow): boolean => one.step === other.step ? one.number < other.number : order.happensBefore(one.step, other.step)
  // A process that waits need not have had a step.
  const stepped = rows.filter(({ step }) => step >= 0)
  return stepped.flatMap((to, j) => {
    const before = stepped.slice(0, j).filter((from) => isBefore(from, to))
    const nearest = before.filter((from) => !before.some((between) => between !== from && isBefore(from, between)))
    return nearest.filter((from) => from.process !== to.process).map((from): ExplanationEdge => ({ from: from.number, to: to.number, kind: order.isEnforced(from.step, to.step) ? 'enforced' : 'conflict' }))
  })
}
