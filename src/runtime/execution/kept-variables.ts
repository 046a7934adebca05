/**
 * Variables that packages which are not instrumented have for as long as the process runs, and that would tell one execution from the next: they
 * are put back after each.
 */

interface Kept {
  readonly get: () => readonly unknown[]
  readonly set: (...values: readonly unknown[]) => void
  /** What they were when the exploration began, or when they came. */
  found: readonly unknown[]
}

const all: Kept[] = []

/** Such a file has been loaded. */
export function keepVariables(get: Kept['get'], set: Kept['set']): void {
  all.push({ get, set, found: get() })
}

/** An exploration begins. */
export function findVariables(): void {
  for (const kept of all) kept.found = kept.get()
}

/** An execution has ended. */
export function putVariablesBack(): void {
  for (const { set, found } of all) set(...found)
}
