import { Array, ArrayBuffer, Number, Object, Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import { running } from '../../execution/running.ts'
import { noticeView, writeBytes } from '../bytes.ts'
import type { CallPlatform, Fn, Handler } from '../handler.ts'
import { nameNew } from '../new-graphs.ts'
import { beforeChange } from '../telling.ts'
import { asGiven, fs } from './named-files.ts'
import { canBeOpened, isOpenFile, isOtherFile, opened, tellClose, tellOpen, tellUse, type Use } from './open-files.ts'
import { atOnce, callingBack, promisifiedTo, promising, usualResults, whereUsual, type Deed, type Invoke, type Results } from './work.ts'

/** Functions of `node:fs` that take a descriptor, and the one that makes it. */

type View = NodeJS.ArrayBufferView

const isView = (value: unknown): value is View => ArrayBuffer.isView(value)
const isIndex = (value: unknown): boolean => value === undefined || value === null || (Number.isInteger(value) && (value as number) >= 0)
const isPosition = (value: unknown): boolean => isIndex(value) || value === -1 || typeof value === 'bigint'
const isOptions = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !isView(value) && !Array.isArray(value)

/** Where an operation works: without a position it goes on where the last one ended. */
const goesOn = (position: unknown): boolean => typeof position !== 'bigint' && !(typeof position === 'number' && position >= 0)

// As they were before anybody has put something in their place.
const native = { ...fs } as typeof import('node:fs')

/** The part of a file to read, and where to put it. */
interface ToRead {
  readonly buffer: View
  readonly offset: number
  readonly length: number
  readonly position: unknown
}

/** In bytes. */
const usualBuffer = 16_384

/** `(buffer, offset, length, position)`, `(buffer, options)`, `(options)` or nothing; undefined where that is not what it is called with. */
export function toRead(args: readonly unknown[]): ToRead | undefined {
  const [first, second] = args
  const options = isOptions(first) ? first : isOptions(second) ? second : undefined
  const buffer = isView(first) ? first : options && 'buffer' in options ? options['buffer'] : globalThis.Buffer.alloc(usualBuffer)
  if (!isView(buffer) || (first !== undefined && first !== null && !isView(first) && !isOptions(first))) return undefined
  const [offset, length, position] = options ? [options['offset'], options['length'], options['position']] : args.slice(1)
  if (!isIndex(offset) || !isIndex(length) || !isPosition(position)) return undefined
  const start = (offset as number | undefined) ?? 0
  const count = (length as number | undefined) ?? buffer.byteLength - start
  return start + count > buffer.byteLength ? undefined : { buffer, offset: start, length: count, position }
}

/** A look at what is in a file, told with what it has found: also where it fails. */
function looking<T>(execution: Execution, { descriptor, moves, site }: { readonly descriptor: number; readonly moves: boolean; readonly site: SiteId }, look: () => T, valueOf: (found: T) => unknown): T {
  let value: unknown
  try {
    const found = look()
    value = valueOf(found)
    return found
  } finally {
    tellUse(execution, descriptor, { content: 'looks', moves }, site, value)
  }
}

/** Bytes, as a person reads them. */
const textOf = (view: View, start = 0, end = view.byteLength): string => globalThis.Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('utf8', start, end)

/** The part of what is given that is written. */
function textToWrite([data, second, length]: readonly unknown[]): string {
  if (!isView(data)) return String(data)
  const [offset, count] = isOptions(second) ? [second['offset'], second['length']] : [second, length]
  const start = (offset as number | undefined) ?? 0
  return textOf(data, start, start + ((count as number | undefined) ?? data.byteLength - start))
}

export function readInto(execution: Execution, descriptor: number, { buffer, offset, length, position }: ToRead, site: SiteId): number {
  if (!execution.identities.has(buffer)) nameNew(execution, buffer)
  beforeChange(execution, buffer)
  const read = (): number => native.readSync(descriptor, buffer, offset, length, (position ?? null) as number | null)
  const count = looking(execution, { descriptor, moves: goesOn(position), site }, read, (found) => textOf(buffer, offset, offset + found))
  noticeView(execution, buffer)
  writeBytes(execution, buffer, site, { start: offset, end: offset + count })
  return count
}

export function readIntoAll(execution: Execution, descriptor: number, [buffers, position]: readonly unknown[], site: SiteId): number {
  for (const buffer of buffers as View[]) beforeChange(execution, buffer)
  const read = (): number => native.readvSync(descriptor, buffers as View[], (position ?? undefined) as number | undefined)
  const count = looking(execution, { descriptor, moves: goesOn(position), site }, read, () => undefined)
  for (const buffer of buffers as View[]) writeBytes(execution, buffer, site)
  return count
}

const isData = (value: unknown): boolean => typeof value === 'string' || isView(value)
export const areViews = (value: unknown): boolean => Array.isArray(value) && value.every(isView)

/** Whether these are data and where to put it, as `write` takes them. */
export function isToWrite([data, second, length, position]: readonly unknown[]): boolean {
  if (typeof data === 'string') return isPosition(second) && (length === undefined || length === null || typeof length === 'string')
  if (!isView(data)) return false
  const options = isOptions(second) ? second : undefined
  const [offset, count, at] = options ? [options['offset'], options['length'], options['position']] : [second, length, position]
  const start = (offset as number | undefined) ?? 0
  return isIndex(offset) && isIndex(count) && isPosition(at) && start + ((count as number | undefined) ?? data.byteLength - start) <= data.byteLength
}

function positionOf([data, second, , position]: readonly unknown[]): unknown {
  if (typeof data === 'string') return second
  return isOptions(second) ? second['position'] : position
}

export function writeFrom(execution: Execution, descriptor: number, args: readonly unknown[], site: SiteId): number {
  tellUse(execution, descriptor, { content: 'changes', moves: goesOn(positionOf(args)) }, site, textToWrite(args))
  return Reflect.apply(native.writeSync, fs, [descriptor, ...args]) as number
}

export function writeFromAll(execution: Execution, descriptor: number, [buffers, position]: readonly unknown[], site: SiteId): number {
  tellUse(execution, descriptor, { content: 'changes', moves: goesOn(position) }, site, (buffers as View[]).map((view) => textOf(view)).join(''))
  return native.writevSync(descriptor, buffers as View[], (position ?? undefined) as number | undefined)
}

/** What else is done to an open file: by the name of the function, without `Sync`. */
const others: Readonly<Record<string, Use>> = {
  fstat: { content: 'looks' },
  fsync: { content: 'nothing' },
  fdatasync: { content: 'nothing' },
  ftruncate: { content: 'changes' },
  fchmod: { content: 'changes' },
  fchown: { content: 'changes' },
  futimes: { content: 'changes' },
}

/** Of a whole file, that are called with a descriptor in the place of a path. */
const ofWhole: Readonly<Record<string, Use>> = {
  readFile: { content: 'looks', moves: true },
  writeFile: { content: 'changes', moves: true },
  appendFile: { content: 'changes', moves: true },
}

export function useBy(execution: Execution, name: string, args: readonly unknown[], site: SiteId): unknown {
  const descriptor = args[0] as number
  const use = (others[name] ?? ofWhole[name])!
  const run = (): unknown => Reflect.apply(Reflect.get(native, `${name}Sync`) as Fn, fs, args)
  if (use.content !== 'looks') tellUse(execution, descriptor, use, site, name in ofWhole ? args[1] : undefined)
  const result = use.content === 'looks' ? looking(execution, { descriptor, moves: use.moves === true, site }, run, (found) => (name in ofWhole ? found : undefined)) : run()
  nameNew(execution, result)
  return result
}

export function openAt(execution: Execution, args: readonly unknown[], site: SiteId): number {
  tellOpen(execution, args, site)
  const descriptor = Reflect.apply(native.openSync, fs, args) as number
  opened(execution, args[0], descriptor)
  return descriptor
}

export function closeNumber(execution: Execution, descriptor: number, site: SiteId): void {
  tellClose(execution, descriptor, site)
  native.closeSync(descriptor)
}

interface Called {
  readonly name: string
  readonly deed: Deed
  /** Of the arguments after the descriptor; of one that takes none, of all. */
  readonly accepts: (args: readonly unknown[]) => boolean
  readonly resultsOf?: Results
  readonly keep?: (arg: unknown) => unknown
}

/** `callback(error, count, data)` */
const withData: Results = ({ error, value }, args) => (error === undefined ? [null, value, args[1]] : [error])
export const asItIs = (arg: unknown): unknown => arg
/** The array as it is now, with what is in it. */
export const withViews = (arg: unknown): unknown => (Array.isArray(arg) ? arg.map(asGiven) : asGiven(arg))

const functions: readonly Called[] = [
  { name: 'read', deed: (execution, [descriptor, ...args], site) => readInto(execution, descriptor as number, toRead(args)!, site), accepts: (args) => isView(args[0]) && toRead(args) !== undefined, resultsOf: withData, keep: asItIs },
  { name: 'readv', deed: (execution, [descriptor, ...args], site) => readIntoAll(execution, descriptor as number, args, site), accepts: ([buffers, position]) => areViews(buffers) && isPosition(position), resultsOf: withData, keep: asItIs },
  { name: 'write', deed: (execution, [descriptor, ...args], site) => writeFrom(execution, descriptor as number, args, site), accepts: isToWrite, resultsOf: withData },
  { name: 'writev', deed: (execution, [descriptor, ...args], site) => writeFromAll(execution, descriptor as number, args, site), accepts: ([buffers, position]) => areViews(buffers) && isPosition(position), resultsOf: withData, keep: withViews },
  { name: 'close', deed: (execution, [descriptor], site) => closeNumber(execution, descriptor as number, site), accepts: () => true },
  ...Object.keys(others).map((name): Called => ({ name, deed: (execution, args, site) => useBy(execution, name, args, site), accepts: () => true })),
  ...Object.keys(ofWhole).map((name): Called => ({ name, deed: (execution, args, site) => useBy(execution, name, args, site), accepts: ([data]) => name === 'readFile' || isData(data) })),
]

const isFile = (descriptor: unknown): boolean => (running !== null && isOpenFile(running, descriptor)) || isOtherFile(descriptor)

/** What is in no table, or was put there for paths, does what else these functions are called with. */
export function descriptorHandlers(invoke: Invoke, otherwise: (fn: Fn) => CallPlatform): readonly (readonly [Fn, Handler])[] {
  if (!fs) return []
  const handlers: (readonly [Fn, Handler])[] = []
  const add = (name: string, deed: Deed, accepts: (args: readonly unknown[]) => boolean, { resultsOf = usualResults, keep = asGiven }: Partial<Pick<Called, 'resultsOf' | 'keep'>> = {}): void => {
    const [sync, later] = [Reflect.get(fs, `${name}Sync`) as Fn, Reflect.get(fs, name) as Fn]
    handlers.push(
      ...whereUsual(sync, otherwise(sync), accepts, atOnce(deed)),
      ...whereUsual(later, otherwise(later), (args) => typeof args.at(-1) === 'function' && accepts(args.slice(0, -1)), callingBack(deed, invoke, { resultsOf, keep })),
      ...promisifiedHandlers(later, { name, deed, accepts, keep }, otherwise),
    )
  }
  add('open', openAt, canBeOpened)
  for (const { name, deed, accepts, ...how } of functions) add(name, deed, ([descriptor, ...args]) => isFile(descriptor) && accepts(args), how)
  return handlers
}

const nativePromisify = globalThis.process?.getBuiltinModule?.('node:util').promisify

/** `promisify(fs.read)`: what it gives is one function, which is known. */
function promisifiedHandlers(later: Fn, { name, deed, accepts, keep }: Called, otherwise: (fn: Fn) => CallPlatform): readonly (readonly [Fn, Handler])[] {
  // Of those that take paths as well there is one already.
  if (name in ofWhole) return []
  const promised = nativePromisify!(later) as Fn
  promisifiedTo(later, promised)
  const resultOf = countedBy(name)
  return whereUsual(promised, otherwise(promised), accepts, promising(deed, { ...(keep && { keep }), ...(resultOf && { resultOf: (value, args) => resultOf(value, args[1]) }) }))
}

const counted: Readonly<Record<string, readonly [string, string]>> = {
  read: ['bytesRead', 'buffer'],
  readv: ['bytesRead', 'buffers'],
  write: ['bytesWritten', 'buffer'],
  writev: ['bytesWritten', 'buffers'],
}

/** What a promise is fulfilled with where a callback gets a count and the data. */
export function countedBy(name: string): ((count: unknown, data: unknown) => object) | undefined {
  const names = counted[name]
  return names && ((count, data) => ({ [names[0]]: count, [names[1]]: data }))
}
