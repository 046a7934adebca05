import { ArrayBuffer, Math } from '../../engine/intrinsics.ts'
import { bufferOf, offsetOf, widthOf } from '../execution/brands.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import { namePermanently } from '../execution/permanent-names.ts'
import { byte, indexOf, ORDER } from '../execution/keys.ts'
import type { NumberInBytes } from '../execution/recording.ts'
import { isGivenSince, mayBePooled } from '../execution/pools.ts'
import type { Range } from './elements.ts'

/**
 * What is accessed of an ArrayBuffer and of the views over it: bytes, whichever view shows them.
 *
 * Node cuts small Buffers out of one pool. Two of them share nothing but the pool, and where in it they come to stand depends
 * on what ran before: bytes of such a Buffer are counted from its start and have its name, for every view over them. Of Buffers that the
 * platform made meanwhile, such as the chunks of a stream, nobody knows where they start: their bytes are merged. So are those of a block
 * of a buffer of more than a few kilobytes, and all of a huge one, such as the memory of a WebAssembly program, which opaque code gets into its hands as a whole.
 */
export type Bytes = ArrayBufferView | ArrayBufferLike

interface Slice extends Range {
  readonly id: ObjectId
}

/** The Buffers that an execution made in a pool. */
interface Pool {
  execution: Execution | undefined
  slices: Slice[]
}

const pools = new WeakMap<ArrayBufferLike, Pool>()
const SharedBuffer = globalThis.SharedArrayBuffer as typeof SharedArrayBuffer | undefined

/** Parts of Buffers that are older than the execution: no slices of their own. */
const parts = new WeakSet()

/** Runs nothing of the user's, where the platform tells. */
const isAnyBuffer: (value: unknown) => boolean =
  globalThis.process?.getBuiltinModule?.('node:util')?.types.isAnyArrayBuffer ??
  ((value) => value instanceof globalThis.ArrayBuffer || (SharedBuffer !== undefined && value instanceof SharedBuffer))

export function isBuffer(value: unknown): value is ArrayBufferLike {
  return isAnyBuffer(value)
}

export function isBytes(value: unknown): value is Bytes {
  return ArrayBuffer.isView(value) || isBuffer(value)
}

/** A new view that shows bytes of another. */
export function isPartOf(execution: Execution, part: ArrayBufferView, whole: ArrayBufferView): void {
  const pool = poolOf(execution, whole)
  if (pool && !sliceAt(pool, offsetOf(whole))) parts.add(part)
}

/** To be called for each new view: a slice of a pool is known from its start. */
export function noticeView(execution: Execution, view: ArrayBufferView): void {
  poolOf(execution, view)
}

/** What the platform has made, such as a chunk that has come or that a stream has made of text: only who takes it gets it. */
export function nameChunk(execution: Execution, chunk: unknown): void {
  if (!ArrayBuffer.isView(chunk)) return
  execution.identities.made(chunk)
  noticeView(execution, chunk)
}

/** Tells of a look at bytes, counted from the start of the view or buffer; all of them if no range is given. */
export function readBytes(execution: Execution, bytes: Bytes, site: SiteId, range?: Range): void {
  lookAtSize(execution, bytes, site)
  each(execution, bytes, range, told(execution, bytes, range, (id, offset, value) => execution.accesses.read(id, byte(offset), site, value)))
}

/** Tells of a change of bytes that was made. */
export function writeBytes(execution: Execution, bytes: Bytes, site: SiteId, range?: Range): void {
  lookAtSize(execution, bytes, site)
  each(execution, bytes, range, told(execution, bytes, range, (id, offset, value) => execution.accesses.write(id, byte(offset), site, value)))
}

/** Accesses bytes that are a number to a reader, who is told that in place of each. */
export function asNumber({ recorder, identities }: Execution, view: Bytes, { key, value }: { readonly key: NumberInBytes['key']; readonly value: () => unknown }, access: () => void): void {
  if (recorder) recorder.accessesNumber({ view: identities.of(view), key, value: value() }, access)
  else access()
}

