import { TestRunner } from 'vitest'
import { leaveOutDeadlines } from './deadlines.ts'
import { stageFixtures } from './fixtures.ts'
import type { Judge } from './judge.ts'
import { takeBackErrorClass } from './lent-error-class.ts'
import { RepeatedTest } from './repeated-test.ts'
import { isToRun, testsToRun, type Annotate, type RunnerSuite, type RunnerTest } from './runner-test.ts'
import { SecondRuns } from './second-runs.ts'
import { knowSnapshotsOf } from './snapshot-state.ts'

type Method = (...args: any[]) => unknown
type Hook = ((...args: any[]) => unknown) & { [isWrapped]?: true }

const hookNames = ['beforeEach', 'afterEach', 'aroundEach'] as const
const isWrapped = Symbol('runs in a stage')
/** On the prototype, for setup files run again for each test file. */
const patched = Symbol.for('vitest-dpor: runs tests again and again')

/** Who decides what is explored by passes of Vitest's loop. */
export interface Exploring {
  /** Who explores a test; undefined: nobody does, or nobody does once more. */
  judgeOf(test: RunnerTest, annotate: Annotate): Promise<Judge | undefined>
  /** Runs a test that nobody explores. */
  asItIs(test: RunnerTest, run: () => unknown): unknown
  /** Tests may be run once more at the end of their suite. */
  readonly runsTwice: boolean
  /** In which order they are. */
  inOrder(tests: readonly RunnerTest[]): readonly RunnerTest[]
  /** Nothing is to run beside it. */
  runsAlone(task: RunnerSuite | RunnerTest): boolean
  /** These tests of a file are to be run. */
  fileBegins(file: RunnerSuite, tests: readonly RunnerTest[]): void
  fileEnds(): void
}

interface Current {
  exploring: Exploring
  readonly tests: WeakMap<object, RepeatedTest>
  /** Their ids. */
  readonly repeated: Set<string>
  readonly secondRuns: SecondRuns
  /** The test that runs now. */
  underWay: RepeatedTest | undefined
}

/** From now on tests of this worker are run as often as somebody asks for it. */
export function repeatTests(exploring: Exploring): void {
  const prototype = TestRunner.prototype as unknown as Record<string | symbol, Method | Current | undefined>
  const known = currentOf()
  if (known) {
    known.exploring = exploring
    return
  }
  const current: Current = { exploring, tests: new WeakMap(), repeated: new Set(), secondRuns: new SecondRuns(), underWay: undefined }
  Object.defineProperty(prototype, patched, { value: current })
  stageFixtures((task) => (task ? current.tests.get(task) : current.underWay))
  const onBeforeRunSuite = prototype['onBeforeRunSuite'] as Method
  prototype['onBeforeRunSuite'] = async function (this: Record<string, Method>, suite: RunnerSuite) {
    takeOver(this, current)
    if (suite.filepath !== undefined) current.exploring.fileBegins(suite, testsToRun(suite))
    await Reflect.apply(onBeforeRunSuite, this, [suite])
    for (const task of suite.tasks) if (current.exploring.runsAlone(task)) task.concurrent = false
    wrapHooks(suite, current)
    await beginSecondRuns(suite, current)
  }
}

async function beginSecondRuns(suite: RunnerSuite, { exploring, secondRuns }: Current): Promise<void> {
  if (secondRuns.isAppended(suite)) secondRuns.begin(suite, (tests) => exploring.inOrder(tests))
  else if (exploring.runsTwice && suite.tasks.some(isToRun)) await secondRuns.append(suite)
}

/** The test that runs now, if it is one that is run again and again. */
export function testUnderWay(): RepeatedTest | undefined {
  return currentOf()?.underWay
}

/** Whether anything of the user's stands around the test. */
export function hasHooks({ suite, file }: RunnerTest): boolean {
  const suites: RunnerSuite[] = [file]
  for (let outer = suite; outer; outer = outer.suite) suites.push(outer)
  return suites.some((one) => hookNames.some((name) => (hooksOf(one)?.[name].length ?? 0) > 0))
}

const currentOf = (): Current | undefined => Reflect.get(TestRunner.prototype, patched) as Current | undefined

