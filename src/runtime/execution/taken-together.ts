import { Array, Math } from '../../engine/intrinsics.ts'
import { areGoes } from './goes.ts'
import { isTaken, type IsBefore, type Taken } from './taken-turns.ts'
import type { Turn } from './turns.ts'

/** More of them are taken to be possible. */
const mostCompared = 200

/**
 * Whether all that is in the queue when the first of it is taken can have been taken in one go, with nothing else in between, in some order of the steps. What that puts in comes in
 * another go, and so does all that something else comes before which comes after the first.
 */
export function areTakenTogether(queue: readonly Turn[], isBefore: IsBefore): boolean {
  const taken = queue.filter(isTaken)
  if (areInGoes(taken) || taken.length > mostCompared) return true
  return canBeNumbered(taken, leastGoesBetween(taken, isBefore)) && areGoes(taken, isBefore)
}

/** Whether they were taken so in the order in which the steps were. */
function areInGoes(taken: readonly Taken[]): boolean {
  const asPutIn = taken.toSorted((one, other) => one.step - other.step)
  // Where the running go ends.
  let end = 0
  return asPutIn.every(({ takenIn }, i) => {
    const before = asPutIn[i - 1]?.takenIn ?? -1
    if (i < end) return takenIn === before + 1
    while (end < asPutIn.length && asPutIn[end]!.step < takenIn) end++
    return takenIn > before
  })
}

/** By how many goes one is taken at the least later than another; undefined where nothing is known of it. */
type LeastBetween = readonly (readonly (number | undefined)[])[]

function leastGoesBetween(taken: readonly Taken[], isBefore: IsBefore): LeastBetween {
  const own = new Map(taken.map((turn, i) => [turn.takenIn, i]))
  const others = Array.from({ length: Math.max(...own.keys()) + 1 }, (_, step) => step).filter((step) => !own.has(step))
  const setters = taken.map(({ step }) => own.get(step))
  const least: (number | undefined)[][] = taken.map(() => taken.map(() => undefined))
  const atLeast = (one: number, other: number, goes: number): void => {
    if (one !== other) least[one]![other] = Math.max(least[one]![other] ?? goes, goes)
  }
  const known = new Set<number>()
  const precedes = (one: number, other: number): void => {
    const pair = one * taken.length + other
    if (one === other || known.has(pair)) return
    known.add(pair)
    const [first, second] = [setters[one], setters[other]]
    // What the go before has put in stands before what something else has put in since.
    atLeast(one, other, first === undefined && second !== undefined ? 1 : 0)
    // As they stand in the queue, those have been taken that have put them in.
    if (first !== undefined && second !== undefined) precedes(first, second)
  }
  for (const [i, one] of taken.entries()) {
    for (const [k, other] of taken.entries()) {
      if (isBefore(one.takenIn, other.takenIn)) {
        precedes(i, k)
        if (others.some((step) => isBefore(one.takenIn, step) && isBefore(step, other.takenIn))) atLeast(i, k, 1)
      }
      if (setters[k] === undefined && isBefore(one.takenIn, other.step)) atLeast(i, k, 1)
      // What comes after who has put it in is taken in the same go, or later.
      if (setters[i] === undefined && (one.step < 0 || one.step === other.step || isBefore(one.step, other.step) || isBefore(one.step, other.takenIn))) atLeast(i, k, 0)
    }
    const setter = setters[i]
    if (setter === undefined) continue
    atLeast(setter, i, 1)
    atLeast(i, setter, -1)
  }
  return least
}

/** Whether there are numbers of goes that are so far apart: unless they grow for ever. */
function canBeNumbered(taken: readonly Taken[], least: LeastBetween): boolean {
  const numbers = taken.map(() => 0)
  for (let round = 0; round <= taken.length; round++) {
    let isChanged = false
    for (const [i, row] of least.entries()) {
      for (const [k, goes] of row.entries()) {
        if (goes === undefined || numbers[k]! >= numbers[i]! + goes) continue
        numbers[k] = numbers[i]! + goes
        isChanged = true
      }
    }
    if (!isChanged) return true
  }
  return false
}