/** Where the location ends that a byte belongs to; both counted from the start of the view or buffer. */
export function endOfLocation(bytes: Bytes, index: number): number {
  const block = blockOf(bufferUnder(bytes))
  const first = ArrayBuffer.isView(bytes) ? offsetOf(bytes) : 0
  return index + block - ((first + index) % block)
}

/** Looks at how many bytes there are: a buffer can be resized, and lose all of them. */
export function lookAtSize(execution: Execution, bytes: Bytes, site: SiteId): void {
  const buffer = bufferUnder(bytes)
  if (!poolOf(execution, bytes)) execution.accesses.read(nameOf(execution, bytes), ORDER, site, buffer.byteLength, 'size')
}

/** The size of a buffer changed. */
export function changeSize(execution: Execution, buffer: ArrayBufferLike, site: SiteId): void {
  execution.accesses.write(execution.identities.of(buffer), ORDER, site, buffer.byteLength)
}

/** Names of properties that say where and how long a view is, and whether a buffer has been taken away. */
export function isExtent(name: PropertyKey): boolean {
  return name === 'length' || name === 'byteLength' || name === 'byteOffset' || name === 'detached'
}

/** Whether a property of this name can be about bytes: most are not. */
export function mayBeOfBytes(name: PropertyKey): boolean {
  return isExtent(name) || indexOf(name) >= 0
}

/** The bytes of an element of a typed array; none where there is no such element; undefined for other properties. */
export function bytesOf(bytes: Bytes, name: PropertyKey): Range | undefined {
  const index = indexOf(name)
  const size = (bytes as Partial<Uint8Array>).BYTES_PER_ELEMENT
  if (index < 0 || size === undefined) return undefined
  return { start: index * size, end: Math.min((index + 1) * size, sizeOf(bytes)) }
}

/** Saves what a change would destroy, where the memory may be older than the execution. */
export function saveBytes(execution: Execution, bytes: Bytes): void {
  const pool = poolOf(execution, bytes)
  if (pool && ArrayBuffer.isView(bytes)) {
    if (!sliceAt(pool, offsetOf(bytes))) execution.journal.contents(bytes, { isOlder: true })
    return
  }
  const buffer = bufferUnder(bytes)
  nameOf(execution, bytes)
  const age = execution.identities.age(buffer)
  if (age !== 'of this execution') execution.journal.contents(buffer, { isOlder: age === 'older' })
}

/** `value` is undefined where the location is a block of bytes; `position` counts from the start of the buffer. */
type Visit = (id: ObjectId, offset: number, value: number | undefined, position: number) => void

/** A reader is told of elements, where it is a typed array; of a block that it is of this, unless only one element is accessed. */
function told(execution: Execution, bytes: Bytes, range: Range | undefined, visit: Visit): Visit {
  const size = (bytes as Partial<Uint8Array>).BYTES_PER_ELEMENT
  if (!execution.recorder || size === undefined) return visit
  const first = offsetOf(bytes as ArrayBufferView)
  const only = range && range.end - range.start === size ? range.start / size : undefined
  return (id, offset, value, position) => {
    const index = only ?? Math.floor((position - first) / size)
    const access = (): void => visit(id, offset, value, position)
    if (value === undefined && only === undefined) asNumber(execution, bytes, { key: { kind: 'state' }, value: () => bytes }, access)
    else asNumber(execution, bytes, { key: { kind: 'element', index }, value: () => (bytes as Uint8Array)[index] }, access)
  }
}

/** In bytes. */
const small = 2 ** 13
const large = 2 ** 20
const huge = 2 ** 24

/** In how many locations a buffer between small and large is divided, at most: who reads or writes it, such as a stream, does so as a whole. */
const mostBlocks = 2 ** 10

/** How many bytes are one location: as long as there is the buffer. */
function blockOf(buffer: ArrayBufferLike): number {
  if (pools.has(buffer)) return 1
  const size = mostBytesOf(buffer)
  if (size <= small) return 1
  if (size <= large) return 2 ** Math.ceil(Math.log2(size / mostBlocks))
  return size <= huge ? 2 ** 18 : 2 ** 53
}

