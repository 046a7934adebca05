import type { Turn } from './turns.ts'

/** Whether a step happens before another one, by their numbers. */
export type IsBefore = (first: number, second: number) => boolean

/** A turn that was taken. */
export interface Taken extends Turn {
  readonly takenIn: number
}

export const isTaken = (turn: Turn): turn is Taken => turn.takenIn !== undefined
