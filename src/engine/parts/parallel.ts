import { Math } from '../intrinsics.ts'
import type { Worker } from 'node:worker_threads'
import { OptionError, ProgramError } from '../errors.ts'
import { text, wholeNumber } from '../checks.ts'
import { checkDivided, checkOptionNames, completeOptions, exploresTree, option, resolveOptions, searchOptions, type AlgorithmName, type OptionsOf, type ResolvedOptions } from '../options.ts'
import type { Exploration, Failure } from '../outcome.ts'
import { removeFiles, workersFor } from './kept-workers.ts'
import { fromPortable, restored, type WorkerMessage, type WorkerTask } from './parallel-messages.ts'
import { joinedReason } from '../reason.ts'
import { parseSchedule } from '../schedule.ts'
import { LATE, SharedMemory } from './shared-memory.ts'

const parallelOptions = {
  ...searchOptions,
  /** Threads to explore with. Default: as many as the machine can run at the same time. */
  workers: option(wholeNumber({ from: 1 })),
  /** The export of the module: a program, or a function that returns one. Default `'default'`. */
  export: option(text('the name of an export'), 'default'),
}

export type ParallelOptions = Readonly<OptionsOf<typeof parallelOptions>>

type WorkerEnd = Extract<WorkerMessage, { result: unknown }>
type WorkerResult = WorkerEnd['result']

/** Room for the short-lived objects of executions, so that they are collected less often. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 }

/** Longest time that a timer can wait. Milliseconds. */
const longestTimer = 2 ** 31 - 1

/**
 * Explores a model program with several worker threads of Node at the same time. Each of them loads the module
 * `moduleUrl`, for instance `new URL('./program.js', import.meta.url)`.
 *
 * The number of executions, the blocked ones and the failures are the same for any number of workers; the failures are
 * sorted by their schedules, and the number of the execution in each is that within its worker. `maxExecutions` and
 * `maxTime` (without the start of the threads) are for all workers together. Not with `replay`.
 *
 * `saveTo` and `resumeFrom` are folders, in which each worker has a file: it explores a share of its own then, in place of the next piece that is free. Another number of
 * workers cannot go on from them; without `workers` it is the same one as before.
 *
 * Without `algorithm`, `part` and those two it explores by `'pop'`, which divides its work without doing any in vain, and starts anew by `'optimal'` when it
 * comes upon a step that is not one access; with `preemptionBound` or an order of `search` by `'optimal'` at once.
 *
 * Rejects with an `OptionError`, or with a `ProgramError` that begins with the URL if the module cannot be loaded, has no
 * such export, or throws.
 */
export function exploreParallel(moduleUrl: string | URL, options: ParallelOptions = {}): Promise<Exploration> {
  return exploreWithWorkers(moduleUrl, options, new URL('./parallel-worker.js', import.meta.url))
}

/** The same, with workers that begin at `entry`; for tests. */
export async function exploreWithWorkers(moduleUrl: string | URL, options: ParallelOptions, entry: URL): Promise<Exploration> {
  checkOptionNames(options, parallelOptions)
  const { workers: wanted, export: name, replay } = completeOptions(parallelOptions, options)
  if (replay !== undefined) throw new OptionError('replay', replay, 'one schedule needs no workers: give it to explore')
  const { workers: _, export: __, ...search } = options
  const resolved = resolveOptions(search)
  const { saveTo, resumeFrom } = resolved
  checkDivided(resolved, 'where workers share the work')
  const { availableParallelism } = await import('node:os')
  const workers = workersFor(wanted, resumeFrom) ?? availableParallelism()
  if (saveTo !== undefined && saveTo !== resumeFrom) removeFiles(saveTo)
  const module = checkedUrl(moduleUrl)
  const exploreBy = async (algorithm: AlgorithmName): Promise<Exploration> => {
    const memory = new SharedMemory()
    const task = { module, name, options: { ...search, algorithm }, memory: memory.buffer, workers }
    const ends = await runAll(task, { entry, memory, maxTime: resolved.maxTime })
    const result = merged(ends.map((end) => end.result), resolved)
    const isOver = ends.every((end) => end.isOver) || (resolved.stopOnFirst && result.verdict === 'fails')
    if (saveTo !== undefined && isOver) removeFiles(saveTo)
    return result
  }
  const isKept = saveTo !== undefined || resumeFrom !== undefined
  if (search.algorithm !== undefined || resolved.part !== undefined || isKept || exploresTree(resolved)) return exploreBy(resolved.algorithm)
  try {
    return await exploreBy('pop')
  } catch (error) {
    if (!isRefusal(error)) throw error
    return exploreBy('optimal')
  }
}