/** How large a buffer can become. */
function mostBytesOf(buffer: ArrayBufferLike): number {
  const { resizable, growable, maxByteLength } = buffer as { readonly resizable?: boolean; readonly growable?: boolean; readonly maxByteLength?: number }
  return (resizable ?? growable) ? maxByteLength! : buffer.byteLength
}

/** In bytes; 0 of what has lost them. */
export function sizeOf(bytes: Bytes): number {
  return ArrayBuffer.isView(bytes) ? widthOf(bytes) : bytes.byteLength
}

/** Whether it takes too long to compare all of its memory after each call of opaque code. */
export function isHuge(bytes: Bytes): boolean {
  return bufferUnder(bytes).byteLength > huge
}

function each(execution: Execution, bytes: Bytes, range: Range | undefined, visit: Visit): void {
  const buffer = bufferUnder(bytes)
  // What has lost its bytes does not say where it begins.
  if (buffer.byteLength === 0) return
  const first = ArrayBuffer.isView(bytes) ? offsetOf(bytes) : 0
  const start = first + Math.max(0, range?.start ?? 0)
  const end = Math.min(first + (range?.end ?? Infinity), first + sizeOf(bytes))
  if (start >= end) return
  const id = nameOf(execution, bytes)
  const block = blockOf(buffer)
  if (block > 1) {
    for (let i = start - (start % block); i < end; i += block) visit(id, i, undefined, i)
    return
  }
  const values = new Uint8Array(buffer)
  const pool = poolOf(execution, bytes)
  let hasMerged = false
  for (let i = start; i < end; i++) {
    const slice = pool && sliceAt(pool, i)
    if (slice) visit(slice.id, i - slice.start, values[i]!, i)
    else if (!pool || !isGivenSince(buffer, i)) visit(id, i, values[i]!, i)
    else if (!hasMerged) {
      hasMerged = true
      visit(execution.identities.named('Buffers of the platform'), 0, 0, i)
    }
  }
}

function bufferUnder(bytes: Bytes): ArrayBufferLike {
  return ArrayBuffer.isView(bytes) ? bufferOf(bytes) : bytes
}

/** The name of the memory as a whole. */
function nameOf(execution: Execution, bytes: Bytes): ObjectId {
  const { identities } = execution
  if (!ArrayBuffer.isView(bytes)) return identities.of(bytes)
  const buffer = bufferUnder(bytes)
  if (pools.has(buffer)) return identities.of(buffer)
  identities.derive(buffer, `buffer of ${identities.of(bytes)}`)
  return identities.of(buffer)
}

/** The pool in which a Buffer stands, with the slices of this execution, of which it is one if it was made now. */
function poolOf(execution: Execution, bytes: Bytes): Pool | undefined {
  const buffer = bufferUnder(bytes)
  let pool = pools.get(buffer)
  if (!pool) {
    if (!isPool(execution, bytes, buffer)) return undefined
    namePermanently(buffer, 0)
    pools.set(buffer, (pool = { execution: undefined, slices: [] }))
  }
  if (pool.execution !== execution) {
    pool.execution = execution
    pool.slices = []
  }
  if (ArrayBuffer.isView(bytes)) addSlice(execution, pool, bytes)
  return pool
}

function isPool(execution: Execution, bytes: Bytes, buffer: ArrayBufferLike): boolean {
  return ArrayBuffer.isView(bytes) && mayBePooled(bytes) && !execution.identities.isOwn(buffer)
}

function addSlice(execution: Execution, pool: Pool, view: ArrayBufferView): void {
  if (!mayBePooled(view) || widthOf(view) === 0 || parts.has(view) || sliceAt(pool, offsetOf(view))) return
  if (execution.identities.age(view) !== 'of this execution') return
  pool.slices.push({ id: execution.identities.of(view), start: offsetOf(view), end: offsetOf(view) + widthOf(view) })
}

/** The last ones are the likely ones. */
function sliceAt(pool: Pool, offset: number): Slice | undefined {
  return pool.slices.findLast(({ start, end }) => start <= offset && offset < end)
}
