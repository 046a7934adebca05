import type { InputRecording } from './input.ts'
import type { ExecutionOrder } from '../engine/index.ts'

/** How often, from one row to the next, control left a process that could have gone on and did so later. */
export function countSwitches(rows: readonly { process: number; step: number }[], { steps }: InputRecording, order: ExecutionOrder): number {
  let switches = 0
  for (const [index, to] of rows.entries()) {
    const from = rows[index - 1]
    if (!from || from.process === to.process || from.step === to.step) continue
    const next = steps.findIndex((step, position) => position > to.step && step.process === from.process)
    if (next >= 0 && order.couldRunAt(next, to.step)) switches++
  }
  return switches
}
