import { besideSteps } from './running.ts'

/**
 * Async functions that begin while an execution is under way and none of its steps runs: code that is not instrumented calls them
 * in turns of the event loop of its own. They run as they are, in one order.
 */
const begun = new Set<string>()
let isCounting = false
/** Who does something for the explorer is not counted: so many are about it. */
let aside = 0

/** From now on, until the next call: who begins outside of steps. */
export function countOutside(counts: boolean): void {
  isCounting = counts
}

export function beginsOutside(name: string): void {
  if (isCounting && aside === 0) begun.add(name)
}

/** Does work for the explorer, as drivers do it, while no step runs. */
export async function outsideOnPurpose<T>(work: () => T | Promise<T>): Promise<Awaited<T>> {
  aside++
  try {
    return await besideSteps(work)
  } finally {
    aside--
  }
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
