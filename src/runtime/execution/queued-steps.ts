import { Math } from '../../engine/intrinsics.ts'
import type { Turn } from './turns.ts'

/** Whether a step happens before another one, by their numbers. */
type IsBefore = (first: number, second: number) => boolean

/** A turn that was taken. */
interface Taken extends Turn {
  readonly takenIn: number
}

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

/** Whether nothing else happens between what is taken out of the queue in one go: all that is in it when the first is taken. */
export function areTakenTogether(queue: readonly Turn[], isBefore: IsBefore): boolean {
  const taken = queue.filter(isTaken)
  const own = new Set(taken.map(({ takenIn }) => takenIn))
  return taken.every(({ takenIn }, place) => {
    const others = inQueueWith(taken, place, own).map((other) => other.takenIn)
    const last = Math.max(...others)
    for (let step = takenIn + 1; step < last; step++) if (!own.has(step) && isBefore(takenIn, step) && others.some((other) => isBefore(step, other))) return false
    return true
  })
}

/** Those that are taken after this one, and are certain to have been there when the first of those was that are taken with it: what `own` have put in comes in another go. */
function inQueueWith(taken: readonly Taken[], place: number, own: ReadonlySet<number>): readonly Taken[] {
  const { step, takenIn } = taken[place]!
  const found: Taken[] = []
  const find = (other: Taken): void => {
    if (other.step === step || (!own.has(other.step) && other.wasPutInBy(takenIn))) found.push(other)
  }
  for (let i = place - 1; i >= 0 && taken[i]!.takenIn > takenIn; i--) find(taken[i]!)
  for (let i = place + 1; i < taken.length && taken[i]!.step < takenIn; i++) find(taken[i]!)
  return found
}

const byTime = (one: Pick<Taken, 'takenIn'>, other: Pick<Taken, 'takenIn'>): number => one.takenIn - other.takenIn

const isTaken = (turn: Turn): turn is Taken => turn.takenIn !== undefined

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