const taken = new WeakSet<object>()

/** Vitest puts methods of its own on each runner, which hide those of the prototype. */
function takeOver(runner: Record<string, Method>, current: Current): void {
  if (taken.has(runner)) return
  taken.add(runner)
  knowSnapshotsOf(runner)
  leaveOutDeadlines(runner, () => current.underWay?.isInStage === true)
  const { tests, secondRuns } = current
  const methods: Record<string, (original: Method, test: RunnerTest, ...rest: unknown[]) => unknown> = {
    async onBeforeRunTask(original, test, ...rest) {
      await leaveTest(runner, current)
      await original(test, ...rest)
      const judge = isToRun(test) ? await current.exploring.judgeOf(test, annotating(runner, test)) : undefined
      if (!judge && tests.get(test)?.isToRunAgain) secondRuns.skip(test)
      if (!judge) return
      current.underWay = new RepeatedTest(test, judge, (one) => hooksAfter(one, runner))
      tests.set(test, current.underWay)
      current.repeated.add(test.id)
    },
    async onBeforeTryTask(original, test, ...rest) {
      await tests.get(test)?.beginTry()
      if (tests.has(test)) forgetAssertions(test)
      return original(test, ...rest)
    },
    runTask(original, test, ...rest) {
      const run = (): unknown => original(test, ...rest)
      return tests.get(test)?.body(run) ?? current.exploring.asItIs(test, run)
    },
    onTaskFinished(original, test, ...rest) {
      takeBackErrorClass()
      return original(test, ...rest)
    },
    async onAfterRetryTask(original, test, ...rest) {
      await original(test, ...rest)
      await tests.get(test)?.bodyIsOver()
    },
    async onAfterRunTask(original, test, ...rest) {
      current.underWay = undefined
      for (const annotation of tests.get(test)?.takeAnnotations() ?? []) test.annotations.push(await runner['onTestAnnotate']?.(test, annotation))
      await tests.get(test)?.finish()
      tellOnce(test)
      if (tests.get(test)?.isToRunAgain) secondRuns.add(test)
      return original(test, ...rest)
    },
  }
  tellLess(runner, current)
  const { onAfterRunSuite } = runner
  runner['onAfterRunSuite'] = async (suite: RunnerSuite, ...rest: unknown[]) => {
    await leaveTest(runner, current)
    secondRuns.end(suite)
    if (suite.filepath !== undefined) current.exploring.fileEnds()
    return onAfterRunSuite && Reflect.apply(onAfterRunSuite, runner, [suite, ...rest])
  }
  for (const [name, method] of Object.entries(methods)) {
    const original = runner[name] ?? (name === 'runTask' ? (test: never) => TestRunner.getTestFn(test)() : () => {})
    runner[name] = (test: RunnerTest, ...rest: unknown[]) => method(original.bind(runner), test, ...rest)
  }
}

/** The one before may have been skipped while it ran, or left: then nobody said that it was over. */
async function leaveTest(runner: Record<string, Method>, current: Current): Promise<void> {
  const left = await current.underWay?.leave()
  current.underWay = undefined
  if (left) await runner['onTaskUpdate']?.([[left.id, left.result, left.meta]], [[left.id, 'test-finished', undefined]])
}

/** Attempts of a test that have failed in one way tell one story. */
function tellOnce({ meta, result }: RunnerTest): void {
  if (!result?.errors || meta['dpor'] === undefined) return
  // Each attempt has random numbers of its own for its replay, and a page.
  const stories = result.errors.map((error) => (error as Error | undefined)?.message?.replace(/^(?:Replay|Page): .*$/gm, ''))
  result.errors = result.errors.filter((_, i) => stories[i] === undefined || !stories.includes(stories[i], i + 1))
}

/** Reporters would hear of each hook in each pass, and of tests that run twice as of two. */
function tellLess(runner: Record<string, Method>, { repeated, secondRuns }: Current): void {
  const { onTaskUpdate } = runner
  if (!onTaskUpdate) return
  const ofHook = /^(?:before|after)-hook-(?:start|end)$/
  runner['onTaskUpdate'] = (...[results, events]: Parameters<SecondRuns['told']>) => {
    const told = secondRuns.told(results, events.filter(([id, event]) => !repeated.has(id) || !ofHook.test(event)))
    return Reflect.apply(onTaskUpdate, runner, told)
  }
}

