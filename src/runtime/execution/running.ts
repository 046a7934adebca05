import type { Execution } from './execution.ts'

/** The execution whose step is running now; null between steps and outside explorations. */
export let running: Execution | null = null

/** For the loop of an execution alone. */
export function setRunning(execution: Execution | null): void {
  running = execution
}

export function isInStep(): boolean {
  return running !== null
}
