import type { Trace } from './trace.ts'

/** Whether happens-before orders every two dependent steps, and never a later one before an earlier one. Slow. */
export function dependentStepsAreOrdered(trace: Trace): boolean {
  const { steps } = trace
  for (let later = 1; later < steps.count; later++) {
    for (let earlier = 0; earlier < later; earlier++) {
      if (trace.happensBefore(later, earlier)) return false
      const dependent =
        steps.process[earlier] === steps.process[later] ||
        steps.depends(earlier, steps.start[later] as number, steps.end[later] as number)
      if (dependent && !trace.happensBefore(earlier, later)) return false
    }
  }
  return true
}
