import type { Finding } from '../src/testing/finding.ts'
import { plural } from '../src/testing/verdict-lines.ts'
import { isForPeople } from '../src/testing/for-people.ts'

/** What of Vitest's tasks is looked at, and changed. */
interface Task {
  readonly id: string
  readonly type: string
  readonly mode: string
  readonly tasks?: readonly Task[]
  readonly meta: { dporFound?: Finding; dpor?: unknown }
  result?: { state: string; errors?: readonly TaskError[] }
}

interface TaskError {
  readonly name?: string
  readonly message?: string
}

/** One that nobody has handled; of which test file Vitest writes down. */
interface UnhandledError extends TaskError {
  readonly VITEST_TEST_PATH?: string
}

interface Specification {
  readonly pool: string
  readonly moduleId: string
  readonly testModule?: { readonly id: string } | undefined
}

interface TestRun {
  end(specifications: readonly Specification[], errors: readonly UnhandledError[], ...rest: unknown[]): Promise<unknown>
  syncUpdateStacks(packs: readonly Pack[]): void
}

type Pack = readonly [id: string, result: Task['result'], meta: Task['meta']]

interface Project {
  getProvidedContext(): object
  provide(name: string, value: unknown): void
}

/** What of Vitest is needed for that: its own reporters and pools are built on the same. */
export interface RunningVitest {
  readonly isCancelling: boolean
  readonly projects: readonly Project[]
  readonly logger: { log(text: string): void; warn(text: string): void }
  readonly config: { shard?: unknown; readonly mergeReports?: string; readonly reporters: readonly unknown[]; readonly coverage?: { readonly enabled?: boolean } }
  readonly state: { readonly idMap: ReadonlyMap<string, Task>; getCountOfFailedTests(): number; catchError(error: unknown, type: string): void }
  readonly snapshot: { add(result: unknown): void }
  readonly pool?: { runTests(specifications: readonly Specification[], invalidates: readonly string[]): Promise<void> }
  readonly _testRun?: TestRun
}

/** What is said of a test that only exploring made red. */
const greenAlone = 'red beside explorations and green in a run of its file without, which counts: something that an exploration has changed was not put back, or under control it runs in another way'
const endedWorker = 'its worker ended while the file was explored: what it comes to is that of a run without exploration'

const known = new WeakSet<TestRun>()

/**
 * A run with `--dpor` turns no green test red. Of a test that is red, and by no race, only a run of its file that explores nothing can tell what it comes to: where there
 * are such tests, that run follows the first one, before anything is summed up. What it comes to is what counts.
 *
 * @param until when there is no time left for it, in milliseconds since the epoch
 */
export function runRedTestsAgain(vitest: RunningVitest, until = Infinity): void {
  const { _testRun: run } = vitest
  if (!run || known.has(run)) return
  known.add(run)
  const { end } = run
  const codeBefore = process.exitCode
  run.end = async (specifications, errors, ...rest) => {
    const isEnough = vitest.isCancelling || vitest.pool === undefined || vitest.config.mergeReports !== undefined || vitest.config.coverage?.enabled === true || Date.now() > until
    const left = isEnough ? errors : await errorsAfter(vitest, run, specifications, errors)
    if (left.length === 0 && errors.length > 0 && process.exitCode === 1) process.exitCode = codeBefore
    return Reflect.apply(end, run, [specifications, left, ...rest]) as Promise<unknown>
  }
}

/** Runs again what is red, and gives the errors that stay: those of the run that explores nothing, and others of which it does not tell. */
async function errorsAfter(vitest: RunningVitest, run: TestRun, specifications: readonly Specification[], errors: readonly UnhandledError[]): Promise<readonly UnhandledError[]> {
  const { idMap } = vitest.state
  const fileOf = ({ testModule }: Specification): Task | undefined => testModule && idMap.get(testModule.id)
  const hasError = ({ moduleId }: Specification): boolean => errors.some((error) => error.VITEST_TEST_PATH === moduleId)
  const red = specifications.filter((specification) => inNode(specification) && (isRed(fileOf(specification)) || hasError(specification)))
  if (red.length === 0) return errors
  if (isForPeople(vitest)) vitest.logger.log(`\nvitest-dpor: ${plural(red.length, 'file')} red, but by no race: once more without exploration, and what that comes to counts`)
  const { tasks, errors: others } = await runUnexplored(vitest, run, red)
  const files = red.flatMap((specification) => fileOf(specification) ?? [])
  for (const file of files) settle(file, tasks)
  const messages = new Set(others.map(({ message }) => message))
  const hasEnded = !files.some((file) => testsOf(file).some(isUnfinished))
  const isGone = (error: UnhandledError): boolean => (isOfEndedWorker(error) ? hasEnded : red.some(({ moduleId }) => moduleId === error.VITEST_TEST_PATH)) && !messages.has(error.message)
  for (const error of errors.filter((one) => isGone(one) && !isOfEndedWorker(one))) vitest.logger.warn(`vitest-dpor: ${error.VITEST_TEST_PATH}: an error that nobody handles, beside explorations and not in a run without: ${error.message}`)
  return errors.filter((error) => !isGone(error))
}

