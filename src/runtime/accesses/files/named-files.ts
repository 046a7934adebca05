import { Array, ArrayBuffer, Object, Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import { memoryOf } from '../../execution/brands.ts'
import type { Execution } from '../../execution/execution.ts'
import type { ObjectId } from '../../execution/identity.ts'
import { resourceKey, STATE } from '../../execution/keys.ts'
import { namedObject } from '../../execution/named-objects.ts'
import { fileIsLookedAt, isLogThere } from './put-back.ts'
import { tellDone, timesDone } from '../counted.ts'

/**
 * Files as locations: one for each path, and one for which files a folder has. Whatever is about more than that, such as to remove
 * a tree, is about all files.
 */

export const fs = globalThis.process?.getBuiltinModule?.('node:fs')
const path = globalThis.process?.getBuiltinModule?.('node:path')
const url = globalThis.process?.getBuiltinModule?.('node:url')

// As they were before anybody has put something in their place.
const exists = fs?.existsSync
const stat = fs?.statSync
const realPath = fs?.realpathSync.native
const read = fs?.readFileSync

/** What an operation does to files: by the positions of the arguments that are their paths. */
interface FileOperation {
  readonly looksAt?: readonly number[]
  readonly changes?: readonly number[]
}

/** By the names of functions of `node:fs`, without `Sync`. */
const operations: Readonly<Record<string, FileOperation>> = {
  access: { looksAt: [0] },
  appendFile: { changes: [0] },
  chmod: { changes: [0] },
  chown: { changes: [0] },
  copyFile: { looksAt: [0], changes: [1] },
  cp: { looksAt: [0], changes: [1] },
  exists: { looksAt: [0] },
  lchown: { changes: [0] },
  link: { looksAt: [0], changes: [1] },
  lstat: { looksAt: [0] },
  lutimes: { changes: [0] },
  mkdir: { changes: [0] },
  opendir: { looksAt: [0] },
  readFile: { looksAt: [0] },
  readdir: { looksAt: [0] },
  readlink: { looksAt: [0] },
  realpath: { looksAt: [0] },
  rename: { changes: [0, 1] },
  rm: { changes: [0] },
  rmdir: { changes: [0] },
  stat: { looksAt: [0] },
  symlink: { changes: [1] },
  truncate: { changes: [0] },
  unlink: { changes: [0] },
  utimes: { changes: [0] },
  writeFile: { changes: [0] },
}

export const fileOperations: readonly string[] = Object.keys(operations)

/** The arguments of an operation are what it is usually called with: paths, and data that is there. */
export function isUsual(name: string, args: readonly unknown[]): boolean {
  const { looksAt = [], changes = [] } = operations[name]!
  if (![...looksAt, ...changes].every((at) => pathOf(args[at]) !== undefined)) return false
  if (args.some((arg) => typeof arg === 'object' && arg !== null && 'signal' in arg)) return false
  return !takesData.has(name) || typeof args[1] === 'string' || ArrayBuffer.isView(args[1])
}

const takesData: ReadonlySet<string> = new Set(['writeFile', 'appendFile'])

const { URL: NativeUrl } = globalThis

export function pathOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given.includes('\0') ? undefined : given
  if (given instanceof NativeUrl && given.protocol === 'file:') return url!.fileURLToPath(given)
  return globalThis.Buffer.isBuffer(given) ? String(given) : undefined
}

/** Whether there is something at a path decides whether an operation adds it to its folder. */
export const isThere = (file: string): boolean => exists!(file)
const isFolder = (file: string): boolean => stat!(file, { throwIfNoEntry: false })?.isDirectory() === true

/** Whether the operation changes nothing. */
export const onlyLooks = (name: string): boolean => operations[name]!.changes === undefined

/**
 * Tells what an operation looks at and changes: before it is done, as what is there decides that; if it changes nothing, afterwards as well.
 *
 * @param value what it has found
 */
