import type { Execution } from './execution.ts'

/** The execution whose step is running now; null between steps and outside explorations. */
export let running: Execution | null = null

/** For the loop of an execution alone, and for what belongs to no step though one has asked for it. */
export function setRunning(execution: Execution | null): void {
  running = execution
}

/** The execution between two steps of which the event loop takes a turn, for what code that is not instrumented has posted there. */
export let inTurn: Execution | null = null

export function setInTurn(execution: Execution | null): void {
  inTurn = execution
}

export function isInStep(): boolean {
  return running !== null
}

/** What a test framework does by itself while a step runs is no part of it. */
export function besideSteps<T>(work: () => T): T {
  const execution = running
  setRunning(null)
  try {
    return work()
  } finally {
    setRunning(execution)
  }
}
