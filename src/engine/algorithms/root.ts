import { SleepSets } from './sleep.ts'
import type { Trace } from '../trace/trace.ts'
import { WokenSteps } from './woken.ts'

/**
 * Where an algorithm begins: at a node of the search stack, with whoever sleeps there. It explores what begins with that
 * node and with nobody asleep, and leaves the nodes above alone: a race whose first step is above is not its business.
 */
export interface Root {
  readonly node: number
  readonly sleep: SleepSets
  readonly woken: WokenSteps
}

/** The empty execution, where nobody sleeps. With `noticesWoken`, whoever is woken later is added to `woken`. */
export function startOf(trace: Trace, { noticesWoken }: { noticesWoken: boolean }): Root {
  const woken = new WokenSteps(trace)
  const sleep = new SleepSets(trace, noticesWoken ? woken : undefined)
  sleep.begin()
  return { node: 0, sleep, woken }
}
