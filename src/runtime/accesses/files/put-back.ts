import type { Execution } from '../../execution/execution.ts'
import type { Identities } from '../../execution/identity.ts'
import { PerExecution } from '../../execution/per-execution.ts'

/**
 * Files are put back after an execution, so that the next one finds them as this one did: what was there before a body changed it for the first time. What
 * was not there goes again. A log stays, to which something was only added and which nobody has looked at in any execution; and a folder in which somebody else has put something, unless it came with all that is in it.
 */

// As they were before anybody has put something in their place.
const native = { ...globalThis.process?.getBuiltinModule?.('node:fs') } as typeof import('node:fs')
/** Of the system, as it really is. */
const temporary = quietly(() => native.realpathSync(globalThis.process!.getBuiltinModule('node:os').tmpdir()))
const folderOf = globalThis.process?.getBuiltinModule?.('node:path').dirname

/** Bytes of one file, and files of one tree, that are kept at most: what is larger stays as it was left. */
const mostBytes = 2 ** 24
const mostFiles = 1000

/** What an execution does with files. */
class Kept {
  readonly saved = new Set<string>()
  /** Something is added to them at their end, and nothing else is changed. */
  readonly growing = new Set<string>()
}

const keptIn = new PerExecution(() => new Kept())

/** What executions of an exploration have done with files so far. */
class Logs {
  /** Those that stay: puts back what they were before the first execution. */
  readonly left = new Map<string, Undo>()
  readonly #lookedAt = new Set<string>()
  #allAreLookedAt = false

  /** This path is looked at, or what a folder has; all of them, if none is given. */
  look(path: string | undefined): void {
    if (path === undefined) this.#allAreLookedAt = true
    else this.#lookedAt.add(path)
  }

  isLookedAt(path: string): boolean {
    return this.#allAreLookedAt || this.#lookedAt.has(path) || this.#lookedAt.has(folderOf!(path))
  }
}

/** By what all executions of an exploration have. */
const logsOf = new WeakMap<object, Logs>()

function logsIn({ drawn }: Execution): Logs {
  let logs = logsOf.get(drawn)
  if (!logs) logsOf.set(drawn, (logs = new Logs()))
  return logs
}

interface Change {
  /** With what is in it: it is a folder that goes or comes as a whole. */
  readonly isTree?: boolean
  /** Something is added at its end. */
  readonly isLonger?: boolean
}

/** This path is about to change. */
export function keepFile(execution: Execution, path: string, { isTree = false, isLonger = false }: Change = {}): void {
  const kept = keptIn.of(execution)
  const key = isTree ? `${path}/` : path
  const isNew = !kept.saved.has(key)
  if (!isLonger) kept.growing.delete(key)
  else if (isNew) kept.growing.add(key)
  if (!isNew) return
  kept.saved.add(key)
  const undo = quietly(() => saved(path, { isTree, left: mostFiles }))
  if (!undo) return
  const logs = logsIn(execution)
  execution.journal.change(() => {
    if (!kept.growing.has(path) || logs.isLookedAt(path)) quietly(logs.left.get(path) ?? undo)
    else if (!logs.left.has(path)) logs.left.set(path, undo)
  })
}

/** By exploration: whether a log was there when it was first added to. */
const thereAtFirst = new WeakMap<Identities, Map<string, boolean>>()

/** Whether a file is there to which something is about to be added: to each execution as it was to the first one, as logs stay. */
export function isLogThere(execution: Execution, path: string): boolean {
  const isThere = native.existsSync(path)
  if (keptIn.of(execution).saved.has(path)) return isThere
  let known = thereAtFirst.get(execution.identities)
  if (!known) thereAtFirst.set(execution.identities, (known = new Map()))
  if (!known.has(path)) known.set(path, isThere)
  return known.get(path)!
}

/** A thread of the body writes where nobody sees it: what has come so, and the body looks for, goes again. */
function keepFromThread(execution: Execution, path: string): void {
  const kept = keptIn.of(execution)
  if (!execution.foreign.hasThread || kept.saved.has(path) || !path.startsWith(temporary!)) return
  kept.saved.add(path)
  execution.journal.change(() => quietly(() => {
    const stats = native.lstatSync(path, { throwIfNoEntry: false })
    if (stats?.isFile() && stats.birthtimeMs >= execution.foreign.begun) remove(path)
  }))
}

/** This path is looked at, or what a folder has; all of them, if none is given. */
export function fileIsLookedAt(execution: Execution, path?: string): void {
  if (path !== undefined) keepFromThread(execution, path)
  const logs = logsIn(execution)
  const unseen = [...logs.left].filter(([log]) => !logs.isLookedAt(log))
  logs.look(path)
  for (const [log, undo] of unseen) {
    if (!logs.isLookedAt(log)) continue
    // Executions before have left something there, which this one finds.
    if (!keptIn.of(execution).saved.has(log)) execution.journal.change(() => void quietly(undo))
    execution.findsLeft = true
    execution.accesses.startAnew()
  }
}

type Undo = () => void

interface Depth {
  readonly isTree: boolean
  /** How many files may be kept. */
  readonly left: number
}

function saved(path: string, { isTree, left }: Depth): Undo | undefined {
  const stats = native.lstatSync(path, { throwIfNoEntry: false })
  if (!stats) return () => (isTree ? native.rmSync(path, { recursive: true, force: true }) : remove(path))
  if (stats.isFile()) return stats.size <= mostBytes ? savedFile(path, stats) : undefined
  if (stats.isSymbolicLink()) {
    const target = native.readlinkSync(path)
    return () => {
      remove(path)
      native.symlinkSync(target, path)
    }
  }
  if (!stats.isDirectory()) return undefined
  const inside = isTree ? native.readdirSync(path) : []
  if (inside.length > left) return undefined
  const undos = inside.map((name) => saved(`${path}/${name}`, { isTree, left: left - inside.length }))
  return () => {
    if (native.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
      remove(path)
      native.mkdirSync(path)
    }
    native.chmodSync(path, stats.mode)
    for (const undo of undos) undo?.()
  }
}

function savedFile(path: string, { mode, atimeMs, mtimeMs }: import('node:fs').Stats): Undo {
  const content = native.readFileSync(path)
  return () => {
    if (native.lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) remove(path)
    native.writeFileSync(path, content)
    native.chmodSync(path, mode)
    native.utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
  }
}

/** Nothing where nothing is; a folder only if it is empty. */
function remove(path: string): void {
  const stats = native.lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory()) native.rmdirSync(path)
  else if (stats) native.unlinkSync(path)
}

/** What cannot be read or written stays as it is. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
