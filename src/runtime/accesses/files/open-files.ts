import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import type { ObjectId } from '../../execution/identity.ts'
import { STATE } from '../../execution/keys.ts'
import { PerExecution } from '../../execution/per-execution.ts'
import { fileIsLookedAt, isLogThere, keepFile } from './put-back.ts'
import { Files, fs, isThere, nameOf, pathOf } from './named-files.ts'

/**
 * Files that are open. What is done through a descriptor is done to the file that it was opened for, whatever that is called by now. The
 * descriptor is a location of its own: to close it changes it, and so does what moves its position.
 */
interface OpenFile {
  /** What the file is called, and was. */
  readonly files: string[]
  readonly descriptor: ObjectId
  readonly close: () => void
}

/** What an operation does to an open file. */
export interface Use {
  readonly content: 'nothing' | 'looks' | 'changes'
  /** It goes on where the last one ended. */
  readonly moves?: boolean
}

class OpenFiles {
  readonly #byNumber = new Map<number, OpenFile>()

  add(descriptor: number, file: OpenFile): void {
    this.#byNumber.set(descriptor, file)
  }

  get(descriptor: number): OpenFile | undefined {
    return this.#byNumber.get(descriptor)
  }

  remove(descriptor: number): void {
    this.#byNumber.delete(descriptor)
  }

  moved(from: string, to: string): void {
    for (const { files } of this.#byNumber.values()) if (files.includes(from)) files.push(to)
  }

  /** Nobody else closes what is still open. */
  closeAll(): void {
    for (const { close } of this.#byNumber.values()) close()
    this.#byNumber.clear()
  }
}

const openFiles = new PerExecution((execution) => {
  const open = new OpenFiles()
  execution.whenAbandoned(() => open.closeAll())
  return open
})

const closeNumber = fs?.closeSync
const statNumber = fs?.fstatSync

/** A file at this path was opened as this descriptor. */
export function opened(execution: Execution, path: unknown, descriptor: number, close = (): void => closeQuietly(descriptor)): void {
  const id = execution.identities.fresh()
  const file = new Files(execution, 0).follow(nameOf(pathOf(path)!))
  execution.recorder?.owners.tell(id, () => 'file')
  openFiles.of(execution).add(descriptor, { files: [file], descriptor: id, close })
}

function closeQuietly(descriptor: number): void {
  try {
    closeNumber!(descriptor)
  } catch {
    // Somebody has closed it whose calls are not seen.
  }
}

/** A file is about to get another name. To be called when it has it. */
export function fileMoves(execution: Execution, [from, to]: readonly unknown[]): () => void {
  const [before, after] = [nameOf(pathOf(from)!), nameOf(pathOf(to)!)]
  return () => openFiles.known(execution)?.moved(before, after)
}

/** Whether what the descriptor stands for is a file, and is known. What else may be read waits for somebody to write. */
export function isOpenFile(execution: Execution, descriptor: unknown): descriptor is number {
  return typeof descriptor === 'number' && openFiles.known(execution)?.get(descriptor) !== undefined
}

/** The lowest numbers stand for what every program has open. */
const firstOfProgram = 3

/** Whether it stands for a file that was opened by who is not seen, or before the execution. */
export function isOtherFile(descriptor: unknown): descriptor is number {
  if (typeof descriptor !== 'number' || descriptor < firstOfProgram) return false
  try {
    return statNumber!(descriptor).isFile()
  } catch {
    return false
  }
}

/** Tells what is done through a descriptor; `value` is what was found there, or is put there. */
export function tellUse(execution: Execution, descriptor: number, { content, moves = false }: Use, site: SiteId, value?: unknown): void {
  const files = new Files(execution, site)
  const open = openFiles.known(execution)?.get(descriptor)
  if (!open) return content === 'changes' || moves ? files.changeAll() : files.lookAtAll()
  const { accesses } = execution
  if (moves) accesses.write(open.descriptor, STATE, site, undefined)
  else accesses.read(open.descriptor, STATE, site, undefined)
  if (content === 'nothing') return
  for (const file of open.files) {
    if (content === 'looks') {
      files.lookAt(file, value)
      fileIsLookedAt(execution, file)
    }
    if (content === 'changes') files.change(file, { comesOrGoes: false, value })
  }
}

/** Tells that a descriptor is closed: nothing can be done through it any more. */
export function tellClose(execution: Execution, descriptor: number, site: SiteId): void {
  tellUse(execution, descriptor, { content: 'nothing', moves: true }, site)
  openFiles.known(execution)?.remove(descriptor)
}

interface Flags {
  readonly creates: boolean
  readonly truncates: boolean
  readonly writes: boolean
  readonly appends: boolean
}

const { O_CREAT = 0, O_TRUNC = 0, O_WRONLY = 0, O_RDWR = 0, O_APPEND = 0 } = fs?.constants ?? {}

function flagsOf(flags: unknown): Flags {
  if (typeof flags === 'number') return { creates: (flags & O_CREAT) !== 0, truncates: (flags & O_TRUNC) !== 0, writes: (flags & (O_WRONLY | O_RDWR)) !== 0, appends: (flags & O_APPEND) !== 0 }
  const text = typeof flags === 'string' ? flags : 'r'
  return { creates: /[wa]/.test(text), truncates: text.includes('w'), writes: /[wa+]/.test(text), appends: text.includes('a') }
}

/** Tells what it means to open a file. */
export function tellOpen(execution: Execution, [path, flags]: readonly unknown[], site: SiteId): void {
  const files = new Files(execution, site)
  const file = files.follow(nameOf(pathOf(path)!))
  const { creates, truncates, writes, appends } = flagsOf(flags)
  const comes = creates && !(appends ? isLogThere(execution, file) : isThere(file))
  if (writes) keepFile(execution, file, { isLonger: appends })
  if (!appends) fileIsLookedAt(execution, file)
  if (comes || truncates) files.change(file, { comesOrGoes: comes, value: truncates ? '' : undefined })
  else files.lookAt(file, undefined)
}

const stat = fs?.statSync

/** Whether to open it is done at once: it is a file or a folder, or there is nothing yet. */
export function canBeOpened([path, flags]: readonly unknown[]): boolean {
  if (pathOf(path) === undefined || !['string', 'number', 'undefined'].includes(typeof (flags ?? undefined))) return false
  const found = stat!(path as string, { throwIfNoEntry: false })
  return found === undefined || found.isFile() || found.isDirectory()
}
