import type { Program } from '../../src/engine/index.ts'

/** A program and what there is to find. */
export interface Litmus {
  readonly name: string
  readonly program: Program
  /** Classes, which is the number of complete executions. */
  readonly classes: number
  /** How many of them are deadlocks. */
  readonly deadlocks: number
  /** How many of them end with a broken invariant. */
  readonly broken: number
  /** Whether it has steps over several variables. */
  readonly atomic: boolean
}

type Ends = Partial<Pick<Litmus, 'deadlocks' | 'broken'>>

export function row(name: string, program: Program, classes: number, ends: Ends = {}): Litmus {
  return { name, program, classes, deadlocks: 0, broken: 0, atomic: false, ...ends }
}

/** Of a family: its members' sizes and classes, and how some of them end. */
export function rows(
  name: string,
  make: (n: number) => Program,
  counts: readonly (readonly [size: number, classes: number, ends?: Ends])[],
): Litmus[] {
  return counts.map(([n, classes, ends]) => row(`${name}(${n})`, make(n), classes, ends))
}

/** A program with steps over several variables. */
export function atomicRow(name: string, program: Program, classes: number, ends: Ends = {}): Litmus {
  return { ...row(name, program, classes, ends), atomic: true }
}
