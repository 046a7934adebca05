import { Program, explore, parseSchedule, type AlgorithmName, type Exploration, type FailureKind } from '../../src/engine/index.ts'

export interface Execution {
  readonly schedule: readonly number[]
  /** The kind of its failure, or `undefined`. */
  readonly end: FailureKind | undefined
}

export interface Listing extends Exploration {
  /** The complete ones. */
  readonly listed: readonly Execution[]
}

/** Explores the program, with a failure in every execution so that each is listed. */
export function exploreListed(program: Program, algorithm: AlgorithmName): Listing {
  const exploration = explore(withFailures(program), { algorithm, stopOnFirst: false })
  const listed = exploration.failures.map(({ schedule, kind, error }) => ({
    schedule: parseSchedule(schedule),
    end: error === noFailure ? undefined : kind,
  }))
  return { ...exploration, listed }
}

const noFailure = new Error('the execution is as it should be')

export function withFailures({ build }: Program): Program {
  return new Program((builder) => {
    const invariant = build(builder)
    return () => {
      if (invariant?.() === false) return false
      throw noFailure
    }
  })
}