/** Whether pop came upon a step that is not one access. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Error && error.cause.message.startsWith("option 'algorithm' is 'pop'")
}

/** Starts the workers and waits for all; ends them all if one of them has a problem. */
async function runAll(task: Omit<WorkerTask, 'worker'>, { entry, memory, maxTime }: { entry: URL; memory: SharedMemory; maxTime: number }): Promise<WorkerEnd[]> {
  const { Worker } = await import('node:worker_threads')
  const threads: Worker[] = []
  const timer = maxTime === Infinity ? undefined : setTimeout(() => memory.stop(LATE), Math.min(maxTime, longestTimer))
  try {
    for (let worker = 0; worker < task.workers; worker++) {
      threads.push(new Worker(entry, { workerData: { ...task, worker } satisfies WorkerTask, resourceLimits }))
    }
    return await Promise.all(threads.map((thread) => resultOf(thread, task.module)))
  } finally {
    clearTimeout(timer)
    await Promise.all(threads.map((thread) => thread.terminate()))
  }
}

function resultOf(thread: Worker, module: string): Promise<WorkerEnd> {
  return new Promise((resolve, reject) => {
    thread.on('message', (message: WorkerMessage) => {
      if ('result' in message) resolve(message)
      else if ('refusal' in message) reject(new OptionError(message.refusal.option, message.refusal.value, message.refusal.accepted))
      else reject(new ProgramError(`${module}: ${message.problem}`, { cause: fromPortable(message.cause) }))
    })
    thread.on('error', (error) => reject(new ProgramError(`${module}: a worker ended with ${String(error)}`, { cause: error })))
    thread.on('exit', (code) => reject(new ProgramError(`${module}: a worker ended early, with exit code ${code}`)))
  })
}

function merged(results: readonly WorkerResult[], { interleave, equivalence, part, stopOnFirst }: ResolvedOptions): Exploration {
  const total = (count: (result: WorkerResult) => number): number => results.reduce((sum, result) => sum + count(result), 0)
  const executions = total((result) => result.executions)
  const failures = sortedFailures(results)
  const reason = joinedReason(results)
  return {
    verdict: failures.length > 0 ? 'fails' : reason === undefined ? 'holds' : 'inconclusive',
    executions,
    blocked: total((result) => result.blocked),
    steps: total((result) => result.steps),
    ...estimated(results, executions, reason),
    interleave,
    equivalence,
    passes: 1,
    failures: stopOnFirst ? failures.slice(0, 1) : failures,
    ...(part === undefined ? {} : { part }),
    ...(reason === undefined ? {} : { inconclusiveReason: reason }),
  }
}

/** By the one worker that has drawn executions for it, of the whole. */
function estimated(results: readonly WorkerResult[], executions: number, reason: string | undefined): Pick<Exploration, 'estimate' | 'estimateRange'> {
  if (reason === undefined) return { estimate: executions }
  const known = (count: number): number => Math.max(count, executions + 1)
  const guess = results.find(({ estimateRange }) => estimateRange !== undefined)
  if (guess?.estimateRange === undefined) return { estimate: known(0) }
  const [least, most] = guess.estimateRange
  return { estimate: known(guess.estimate), estimateRange: [known(least), known(most)] }
}

function sortedFailures(results: readonly WorkerResult[]): Failure[] {
  return results
    .flatMap(({ failures }) => failures)
    .map((failure) => ({ failure: restored(failure), order: parseSchedule(failure.schedule) }))
    .toSorted((a, b) => compareSchedules(a.order, b.order))
    .map(({ failure }) => failure)
}

function compareSchedules(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((process, i) => process !== b[i])
  return differing === -1 ? a.length - b.length : (a[differing] as number) - (b[differing] ?? -1)
}

function checkedUrl(moduleUrl: string | URL): string {
  if (URL.canParse(String(moduleUrl))) return String(moduleUrl)
  throw new OptionError('moduleUrl', moduleUrl, "give the URL of a module, such as new URL('./program.js', import.meta.url)")
}
