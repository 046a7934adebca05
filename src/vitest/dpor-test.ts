import { test, type TestAPI, type TestContext } from 'vitest'
import type { Tasks } from '../runtime/index.ts'
import { exploreTest } from './explored-test.ts'
import { splitOptions, type DporTestOptions } from './options.ts'

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

const chained = ['only', 'skip', 'todo', 'fails', 'concurrent', 'sequential'] as const

/**
 * A test whose body is run once for every Mazurkiewicz class of its interleavings.
 *
 * `dporTest(name, options?, body)` or `dporTest(name, options?, { setup, tasks, invariant })`.
 * Switches happen at every `await`, promise reaction and timer callback of instrumented code. Hooks
 * (`beforeEach`, `afterEach`) and fixtures run once around the test, not around each execution.
 * @throws the failure of the first failing execution, explained, with a schedule that replays it
 */
export const dporTest: DporTest = wrap(test)

function wrap<Extra>(base: TestAPI): DporTest<Extra> {
  const api = base as unknown as AnyTest
  const define = (name: Name, ...rest: unknown[]): void => {
    const { options, subject } = parse(rest)
    if (subject === undefined) return api(name, options.vitest)
    api(name, options.vitest, asTest(subject, (context) => exploreTest(bind(subject, [context]), options.dpor, context as TestContext)))
  }
  for (const modifier of chained) {
    Object.defineProperty(define, modifier, { get: () => wrap(api[modifier]), configurable: true })
  }
  return Object.assign(define, {
    skipIf: (condition: unknown) => wrap(api['skipIf'](condition)),
    runIf: (condition: unknown) => wrap(api['runIf'](condition)),
    each: (...cases: unknown[]) => parametrised(api['each'](...cases)),
    for: (...cases: unknown[]) => parametrised(api['for'](...cases)),
    extend: (...fixtures: unknown[]) => wrap(api['extend'](...fixtures)),
  }) as unknown as DporTest<Extra>
}

/** `.each(cases)` and `.for(cases)`: the body gets what Vitest gives it. */
function parametrised(api: AnyTest) {
  return (name: Name, ...rest: unknown[]): void => {
    const { options, subject } = parse(rest)
    if (typeof subject !== 'function') throw new TypeError('dporTest.each and dporTest.for take a function as body')
    api(name, options.vitest, asTest(subject, (...args) => exploreTest(bind(subject, args), options.dpor, undefined)))
  }
}

function bind(subject: Function | Tasks, args: unknown[]): (() => unknown) | Tasks {
  if (typeof subject !== 'function') return subject
  const body = (): unknown => Reflect.apply(subject, undefined, args)
  body.toString = () => Function.prototype.toString.call(subject)
  return body
}

/** Vitest reads from the text of a test function which fixtures it uses. */
function asTest(subject: Function | Tasks, run: (...args: unknown[]) => Promise<void>): (...args: unknown[]) => Promise<void> {
  if (typeof subject !== 'function') return () => run()
  const text = Function.prototype.toString.call(subject)
  return Object.assign((...args: unknown[]) => run(...args), { toString: () => text })
}

function parse(rest: unknown[]): { options: ReturnType<typeof splitOptions>; subject: Function | Tasks | undefined } {
  const [first, second] = rest
  if (isSubject(first)) {
    const timeout = typeof second === 'number' ? { timeout: second } : (second as DporTestOptions | undefined)
    return { options: splitOptions(timeout ?? {}), subject: first }
  }
  const options = splitOptions((first as DporTestOptions | undefined) ?? {})
  if (second !== undefined && !isSubject(second)) {
    throw new TypeError('dporTest takes a function or { setup, tasks, invariant } as its last argument')
  }
  return { options, subject: second }
}

function isSubject(value: unknown): value is Function | Tasks {
  return typeof value === 'function' || (typeof value === 'object' && value !== null && 'tasks' in value)
}
