import { test, type TestAPI, type TestContext, type TestOptions } from 'vitest'
import type { Tasks } from '../runtime/index.ts'
import { bind, given, isGiven } from '../testing/subject.ts'
import { definedAs, type Definition } from './definition.ts'
import { exploreWithin } from './explored-test.ts'
import { prepare } from './explores.ts'
import { splitForVitest, type DporTestOptions } from './options.ts'
import { lendingAfter } from './passes/lent-error-class.ts'
import { testUnderWay } from './passes/runner.ts'

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
  /** Fixtures, as `test.extend` takes them. Those of the test are made anew for each execution, unless `hooks` is `'once'`. */
  readonly extend: <Fixtures extends object>(...fixtures: unknown[]) => DporTest<Extra & Fixtures>
}

type AnyTest = ((...args: unknown[]) => void) & Record<string, any>

const chained = ['only', 'skip', 'todo', 'concurrent', 'sequential'] as const

/** What is known of a test before it is defined. `toFail`: left to Vitest, an error of this package would do as well. */
type Kind = Pick<Definition, 'toFail' | 'hasFixtures'>

/**
 * A test whose body is run once for every Mazurkiewicz class of its interleavings.
 *
 * `dporTest(name, options?, body)` or `dporTest(name, options?, { setup, tasks, invariant })`.
 * Switches happen at every `await`, promise reaction and timer callback of instrumented code. Each execution is a whole test,
 * with its hooks (`beforeEach`, `afterEach`) and fixtures.
 * @throws the failure of the first failing execution, explained, with a schedule that replays it
 */
export const dporTest: DporTest = wrap(test, { toFail: false, hasFixtures: false })

function wrap<Extra>(base: TestAPI, kind: Kind): DporTest<Extra> {
  const api = base as unknown as AnyTest
  const define = (name: Name, ...rest: unknown[]): void => {
    const { vitest, definition } = parse(rest, kind)
    if (definition === undefined) return api(name, vitest)
    api(name, vitest, asTest(definition, (context) => run(definition, [context], context as TestContext)))
  }
  for (const modifier of chained) {
    Object.defineProperty(define, modifier, { get: () => wrap(api[modifier], kind), configurable: true })
  }
  Object.defineProperty(define, 'fails', { get: () => wrap(base, { ...kind, toFail: true }), configurable: true })
  return Object.assign(define, {
    skipIf: (condition: unknown) => wrap(api['skipIf'](condition), kind),
    runIf: (condition: unknown) => wrap(api['runIf'](condition), kind),
    each: (...cases: unknown[]) => parametrised(api['each'](...cases), kind),
    for: (...cases: unknown[]) => parametrised(api['for'](...cases), kind),
    extend: (...fixtures: unknown[]) => wrap(api['extend'](...fixtures), { ...kind, hasFixtures: true }),
  }) as unknown as DporTest<Extra>
}

/** `.each(cases)` and `.for(cases)`: the body gets what Vitest gives it. */
function parametrised(api: AnyTest, kind: Kind) {
  return (name: Name, ...rest: unknown[]): void => {
    const { vitest, definition } = parse(rest, kind)
    if (typeof definition?.subject !== 'function') throw new TypeError('dporTest.each and dporTest.for take a function as body')
    api(name, vitest, asTest(definition, (...args) => run(definition, args, undefined)))
  }
}

/** Vitest reads from the text of a test function which fixtures it uses. */
function asTest({ subject }: Definition, body: (...args: unknown[]) => Promise<void>): (...args: unknown[]) => Promise<void> {
  if (typeof subject !== 'function') return () => body()
  const text = String(subject)
  return Object.assign((...args: unknown[]) => body(...args), { toString: () => text })
}

/** Called for each execution, if hooks and fixtures are; else it explores. */
function run(definition: Definition, args: readonly unknown[], context: TestContext | undefined): Promise<void> {
  const subject = bind(definition.subject, args)
  return testUnderWay()?.explored(subject) ?? lendingAfter(() => exploreWithin(subject, definition, context))
}

interface Parsed {
  /** Options of Vitest's. */
  readonly vitest: TestOptions
  /** Undefined: there is nothing to run. */
  readonly definition: Definition | undefined
}

function parse(rest: unknown[], { toFail, hasFixtures }: Kind): Parsed {
  const [first, second] = rest
  const [last, said] = isGiven(first) ? [first, second] : [second, first]
  const { dpor, vitest } = splitForVitest(typeof said === 'number' ? { timeout: said } : ((said as DporTestOptions | undefined) ?? {}))
  if (last === undefined) return { vitest, definition: undefined }
  const { fails, ...others } = vitest
  const isToFail = toFail || fails === true
  // Who expects a failure needs no page of it.
  const definition: Definition = { subject: given(last), options: isToFail ? { ...dpor, page: false } : dpor, toFail: isToFail, hasFixtures }
  return { vitest: { ...others, meta: { ...others.meta, ...definedAs(definition) } }, definition }
}
