/**
 * The values that a variable had in this execution: for each step that changed it, in their order, the step, the value before it,
 * and what that held then (`contentsOf`). One array for all, as there is one for every variable of every execution.
 */
export type History = unknown[]

/** The history with one more change; of several changes in one step the first counts. Most variables have one change, and no array that is larger. */
export function withChange(history: History | undefined, step: number, before: unknown, contents: number): History {
  if (history === undefined) return [step, before, contents]
  if (history[history.length - 3] !== step) history.push(step, before, contents)
  return history
}

/** The place in the history of the value before the step: its first change from that step on; -1 if there was none. */
export function placeBefore(history: History, step: number): number {
  let low = 0
  let high = history.length / 3
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((history[middle * 3] as number) < step) low = middle + 1
    else high = middle
  }
  return low * 3 === history.length ? -1 : low * 3 + 1
}
