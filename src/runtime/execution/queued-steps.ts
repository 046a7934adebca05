import type { IsBefore, Taken } from './taken-turns.ts'
import { isTaken } from './taken-turns.ts'
import type { Turn } from './turns.ts'

/** What one step has put into a queue at once, of which each happens before the next one. */
interface Batch {
  readonly first: Taken
  last: Taken
  /** What else the step has let go on meanwhile: that can come later than it stands there, but not earlier. */
  readonly beside: Taken[]
}

/**
 * Whether what is in the queue can have been put there in some order of the steps that did so. Two that unordered steps have put in come either
 * way, so one can come between two that another step has put in at once: that is so in no order of the steps.
 *
 * @param beside what was let go on behind what was in the queue
 */
export function canBePutIn(queue: readonly Turn[], beside: ReadonlySet<Turn>, isBefore: IsBefore): boolean {
  const taken = queue.filter(isTaken)
  const others = [...beside].filter(isTaken)
  if (areBatchByBatch(taken, others)) return true
  const isEarlier = (one: Batch, other: Batch): boolean =>
    one.first.wasPutInBy(other.first.step) || [one.first, ...one.beside].some(({ takenIn }) => isBefore(takenIn, other.last.takenIn))
  // Takes away those that come after none of the others; what is left in the end goes round in circles.
  let left = batchesOf(taken, others)
  for (;;) {
    const rest = left.filter((batch) => left.some((other) => other !== batch && isEarlier(other, batch)))
    if (rest.length === left.length) return rest.length === 0
    left = rest
  }
}

const byTime = (one: Pick<Taken, 'takenIn'>, other: Pick<Taken, 'takenIn'>): number => one.takenIn - other.takenIn

function areBatchByBatch(taken: readonly Taken[], beside: readonly Taken[]): boolean {
  const own = taken.map(({ takenIn, step }) => ({ takenIn, step, isBeside: false }))
  const others = beside.map(({ takenIn, letGoOnIn: step }) => ({ takenIn, step, isBeside: true }))
  const over = new Set<number>()
  let batch: number | undefined
  for (const { step, isBeside } of [...own, ...others].toSorted(byTime)) {
    if (step === undefined || step === batch) continue
    if (over.has(step)) {
      if (isBeside) continue
      return false
    }
    if (batch !== undefined) over.add(batch)
    batch = step
  }
  return true
}

function batchesOf(taken: readonly Taken[], beside: readonly Taken[]): Batch[] {
  const batches = new Map<number, Batch>()
  for (const turn of taken) {
    const batch = batches.get(turn.step)
    if (batch) batch.last = turn
    else batches.set(turn.step, { first: turn, last: turn, beside: [] })
  }
  for (const turn of beside) {
    const step = turn.letGoOnIn
    if (step !== undefined) batches.get(step)?.beside.push(turn)
  }
  return [...batches.values()]
}
