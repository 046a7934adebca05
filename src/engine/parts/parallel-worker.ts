/** Runs in a worker thread: explores the pieces that it gets hold of, and tells the result. `parallel.ts` starts it. */
import { Object, textOfFunction } from '../intrinsics.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { dividedAlgorithm } from '../algorithms/algorithms.ts'
import { Claims } from './claims.ts'
import { FixedPieces } from './fixed-pieces.ts'
import { filesOf } from './kept-workers.ts'
import { resolveOptions } from '../options.ts'
import { OptionError } from '../errors.ts'
import { portableResult, toPortable, type WorkerMessage, type WorkerTask } from './parallel-messages.ts'
import { Program } from '../program/program.ts'
import { ProgramDriver } from '../program/program-driver.ts'
import { aboutOptions } from '../resume/about.ts'
import { KeptSearch } from '../resume/kept-search.ts'
import { Search } from '../search.ts'
import { partNamed } from './share.ts'
import { SharedBudget } from './shared-budget.ts'
import { FAILED, SharedMemory } from './shared-memory.ts'

/** A line about what is wrong with the module, to be put behind its URL. */
class ModuleProblem extends Error {}

async function loadProgram({ module, name }: WorkerTask): Promise<Program> {
  const exports = (await import(module).catch((error: unknown) => {
    throw new ModuleProblem(`it cannot be loaded: ${oneLine(error)}`, { cause: error })
  })) as Record<string, unknown>
  if (!(name in exports)) {
    const others = Object.keys(exports).map((other) => `'${other}'`)
    throw new ModuleProblem(`it has no export '${name}'; there ${others.length === 0 ? 'is none' : `are ${others.join(', ')}`}`)
  }
  const made = await called(exports[name], name)
  if (made instanceof Program) return made
  throw new ModuleProblem(`its export '${name}' is neither what program(...) returns nor a function that returns that`)
}

async function called(found: unknown, name: string): Promise<unknown> {
  if (typeof found !== 'function') return found
  try {
    return await (found as () => unknown)()
  } catch (error) {
    throw new ModuleProblem(`its export '${name}' threw ${oneLine(error)}`, { cause: error })
  }
}

function explorePieces(program: Program, { options, memory: buffer, name, worker, workers }: WorkerTask): WorkerMessage {
  const memory = new SharedMemory(buffer)
  const resolved = resolveOptions(options)
  const division = { worker, workers, part: partNamed(resolved.part) }
  const isKept = resolved.saveTo !== undefined || resolved.resumeFrom !== undefined
  const share = isKept ? new FixedPieces(division) : new Claims(memory, division)
  const budget = new SharedBudget(resolved, memory, { surveys: worker === 0 })
  const search = new Search(options, (trace) => dividedAlgorithm(resolved, trace, share), budget)
  const about = { program: textOfFunction(program.build), export: name, workers, ...aboutOptions(resolved) }
  const kept = new KeptSearch(filesOf(resolved, division), about, { isOneOfSeveral: true })
  const before = kept.resume(search)
  if (before !== undefined) return { result: before, isOver: true }
  const driver = new ProgramDriver(program, search)
  try {
    while (search.next()) {
      driver.execute()
      kept.executed(search)
    }
  } catch (error) {
    const refused = kept.refusalOf(error)
    if (refused !== error) throw refused
    throw new ModuleProblem(`its program threw ${oneLine(error)}`, { cause: error })
  }
  kept.ended(search)
  const result = search.result()
  if (resolved.stopOnFirst && result.failures.length > 0) memory.stop(FAILED)
  return { result: portableResult(result), isOver: search.isOver }
}

function oneLine(error: unknown): string {
  return String(error).split('\n', 1)[0] as string
}

async function work(task: WorkerTask): Promise<WorkerMessage> {
  try {
    return explorePieces(await loadProgram(task), task)
  } catch (error) {
    if (error instanceof OptionError) return { refusal: { option: error.option, value: error.value, accepted: error.accepted } }
    if (error instanceof ModuleProblem) return { problem: error.message, cause: toPortable(error.cause) }
    throw error
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has none
parentPort?.postMessage(await work(workerData as WorkerTask))
