import { test, type TestAPI, type TestContext, type TestOptions } from 'vitest'
import type { Tasks } from '../runtime/index.ts'
import { bind, given, isGiven, type Given } from '../testing/subject.ts'
import { exploreFailingTest, exploreTest } from './explored-test.ts'
import { prepare } from './explores.ts'
import { splitForVitest, type DporTestOptions } from './options.ts'

prepare()

type Name = string | Function
type ContextBody<Extra> = (context: TestContext & Extra) => unknown
type CaseBody<T, Extra> = (value: T, context: TestContext & Extra) => unknown

/** The ways to define one explored test. */
interface Define<Extra> {
  (name: Name, body: ContextBody<Extra>, timeout?: number): void
  (name: Name, options: DporTestOptions, body: ContextBody<Extra>): void
  <S>(name: Name, tasks: Tasks<S>, timeout?: number): void
  <S>(name: Name, options: DporTestOptions, tasks: Tasks<S>): void
}

interface DefineEach {
  <T extends unknown[] | readonly [unknown]>(cases: readonly T[]): (name: Name, ...rest: EachRest<(...args: T) => unknown>) => void
  <T>(cases: readonly T[]): (name: Name, ...rest: EachRest<(value: T) => unknown>) => void
}

interface DefineFor<Extra> {
  <T>(cases: readonly T[]): (name: Name, ...rest: EachRest<CaseBody<T, Extra>>) => void
}

type EachRest<Body> = [body: Body, timeout?: number] | [options: DporTestOptions, body: Body]

/** `dporTest` has the shape of Vitest's `test`; its body runs once for every class of its interleavings. */
export interface DporTest<Extra = object> extends Define<Extra> {
  readonly only: DporTest<Extra>
  readonly skip: DporTest<Extra>
  readonly todo: DporTest<Extra> & ((name: Name) => void)
  readonly fails: DporTest<Extra>
  readonly concurrent: DporTest<Extra>
  readonly sequential: DporTest<Extra>
  readonly skipIf: (condition: unknown) => DporTest<Extra>
  readonly runIf: (condition: unknown) => DporTest<Extra>
  readonly each: DefineEach
  readonly for: DefineFor<Extra>
  /** Fixtures, as `test.extend` takes them. They are made once for the test, not once for each execution. */
  readonly extend: <Fixtures extends object>(...fixtures: unknown[]) => DporTest<Extra & Fixtures>
}

type AnyTest = ((...args: unknown[]) => void) & Record<string, any>

const chained = ['only', 'skip', 'todo', 'concurrent', 'sequential'] as const

/** What a test is expected to do. */
interface Expected {
  /** To fail in some execution. Left to Vitest, an error of this package would do as well. */
  readonly toFail: boolean
}

/**
 * A test whose body is run once for every Mazurkiewicz class of its interleavings.
 *
 * `dporTest(name, options?, body)` or `dporTest(name, options?, { setup, tasks, invariant })`.
 * Switches happen at every `await`, promise reaction and timer callback of instrumented code. Hooks
 * (`beforeEach`, `afterEach`) and fixtures run once around the test, not around each execution.
 * @throws the failure of the first failing execution, explained, with a schedule that replays it
 */
export const dporTest: DporTest = wrap(test, { toFail: false })

function wrap<Extra>(base: TestAPI, expected: Expected): DporTest<Extra> {
  const api = base as unknown as AnyTest
  const define = (name: Name, ...rest: unknown[]): void => {
    const { options, subject } = parse(rest, expected)
    if (subject === undefined) return api(name, options.vitest)
    api(name, options.vitest, asTest(subject, (context) => options.run(bind(subject, [context]), context as TestContext)))
  }
  for (const modifier of chained) {
    Object.defineProperty(define, modifier, { get: () => wrap(api[modifier], expected), configurable: true })
  }
  Object.defineProperty(define, 'fails', { get: () => wrap(base, { toFail: true }), configurable: true })
  return Object.assign(define, {
    skipIf: (condition: unknown) => wrap(api['skipIf'](condition), expected),
    runIf: (condition: unknown) => wrap(api['runIf'](condition), expected),
    each: (...cases: unknown[]) => parametrised(api['each'](...cases), expected),
    for: (...cases: unknown[]) => parametrised(api['for'](...cases), expected),
    extend: (...fixtures: unknown[]) => wrap(api['extend'](...fixtures), expected),
  }) as unknown as DporTest<Extra>
}

/** `.each(cases)` and `.for(cases)`: the body gets what Vitest gives it. */
function parametrised(api: AnyTest, expected: Expected) {
  return (name: Name, ...rest: unknown[]): void => {
    const { options, subject } = parse(rest, expected)
    if (typeof subject !== 'function') throw new TypeError('dporTest.each and dporTest.for take a function as body')
    api(name, options.vitest, asTest(subject, (...args) => options.run(bind(subject, args), undefined)))
  }
}

/** Vitest reads from the text of a test function which fixtures it uses. */
function asTest(subject: Given, run: (...args: unknown[]) => Promise<void>): (...args: unknown[]) => Promise<void> {
  if (typeof subject !== 'function') return () => run()
  const text = String(subject)
  return Object.assign((...args: unknown[]) => run(...args), { toString: () => text })
}

interface Parsed {
  readonly options: {
    readonly vitest: TestOptions
    /** Explores the body, which ends as it is expected to. */
    readonly run: (subject: (() => unknown) | Tasks, context: TestContext | undefined) => Promise<void>
  }
  readonly subject: Given | undefined
}

function parse(rest: unknown[], expected: Expected): Parsed {
  const [first, second] = rest
  const [last, options] = isGiven(first) ? [first, second] : [second, first]
  const subject = last === undefined ? undefined : given(last)
  const { dpor, vitest } = splitForVitest(typeof options === 'number' ? { timeout: options } : ((options as DporTestOptions | undefined) ?? {}))
  const { fails, ...others } = vitest
  const explored = fails || expected.toFail ? exploreFailingTest : exploreTest
  // With `--dpor` Vitest's loop explores ordinary tests; this one explores itself.
  const marked: TestOptions = { ...others, meta: { ...others.meta, dporTest: true } }
  return { options: { vitest: marked, run: (body, context) => explored(body, dpor, context) }, subject }
}
