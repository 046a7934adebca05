import { isPlain } from '../execution/held-calls.ts'
import type { RecordedAccess, RecordedExecution } from '../execution/recorded-execution.ts'

/**
 * Whether a step has looked at what the processes that it created, or what came of these, change later. What calls an async function for somebody else looks
 * in its caller's step, at arguments for instance, and does so there however late the function itself begins.
 */
export function looksBeforeWhatItBegins({ steps, names }: Pick<RecordedExecution, 'steps' | 'names'>): boolean {
  const parents = new Int32Array(names.length).fill(-1)
  for (const { process, spawned } of steps) for (const child of spawned) parents[child] = process
  return steps.some(({ accesses, spawned }, at) => {
    const looked = new Set(accesses.filter(isLook).map(({ location }) => location))
    const isBegunHere = (process: number): boolean => process >= 0 && (spawned.includes(process) || isBegunHere(parents[process]!))
    return spawned.length > 0 && steps.slice(at + 1).some((later) => later.accesses.some((access) => isChange(access) && looked.has(access.location)) && isBegunHere(later.process))
  })
}

/** Whether somebody has looked, after a call of a function that is not async and has begun later, at what that has changed by the time it would have returned. */
export function countsOnPlainCalls({ steps, names }: Pick<RecordedExecution, 'steps' | 'names'>): boolean {
  return steps.some(({ accesses, spawned, spawnedAfter }) => spawned.some((process, i) => {
    const own = isPlain(names[process]!) ? steps.find((step) => step.process === process) : undefined
    const changed = new Set(own?.accesses.filter(isChange).map(({ location }) => location))
    return accesses.slice(spawnedAfter[i]).some((access) => isLook(access) && changed.has(access.location))
  }))
}

const isLook = ({ kind }: RecordedAccess): boolean => kind === 'read' || kind === 'write'
const isChange = ({ kind }: RecordedAccess): boolean => kind !== 'read' && kind !== 'wait'
