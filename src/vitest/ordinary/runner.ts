import { TestRunner } from 'vitest'
import type { Finding } from '../../testing/finding.ts'
import { annotationOf, annotationType } from '../annotation.ts'
import { pageType, type Attach } from '../../testing/failure-page.ts'
import { stageFixtures } from './fixtures.ts'
import { OrdinaryTest, type RunnerTest, type Wanted } from './ordinary-test.ts'

/** What Vitest keeps of a suite or of a file, as far as it is used here. */
interface RunnerSuite {
  readonly filepath?: string
  readonly tasks: readonly (RunnerSuite | RunnerTest)[]
  concurrent?: boolean | undefined
}

type Method = (...args: any[]) => unknown
type Hook = ((...args: any[]) => unknown) & { [isWrapped]?: true }

const hookNames = ['beforeEach', 'afterEach', 'aroundEach'] as const
const isWrapped = Symbol('runs in a stage')
/** On the prototype, for setup files run again for each test file. */
const patched = Symbol.for('vitest-dpor: explores ordinary tests')

/** Who decides what is explored. */
export interface Exploring {
  /** How a test is to be explored, or why not. */
  wantedOf(test: RunnerTest): Wanted | undefined
  /** So many tests of a file are to be run. */
  fileBegins(tests: number): void
  fileEnds(): void
}

/** From now on ordinary tests of this worker are explored. */
export function exploreOrdinaryTests(exploring: Exploring): void {
  const prototype = TestRunner.prototype as unknown as Record<string | symbol, Method | boolean | undefined>
  const known = prototype[patched] as { exploring: Exploring } | undefined
  if (known) {
    known.exploring = exploring
    return
  }
  stageFixtures((task) => (task ? explored.get(task) : underWay))
  const current = { exploring }
  Object.defineProperty(prototype, patched, { value: current })
  const onBeforeRunSuite = prototype['onBeforeRunSuite'] as Method
  prototype['onBeforeRunSuite'] = async function (this: Record<string, Method>, suite: RunnerSuite) {
    takeOver(this, () => current.exploring)
    if (suite.filepath !== undefined) current.exploring.fileBegins(countTests(suite))
    await Reflect.apply(onBeforeRunSuite, this, [suite])
    for (const task of suite.tasks) task.concurrent = false
    wrapHooks(suite)
  }
}

const explored = new WeakMap<object, OrdinaryTest>()
/** The test that runs now. */
let underWay: OrdinaryTest | undefined
const taken = new WeakSet<object>()

/** Vitest puts methods of its own on each runner, which hide those of the prototype. */
function takeOver(runner: Record<string, Method>, exploring: () => Exploring): void {
  if (taken.has(runner)) return
  taken.add(runner)
  const methods: Record<string, (original: Method, test: RunnerTest, ...rest: unknown[]) => unknown> = {
    async onBeforeRunTask(original, test, ...rest) {
      await original(test, ...rest)
      const wanted = isToRun(test) ? exploring().wantedOf(test) : undefined
      if (wanted === undefined) return
      if ('reason' in wanted) {
        test.meta['dporFound'] = { found: 'unexplored', reason: wanted.reason }
        return
      }
      underWay = new OrdinaryTest(test, wanted, attachedBy(runner, test))
      explored.set(test, underWay)
    },
    async onBeforeTryTask(original, test, ...rest) {
      await explored.get(test)?.begin()
      forgetAssertions(test)
      return original(test, ...rest)
    },
    runTask(original, test, ...rest) {
      const run = (): unknown => (original as Method | undefined)?.(test, ...rest)
      return explored.get(test)?.body(run) ?? run()
    },
    async onAfterRetryTask(original, test, ...rest) {
      await original(test, ...rest)
      await explored.get(test)?.bodyIsOver()
    },
    async onAfterRunTask(original, test, ...rest) {
      explored.get(test)?.finish()
      underWay = undefined
      await annotate(runner, test)
      return original(test, ...rest)
    },
  }
  const { onAfterRunSuite } = runner
  runner['onAfterRunSuite'] = (suite: RunnerSuite, ...rest: unknown[]) => {
    if (suite.filepath !== undefined) exploring().fileEnds()
    return onAfterRunSuite && Reflect.apply(onAfterRunSuite, runner, [suite, ...rest])
  }
  for (const [name, method] of Object.entries(methods)) {
    const original = runner[name] ?? (name === 'runTask' ? (test: never) => TestRunner.getTestFn(test)() : () => {})
    runner[name] = (test: RunnerTest, ...rest: unknown[]) => method(original.bind(runner), test, ...rest)
  }
}