export function tellFiles(execution: Execution, name: string, args: readonly unknown[], site: SiteId, value?: unknown): void {
  const files = new Files(execution, site)
  const { looksAt = [], changes = [] } = operations[name]!
  const hasOption = hasOptionIn(args)
  const named = (at: number): string => nameOf(pathOf(args[at])!)
  const pathAt = (at: number): string => (onLinks.has(name) ? named(at) : files.follow(named(at)))
  if (isOfTree(name, args)) return changes.length > 0 ? files.changeAll() : files.lookAtAll()
  for (const at of looksAt) {
    const file = pathAt(at)
    // Where it is tells nothing of what is in it.
    files.lookAt(file, name === 'realpath' ? undefined : value)
    fileIsLookedAt(execution, file)
    if (listing.has(name) && isFolder(file)) files.list(file)
  }
  for (const at of changes) {
    const file = pathAt(at)
    // It is removed only if there is nothing in it.
    if (name === 'rmdir') files.list(file)
    if (name === 'mkdir' && hasOption('recursive')) for (const folder of foldersOf(file)) if (!isThere(folder)) files.change(folder, { comesOrGoes: true, value: undefined })
    files.change(file, { comesOrGoes: leaving.has(name) || !(name === 'appendFile' ? isLogThere(execution, file) : isThere(file)), value: execution.recorder && at === changes.at(-1) ? dataOf(name, args) : undefined })
  }
}

const hasOptionIn = (args: readonly unknown[]) => (option: string): boolean => args.some((arg) => typeof arg === 'object' && arg !== null && Reflect.get(arg, option) === true)

function isOfTree(name: string, args: readonly unknown[]): boolean {
  if (name === 'cp') return true
  return (name !== 'mkdir' && hasOptionIn(args)('recursive')) || (name === 'rename' && isFolder(nameOf(pathOf(args[0])!)))
}

/** A path that an operation changes, with what is in it if that is a folder which it changes as a whole. */
interface Changed {
  readonly file: string
  readonly isTree: boolean
}

/** All that an operation is about to change. */
export function changedBy(name: string, args: readonly unknown[]): Changed[] {
  const isTree = isOfTree(name, args)
  const files = operations[name]!.changes!.map((at) => nameOf(pathOf(args[at])!))
  const leadingTo = files.map((file) => (onLinks.has(name) ? file : realPathOf(file)))
  const made = name === 'mkdir' && hasOptionIn(args)('recursive') ? foldersOf(files[0]!).filter((folder) => !isThere(folder)) : []
  return [...made.toReversed(), ...leadingTo].map((file) => ({ file, isTree }))
}

/** What is in a file once it is written, copied or moved, as a person reads it. */
function dataOf(name: string, args: readonly unknown[]): unknown {
  const [first, second] = args
  if (takesData.has(name)) return ArrayBuffer.isView(second) ? String(globalThis.Buffer.from(memoryOf(second))) : second
  if (name !== 'rename' && name !== 'copyFile') return undefined
  try {
    const from = pathOf(first)!
    const found = stat!(from)
    return found.isFile() && found.size <= mostShown ? read!(from, 'utf8') : undefined
  } catch {
    return undefined
  }
}

/** In bytes. */
const mostShown = 65_536

/** Looks of which the result depends on what a folder has in it, its time of change for instance. */
const listing: ReadonlySet<string> = new Set(['opendir', 'readdir', 'stat', 'lstat'])
/** Operations that take a file away from a folder, or put another in its place. */
const leaving: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink', 'rename'])

/** The one name of a file, whichever links lead to its folder: that of the folder is asked for as it was given, since `..` leads back from where a link leads to. */
export function nameOf(given: string): string {
  const whole = path!.isAbsolute(given) ? given : process.cwd() + path!.sep + given
  return path!.join(realPathOf(path!.dirname(whole)), path!.basename(whole))
}

export function realPathOf(file: string): string {
  try {
    return realPath!(file)
  } catch {
    const above = path!.dirname(file)
    return above === file ? file : path!.join(realPathOf(above), path!.basename(file))
  }
}

