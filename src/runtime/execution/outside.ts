/**
 * Async functions that begin while an execution is under way and none of its steps runs: code that is not instrumented calls them
 * in turns of the event loop of its own. They run as they are, in one order.
 */
const begun = new Set<string>()
let isCounting = false

/** From now on, until the next call: who begins outside of steps. */
export function countOutside(counts: boolean): void {
  isCounting = counts
}

export function beginsOutside(name: string): void {
  if (isCounting) begun.add(name)
}

export function begunOutside(): readonly string[] {
  return [...begun]
}

/** The names of those that have begun since they were taken last. */
export function takeOutside(): readonly string[] {
  const names = [...begun]
  begun.clear()
  return names
}