const inNode = ({ pool }: Specification): boolean => pool !== 'browser' && pool !== 'typescript'

const isOfEndedWorker = ({ message = '' }: TaskError): boolean => message.startsWith('[vitest-pool]: Worker')

/** Its first run is over: a test that has not ended never will. */
const isUnfinished = ({ mode, result }: Task): boolean => mode === 'run' && (result === undefined || result.state === 'run' || result.state === 'queued')

/** A failure that is no verdict of an exploration. */
function isUntold({ result, meta: { dporFound, dpor } }: Task): boolean {
  if (result?.state !== 'fail') return false
  if (dporFound ? dporFound.found === 'race' : dpor !== undefined) return false
  return result.errors?.[0]?.name !== 'InconclusiveError'
}

function isRed(task: Task | undefined): boolean {
  if (!task) return false
  if (!task.tasks) return isUntold(task) || isUnfinished(task)
  return hasOwnErrors(task) || task.tasks.some(isRed)
}

/** Of a suite: those of its hooks, and of loading a file. */
const hasOwnErrors = ({ result }: Task): boolean => (result?.errors?.length ?? 0) > 0

const testsOf = (task: Task): readonly Task[] => (task.tasks ? task.tasks.flatMap(testsOf) : [task])

interface Unexplored {
  /** By their ids. */
  readonly tasks: ReadonlyMap<string, Task>
  /** That nobody has handled. */
  readonly errors: readonly UnhandledError[]
}

const nothing = (): void => {}

/** Reporters hear nothing of it. */
async function runUnexplored(vitest: RunningVitest, run: TestRun, specifications: readonly Specification[]): Promise<Unexplored> {
  const errors: UnhandledError[] = []
  const seen = new Map<string, Task>()
  const collect = (task: Task): void => {
    seen.set(task.id, task)
    task.tasks?.forEach(collect)
  }
  const lent = [
    lend(run, {
      enqueued: nothing,
      log: nothing,
      recordBenchmark: nothing,
      recordArtifact: (_: string, artifact: unknown) => artifact,
      collected: (_: unknown, files: readonly Task[]) => files.forEach(collect),
      updated(packs: readonly Pack[]) {
        run.syncUpdateStacks(packs)
        for (const [id, result, meta] of packs) Object.assign(seen.get(id) ?? {}, { result, meta })
      },
    }),
    // What `--bail` counts, and what the summary tells of, is that of the first run.
    lend(vitest.state, { getCountOfFailedTests: () => 0, catchError: (error: unknown) => void errors.push(error as UnhandledError) }),
    lend(vitest.snapshot, { add: nothing }),
    lend(vitest.config, { shard: undefined }),
    ...vitest.projects.map(leaveUnexplored),
  ]
  try {
    await vitest.pool!.runTests(specifications, [])
  } catch (error) {
    // Tests that have no result then keep that of the first run.
    errors.push(error as UnhandledError)
  } finally {
    for (const giveBack of lent) giveBack()
  }
  return { tasks: seen, errors }
}

/** Puts members in the place of others for a while. Gives what takes them back. */
function lend(holder: object, members: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(members).map((name) => [name, Object.getOwnPropertyDescriptor(holder, name)] as const)
  Object.assign(holder, members)
  return () => {
    for (const [name, own] of before) {
      if (own) Object.defineProperty(holder, name, own)
      else Reflect.deleteProperty(holder, name)
    }
  }
}

/** As in a run without `--dpor`. */
function leaveUnexplored(project: Project): () => void {
  const { dporRun } = project.getProvidedContext() as { readonly dporRun?: unknown }
  if (dporRun === undefined) return () => {}
  project.provide('dporRun', undefined)
  return () => project.provide('dporRun', dporRun)
}

/** A task becomes what it has come to without exploration, unless an exploration has a verdict on it. */
function settle(task: Task, seen: ReadonlyMap<string, Task>): void {
  const other = seen.get(task.id)
  if (task.tasks) {
    for (const one of task.tasks) settle(one, seen)
    settleSuite(task, other)
  } else if (other?.result && !isUnfinished(other)) settleTest(task, other)
}

function settleTest(test: Task, { result }: Task): void {
  const wasCut = isUnfinished(test)
  if (!wasCut && !isUntold(test)) return
  test.result = { ...result! }
  if (result!.state !== 'fail') test.meta.dporFound = { found: 'unexplored', reason: wasCut ? endedWorker : greenAlone }
  else if (test.meta.dporFound || wasCut) test.meta.dporFound = { found: 'fails', isSure: true }
}

function settleSuite(suite: Task, other: Task | undefined): void {
  if (!other?.result || isUnfinished(other)) return
  const { errors: _, ...kept } = suite.result ?? { state: 'pass' }
  const { errors = [] } = other.result
  const isFailing = errors.length > 0 || suite.tasks!.some(({ result }) => result?.state === 'fail')
  suite.result = { ...kept, state: isFailing ? 'fail' : other.result.state === 'fail' ? 'pass' : other.result.state, ...(errors.length > 0 && { errors }) }
}
