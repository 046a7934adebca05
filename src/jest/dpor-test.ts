import type { Tasks } from '../runtime/index.ts'
import type { DporOptions } from '../options/index.ts'
import { splitOptions } from '../testing/split-options.ts'
import { bind, given, isGiven, type Given } from '../testing/subject.ts'
import { exploreFailingTest, exploreTest } from './explored-test.ts'
import type { Framework, JestTest } from './framework.ts'

interface Timeout {
  /** Milliseconds for the whole test. Default: Jest's. */
  readonly timeout?: number
}

/** Options of an exploration, and what Jest takes as the last argument of `test`. */
export type DporTestOptions = DporOptions & Timeout

const ofJest = { names: new Set(['timeout']), called: "timeout, as Jest's test() has it" }

/** The ways to define one explored test. */
interface Define {
  (name: string, body: () => unknown, timeout?: number): void
  (name: string, options: DporTestOptions, body: () => unknown): void
  <S>(name: string, tasks: Tasks<S>, timeout?: number): void
  <S>(name: string, options: DporTestOptions, tasks: Tasks<S>): void
}

type EachRest<Args extends unknown[]> = [body: (...args: Args) => unknown, timeout?: number] | [options: DporTestOptions, body: (...args: Args) => unknown]

interface DefineEach {
  <T extends unknown[] | readonly [unknown]>(cases: readonly T[]): (name: string, ...rest: EachRest<[...T]>) => void
  <T>(cases: readonly T[]): (name: string, ...rest: EachRest<[T]>) => void
}

/** `dporTest` has the shape of Jest's `test`; its body runs once for every class of its interleavings. */
export interface DporTest extends Define {
  readonly only: DporTest
  readonly skip: DporTest
  readonly failing: DporTest
  readonly todo: (name: string) => void
  readonly each: DefineEach
}

/** What a test is expected to do. */
interface Expected {
  /** To fail in some execution. Left to Jest, an error of this package would do as well. */
  readonly toFail: boolean
}

const bodies = new WeakSet<object>()

/** What Jest calls as such a test. */
export const isOfDporTest = (body: object): boolean => bodies.has(body)

/** The `dporTest` of a test file. */
export const defineDporTest = (framework: Framework): DporTest => wrap(framework.test, framework, { toFail: false })

function wrap(base: JestTest, framework: Framework, expected: Expected): DporTest {
  const define = (api: (name: string, body: (...args: unknown[]) => unknown, timeout?: number) => void) => (name: string, ...rest: unknown[]): void => {
    const { subject, timeout, own } = parse(rest)
    const explored = expected.toFail ? exploreFailingTest : exploreTest
    const body = (...args: unknown[]): unknown => explored(bind(subject, args), own, { framework, timeout })
    bodies.add(body)
    api(name, body, timeout)
  }
  const modifiers = {
    only: { get: () => wrap(base.only, framework, expected) },
    skip: { get: () => wrap(base.skip, framework, expected) },
    failing: { get: () => wrap(base, framework, { toFail: true }) },
    todo: { value: (name: string) => base.todo(name) },
    each: { value: (...cases: unknown[]) => define(base.each(...cases)) },
  }
  return Object.defineProperties(define(base), modifiers) as unknown as DporTest
}

interface Parsed {
  readonly subject: Given
  readonly timeout: number | undefined
  readonly own: DporOptions
}

function parse([first, second]: readonly unknown[]): Parsed {
  const [last, options] = isGiven(first) ? [first, second] : [second, first]
  const subject = given(last)
  const { dpor, others } = splitOptions<Timeout>(typeof options === 'number' ? { timeout: options } : ((options as DporTestOptions | undefined) ?? {}), ofJest)
  return { subject, timeout: others.timeout, own: dpor }
}
