import type { Execution } from '../../execution/execution.ts'
import { fs } from './named-files.ts'

/**
 * Files are put back after an execution, so that the next one finds them as this one did: what was there before a body changed it for the first time. What
 * was not there goes again; a folder in which somebody else has put something stays, unless it came with all that is in it.
 */

// As they were before anybody has put something in their place.
const native = { ...fs } as typeof import('node:fs')

/** Bytes of one file, and files of one tree, that are kept at most: what is larger stays as it was left. */
const mostBytes = 2 ** 24
const mostFiles = 1000

const kept = new WeakMap<Execution, Set<string>>()

/** This path is about to change: with what is in it, if it is a folder that goes or comes as a whole. */
export function keepFile(execution: Execution, path: string, { isTree = false } = {}): void {
  let paths = kept.get(execution)
  if (!paths) kept.set(execution, (paths = new Set()))
  const key = isTree ? `${path}/` : path
  if (paths.has(key)) return
  paths.add(key)
  const undo = quietly(() => saved(path, { isTree, left: mostFiles }))
  if (undo) execution.journal.change(() => void quietly(undo))
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
