import type { Way } from './run.ts'

interface Known {
  readonly name: string
  readonly ways: readonly Way[]
  readonly reason: string
}

const known: readonly Known[] = []

/** Why a file of the suite does not behave as it does without the project. */
export function differenceReason(name: string, way: Way): string | undefined {
  return known.find((difference) => difference.name === name && difference.ways.includes(way))?.reason
}
