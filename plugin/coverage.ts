import { realpathSync } from 'node:fs'
import path from 'node:path'

/** What of Vitest's configuration decides whether coverage is taken, and by which run. */
export interface CoveredRun {
  readonly coverage?: { enabled?: boolean }
  readonly watch?: boolean
  readonly mergeReports?: string
}

/**
 * Of instrumented files coverage would count what is emitted, and what other orders than the plain one reach. So that it is what it is without `--dpor`, a run of its own
 * takes it, for which Vitest is started once more by the same command line; this one takes none. Returns whether it is so: not where there is no such command line, and
 * not where machines that have divided the work put together what each has.
 */
export function leaveCoverage({ coverage, watch, mergeReports }: CoveredRun, { isSplit }: { readonly isSplit: boolean }): boolean {
  if (!coverage?.enabled || watch || mergeReports || isSplit || !isCommandOfVitest(process.argv[1])) return false
  coverage.enabled = false
  return true
}

function isCommandOfVitest(file: string | undefined): boolean {
  try {
    return file !== undefined && realpathSync(file).endsWith(path.join('vitest', 'vitest.mjs'))
  } catch {
    return false
  }
}