/** Operations on a link itself. All others go where it leads. */
const onLinks: ReadonlySet<string> = new Set(['lchown', 'lstat', 'lutimes', 'readlink', 'rename', 'rm', 'rmdir', 'symlink', 'unlink'])

/** All folders that a file is in, the nearest first. */
function foldersOf(file: string): string[] {
  const folders: string[] = []
  for (let folder = path!.dirname(file); folders.at(-1) !== folder; folder = path!.dirname(folder)) folders.push(folder)
  return folders
}

const ALL = resourceKey(undefined)

/** Tells what is looked at and changed, by the names of files. */
export class Files {
  readonly #execution: Execution
  readonly #site: SiteId
  readonly #files: ObjectId

  constructor(execution: Execution, site: SiteId) {
    this.#execution = execution
    this.#site = site
    execution.outside.look()
    this.#files = namedObject(execution, owner)
  }

  /** Where a name leads to, which whoever uses it looks at. */
  follow(file: string): string {
    const target = realPathOf(file)
    if (target !== file) this.lookAt(file, undefined)
    return target
  }

  lookAt(file: string, value: unknown): void {
    this.#find(file, value)
    const rows = rowsIn(file)
    this.#read(rows, timesDone(this.#execution, this.#files, resourceKey(rows)))
  }

  /** Which files a folder has. */
  list(folder: string): void {
    fileIsLookedAt(this.#execution, folder)
    this.#read(inside(folder), timesDone(this.#execution, this.#files, resourceKey(inside(folder))))
  }

  change(file: string, { comesOrGoes, value }: { readonly comesOrGoes: boolean; readonly value: unknown }): void {
    const { accesses } = this.#execution
    this.#read(undefined)
    for (const folder of foldersOf(file)) this.#read(folder)
    accesses.write(this.#files, resourceKey(file), this.#site, value)
    tellDone(this.#execution, this.#files, STATE, this.#site)
    if (comesOrGoes) tellDone(this.#execution, this.#files, resourceKey(inside(path!.dirname(file))), this.#site)
  }

  /** Looks at rows of a database, or changes some, which is told elsewhere: only who accesses the file itself minds. */
  accessRows(file: string, { changes }: { readonly changes: boolean }): void {
    this.#find(file)
    if (!changes) return
    tellDone(this.#execution, this.#files, resourceKey(rowsIn(file)), this.#site)
    tellDone(this.#execution, this.#files, STATE, this.#site)
  }

  lookAtAll(): void {
    fileIsLookedAt(this.#execution)
    const { accesses } = this.#execution
    this.#read(undefined)
    accesses.read(this.#files, STATE, this.#site, timesDone(this.#execution, this.#files, STATE))
  }

  changeAll(): void {
    const { accesses } = this.#execution
    accesses.write(this.#files, ALL, this.#site, undefined)
  }

  #find(file: string, value?: unknown): void {
    this.#read(undefined)
    this.#read(file, value)
    for (const folder of foldersOf(file)) this.#read(folder)
  }

  #read(key: string | undefined, value?: unknown): void {
    const { accesses } = this.#execution
    accesses.read(this.#files, resourceKey(key), this.#site, value)
  }
}

/** What a story calls them all. */
const owner = 'file'

/** All rows of the database that a file, or the log beside it, may be. */
const rowsIn = (file: string): string => `${file.replace(/-(?:journal|shm|wal)$/, '')} *`

const inside = (folder: string): string => path!.join(folder, '*')

/** Data as it is now: an operation that comes later does not look at what its caller has changed meanwhile. */
export function asGiven(arg: unknown): unknown {
  if (ArrayBuffer.isView(arg)) return globalThis.Buffer.from(memoryOf(arg))
  const isPlain = typeof arg === 'object' && arg !== null && !Array.isArray(arg) && Reflect.getPrototypeOf(arg) === Object.prototype
  return isPlain ? { ...arg } : arg
}
