import type { DporOptions } from '../options/index.ts'
import type { Given } from '../testing/subject.ts'
import type { RunnerTest } from './passes/runner-test.ts'

/** What was given to `dporTest`. */
export interface Definition {
  readonly subject: Given
  readonly options: DporOptions
  /** It is to fail in some execution. */
  readonly toFail: boolean
  /** It has fixtures of its own. */
  readonly hasFixtures: boolean
}

/** Under a symbol it stays in the worker: reports would have to write it down. */
const key = Symbol('what was given to dporTest')

/** For `meta` of the test. */
export const definedAs = (definition: Definition): object => ({ dporTest: true, [key]: definition })

/** Undefined for an ordinary test. */
export const definitionOf = ({ meta }: Pick<RunnerTest, 'meta'>): Definition | undefined => Reflect.get(meta, key) as Definition | undefined
