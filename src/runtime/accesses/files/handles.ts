import { ArrayBuffer, Object, Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import { noop } from '../../execution/native.ts'
import { running } from '../../execution/running.ts'
import { nameNew } from '../new-graphs.ts'
import type { CallPlatform, Fn, Handler } from '../handler.ts'
import { register } from '../registry.ts'
import { areViews, asItIs, countedBy, isToWrite, readInto, readIntoAll, toRead, useBy, withViews, writeFrom, writeFromAll } from './descriptor-calls.ts'
import { asGiven, fs } from './named-files.ts'
import { canBeOpened, isOpenFile, opened, tellClose, tellOpen, tellUse, type Use } from './open-files.ts'
import { answeredLater, promising, promisingLater, whereUsual, type Deed } from './work.ts'

/** What `fs.promises.open` gives: its methods do what functions that take its descriptor do. */
interface FileHandle {
  readonly fd: number
  close: () => Promise<void>
}

// As it was before anybody has put something in its place.
const openHandle = fs?.promises.open

/** A method, as what is done through a descriptor. */
interface Method {
  readonly deed: (execution: Execution, descriptor: number, args: unknown[], site: SiteId) => unknown
  readonly accepts: (args: readonly unknown[]) => boolean
  readonly resultOf?: (value: unknown, args: readonly unknown[]) => object
  readonly keep?: (arg: unknown) => unknown
}

const always = (): boolean => true
const like = (name: string): Method['deed'] => (execution, descriptor, args, site) => useBy(execution, name, [descriptor, ...args], site)
const isText = ([data]: readonly unknown[]): boolean => typeof data === 'string' || ArrayBuffer.isView(data)
const ofData = (name: string): NonNullable<Method['resultOf']> => (count, [data]) => countedBy(name)!(count, data)

/** The part to read, with a buffer that is made when it is asked for where none is given. */
const asToRead = (args: readonly unknown[]): unknown[] => {
  const { buffer, offset, length, position } = toRead(args)!
  return [buffer, offset, length, position]
}

const methods: Readonly<Record<string, Method>> = {
  read: { deed: (execution, descriptor, args, site) => readInto(execution, descriptor, toRead(args)!, site), accepts: (args) => toRead(args) !== undefined, resultOf: ofData('read'), keep: asItIs },
  readv: { deed: readIntoAll, accepts: ([buffers]) => areViews(buffers), resultOf: ofData('readv'), keep: asItIs },
  write: { deed: writeFrom, accepts: isToWrite, resultOf: ofData('write') },
  writev: { deed: writeFromAll, accepts: ([buffers]) => areViews(buffers), resultOf: ofData('writev'), keep: withViews },
  readFile: { deed: like('readFile'), accepts: always },
  writeFile: { deed: like('writeFile'), accepts: isText },
  appendFile: { deed: like('appendFile'), accepts: isText },
  stat: { deed: like('fstat'), accepts: always },
  truncate: { deed: like('ftruncate'), accepts: always },
  sync: { deed: like('fsync'), accepts: always },
  datasync: { deed: like('fdatasync'), accepts: always },
  chmod: { deed: like('fchmod'), accepts: always },
  chown: { deed: like('fchown'), accepts: always },
  utimes: { deed: like('futimes'), accepts: always },
}

/** What goes on with the file by itself: only that it is asked for is seen. */
const goingOn: Readonly<Record<string, Use>> = {
  createReadStream: { content: 'looks', moves: true },
  readLines: { content: 'looks', moves: true },
  readableWebStream: { content: 'looks', moves: true },
  createWriteStream: { content: 'changes', moves: true },
}

const isHandle = (value: unknown): value is FileHandle => typeof value === 'object' && value !== null && typeof (value as Partial<FileHandle>).fd === 'number'

/** What is under way with a file that is open: Node closes it when that is over. */
interface Open {
  pending: number
  /** It was asked to be closed: closes it, when nothing is under way. */
  close?: () => void
}

const openHandles = new WeakMap<FileHandle, Open>()

function handlerOf(native: Fn, { deed, accepts, resultOf, keep }: Method, otherwise: CallPlatform): Handler {
  return (execution, receiver, args, site) => {
    if (!isHandle(receiver) || !isOpenFile(execution, receiver.fd) || !accepts(args)) return otherwise(execution, native, receiver, args, site)
    const descriptor = receiver.fd
    const open = openHandles.get(receiver)!
    open.pending++
    const done: Deed = (_, given) => {
      try {
        return deed(execution, descriptor, given, site)
      } finally {
        if (--open.pending === 0) open.close?.()
      }
    }
    const asked = native.name === 'read' ? asToRead(args) : args
    return promising(done, { keep: keep ?? asGiven, ...(resultOf && { resultOf }) })(execution, native, asked, site)
  }
}

function goingOnHandler(native: Fn, use: Use, otherwise: CallPlatform): Handler {
  return (execution, receiver, args, site) => {
    if (isHandle(receiver) && isOpenFile(execution, receiver.fd)) tellUse(execution, receiver.fd, use, site)
    return otherwise(execution, native, receiver, args, site)
  }
}

const known = new WeakSet<object>()

/** Its class is known from the first one only. */
function knowMethods(handle: FileHandle, otherwise: CallPlatform): void {
  const prototype = Reflect.getPrototypeOf(handle)!
  if (known.has(prototype)) return
  known.add(prototype)
  for (const [name, method] of Object.entries(methods)) {
    const native = Reflect.get(prototype, name) as Fn | undefined
    if (native) register([[native, handlerOf(native, method, otherwise)]])
  }
  for (const [name, use] of Object.entries(goingOn)) {
    const native = Reflect.get(prototype, name) as Fn | undefined
    if (native) register([[native, goingOnHandler(native, use, otherwise)]])
  }
}

/** Each has a function of its own that closes it; Node's is returned. */
function tellsWhenClosed(handle: FileHandle): () => Promise<void> {
  const { close: native, fd } = handle
  const open: Open = { pending: 0 }
  openHandles.set(handle, open)
  let closing: unknown
  const told = function close(): unknown {
    // The text by which functions are known whose code tells what it does.
    '__dpor'
    const execution = running
    if (execution === null || handle.fd === -1) return native()
    return (closing ??= closedIn(execution))
  }
  function closedIn(execution: Execution): unknown {
    const site = execution.here
    let asked: Promise<void> | undefined
    const { promise, wake } = answeredLater(execution, { name: 'close', site }, () => asked!)
    open.close = () => {
      delete open.close
      tellClose(execution, fd, site)
      asked = native()
      wake()
    }
    if (open.pending === 0) open.close()
    return promise
  }
  handle.close = told as () => Promise<void>
  return native
}

export function handleHandlers(otherwise: CallPlatform): readonly (readonly [Fn, Handler])[] {
  const ask = (execution: Execution, args: unknown[], site: SiteId): Promise<unknown> => {
    tellOpen(execution, args, site)
    return Reflect.apply(openHandle!, fs!.promises, args as Parameters<NonNullable<typeof openHandle>>)
  }
  const taken = (execution: Execution, value: unknown, [path]: readonly unknown[]): void => {
    const handle = value as FileHandle
    nameNew(execution, handle, { depth: 1 })
    knowMethods(handle, otherwise)
    const close = tellsWhenClosed(handle)
    opened(execution, path, handle.fd, () => void close().catch(noop))
  }
  return whereUsual(openHandle, otherwise, canBeOpened, promisingLater(ask, taken))
}
