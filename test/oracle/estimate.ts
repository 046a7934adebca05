import { explore } from '../../src/engine/index.ts'
import { largeOnes, largest } from '../litmus/large.ts'
import type { Litmus } from '../litmus/litmus.ts'
import { fromPapers, severalAccesses, smallOnes } from '../litmus/programs.ts'
import { unexplored } from '../litmus/unexplored.ts'

export const estimated: readonly Litmus[] = [...fromPapers, ...smallOnes, ...severalAccesses, ...largeOnes, ...largest, ...unexplored]

export interface EstimateError {
  /** The estimate, by what there is. */
  readonly ratio: number
  /** What there is lies in the range that is given; undefined where everything was explored, or none is given. */
  readonly inRange: boolean | undefined
}

/** How far the estimate is off after so many executions. */
export function estimateError({ program, classes }: Litmus, { executions, seed }: { readonly executions: number; readonly seed: number }): EstimateError {
  const { estimate, estimateRange: range } = explore(program, { stopOnFirst: false, maxExecutions: executions, seed })
  return { ratio: estimate / classes, inRange: range && range[0] <= classes && classes <= range[1] }
}

/** Within a factor of 3. */
export function isClose({ ratio }: EstimateError): boolean {
  return ratio > 1 / 3 && ratio < 3
}
