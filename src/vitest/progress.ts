import { recordArtifact, type RunnerTestCase } from 'vitest'
import type { Exploration } from '../engine/index.ts'
import { nativeNow } from '../runtime/index.ts'

/** What has been explored so far, sent to the reporter, which shows it in a terminal, and prints it when the run is interrupted. */
export interface Progress {
  readonly type: 'dpor:progress'
  readonly executions: number
  readonly blocked: number
  readonly steps: number
  /** How many executions there are in all, and what that lies between, as far as can be told. */
  readonly estimate: number
  readonly estimateRange?: readonly [least: number, most: number] | undefined
  /** How long it has taken so far. */
  readonly milliseconds: number
}

/** Milliseconds between two reports, at least; in a long exploration a tenth of the time so far. */
const every = 1000

/** Tells of an exploration of this test that goes on, now and then. */
export function progressOf(task: RunnerTestCase): (found: () => Exploration) => void {
  const start = nativeNow()
  let last = start
  return (found) => {
    const now = nativeNow()
    if (now - last < Math.max(every, (now - start) / 10)) return
    last = now
    const { executions, blocked, steps, estimate, estimateRange } = found()
    const progress: Progress = { type: 'dpor:progress', executions, blocked, steps, estimate, estimateRange, milliseconds: now - start }
    recordArtifact(task, progress as never).catch(() => {})
  }
}