/** The context of a test annotates nothing once its body is over; the runner does. */
const annotating = (runner: Record<string, Method>, test: RunnerTest): Annotate => async (message, type, attachment) => {
  if (!runner['onTestAnnotate']) return undefined
  const annotation = (await runner['onTestAnnotate'](test, { message, type, ...(attachment && { attachment: { ...attachment } }) })) as RunnerTest['annotations'][number]
  test.annotations.push(annotation)
  return (annotation as { readonly attachment?: { readonly path?: string } }).attachment?.path
}

/** Vitest 4 leaves what the `expect` of the test's own context has counted in the pass before. */
function forgetAssertions({ context }: RunnerTest): void {
  if (!(context as unknown as Readonly<Record<'_local', boolean>>)['_local']) return
  context.expect.setState({ assertionCalls: 0, isExpectingAssertions: false, isExpectingAssertionsError: null, expectedAssertionsNumber: null, expectedAssertionsNumberErrorGen: null } as never)
}

/** Of a file that could not be collected there are none. */
const hooksOf = (suite: RunnerSuite) => TestRunner.getSuiteHooks(suite as never) as unknown as Record<(typeof hookNames)[number], Hook[]> | undefined

/** The hooks after a test, in the order in which Vitest calls them one after another; none where it calls them at once. */
function hooksAfter({ suite, file }: RunnerTest, { config }: Record<string, unknown>): readonly Hook[] {
  const { hooks: order } = (config as { readonly sequence: { readonly hooks: string } }).sequence
  if (order === 'parallel') return []
  const all: Hook[] = []
  for (let one = suite ?? file; ; one = one.suite ?? file) {
    const afterEach = (hooksOf(one)?.afterEach ?? []).map((hook) => originals.get(hook) ?? hook)
    all.push(...(order === 'stack' ? afterEach.toReversed() : afterEach))
    if (one === file) return all
  }
}

/** What a hook was before it became a part of executions. */
const originals = new WeakMap<Hook, Hook>()

/** Hooks of the suite become parts of the executions of the tests that they are called for. */
function wrapHooks(suite: RunnerSuite, { tests }: Current): void {
  const hooks = hooksOf(suite)
  if (!hooks) return
  const testOf = (context: unknown): RepeatedTest | undefined => tests.get((context as { readonly task: object }).task)
  for (const name of hookNames) hooks[name].forEach((hook, i) => (hooks[name][i] = wrapped(hook, name, testOf)))
}

type TestOf = (context: unknown) => RepeatedTest | undefined

function wrapped(hook: Hook, name: (typeof hookNames)[number], testOf: TestOf): Hook {
  if (hook[isWrapped]) return hook
  const inStage: Hook = name === 'aroundEach' ? around(hook, testOf) : each(hook, name, testOf)
  originals.set(inStage, hook)
  // Its timeout, and where it stands.
  return Object.defineProperties(Object.assign(inStage, { [isWrapped]: true as const }), Object.getOwnPropertyDescriptors(hook))
}

/** What a hook returns is called after the test. */
function each(hook: Hook, name: string, testOf: TestOf): Hook {
  const inStage = async (test: RepeatedTest, ...args: unknown[]): Promise<unknown> => {
    const result = await test.alone(name, () => hook(...args))
    if (typeof result !== 'function') return result
    test.returnsCleanUp()
    return () => test.alone('clean-up', () => (result as Method)())
  }
  return (context, ...rest) => {
    const test = testOf(context)
    if (test?.hasRun(hook)) return undefined
    return test ? inStage(test, context, ...rest) : hook(context, ...rest)
  }
}

function around(hook: Hook, testOf: TestOf): Hook {
  return (runTest, context, ...rest) => {
    const test = testOf(context)
    return test ? test.around((run) => hook(run, context, ...rest), runTest) : hook(runTest, context, ...rest)
  }
}