const isToRun = ({ type, mode }: RunnerTest): boolean => type === 'test' && (mode === 'run' || mode === 'queued')

function countTests({ tasks }: RunnerSuite): number {
  return tasks.reduce((sum, task) => sum + ('tasks' in task ? countTests(task) : Number(isToRun(task))), 0)
}

/** Reports for machines show annotations of tests that pass; of others they show the failure. */
async function annotate(runner: Record<string, Method>, test: RunnerTest): Promise<void> {
  const finding = test.meta['dporFound'] as Finding | undefined
  const message = finding && test.result?.state === 'pass' ? annotationOf(finding) : undefined
  if (message === undefined || !runner['onTestAnnotate']) return
  test.annotations.push(await runner['onTestAnnotate'](test, { message, type: annotationType }))
}

/** The context of the test annotates nothing once its body is over. */
const attachedBy = (runner: Record<string, Method>, test: RunnerTest): Attach => async (message, attachment) => {
  if (!runner['onTestAnnotate']) return undefined
  const annotation = (await runner['onTestAnnotate'](test, { message, type: pageType, attachment: { ...attachment } })) as RunnerTest['annotations'][number]
  test.annotations.push(annotation)
  return (annotation as { readonly attachment?: { readonly path?: string } }).attachment?.path
}

/** Vitest 4 leaves what the `expect` of the test's own context has counted in the pass before. */
function forgetAssertions({ context }: RunnerTest): void {
  if (!(context as unknown as Readonly<Record<'_local', boolean>>)['_local']) return
  context.expect.setState({ assertionCalls: 0, isExpectingAssertions: false, isExpectingAssertionsError: null, expectedAssertionsNumber: null, expectedAssertionsNumberErrorGen: null } as never)
}

/** Hooks of the suite become parts of the executions of the tests that they are called for. */
function wrapHooks(suite: RunnerSuite): void {
  const hooks = TestRunner.getSuiteHooks(suite as never) as unknown as Record<(typeof hookNames)[number], Hook[]> | undefined
  // Of a file that could not be collected there are none.
  if (!hooks) return
  for (const name of hookNames) hooks[name].forEach((hook, i) => (hooks[name][i] = wrapped(hook, name)))
}

function wrapped(hook: Hook, name: (typeof hookNames)[number]): Hook {
  if (hook[isWrapped]) return hook
  const inStage = name === 'aroundEach' ? around(hook) : each(hook, name)
  // Its timeout, and where it stands.
  return Object.defineProperties(Object.assign(inStage, { [isWrapped]: true as const }), Object.getOwnPropertyDescriptors(hook))
}

const testOf = (context: unknown): OrdinaryTest | undefined => explored.get((context as { readonly task: object }).task)

/** What a hook returns is called after the test. */
function each(hook: Hook, name: string): Hook {
  return async (context, ...rest) => {
    const test = testOf(context)
    if (!test) return hook(context, ...rest)
    const result = await test.alone(name, () => hook(context, ...rest))
    return typeof result === 'function' ? () => test.alone('clean-up', () => (result as Method)()) : result
  }
}

function around(hook: Hook): Hook {
  return (runTest, context, ...rest) => {
    const test = testOf(context)
    return test ? test.around((run) => hook(run, context, ...rest), runTest) : hook(runTest, context, ...rest)
  }
}
