import { beforeEach, inject } from 'vitest'
import type { ProvidedRun } from '../../options/index.ts'

/** If this is a run with `--dpor` and its time was up before this file began: its tests run as they are, and say so. */
export function tellIfTooLate(): void {
  const run = inject('dporRun' as never) as ProvidedRun | undefined
  if (!run) return
  beforeEach(({ task }) => {
    task.meta.dporFound = { found: 'unexplored', reason: `${run.timeName} are spent` }
  })
}
