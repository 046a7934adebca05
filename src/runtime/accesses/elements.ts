import { Math } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import type { Extent } from '../execution/extents.ts'
import { element, ORDER, property } from '../execution/keys.ts'
import { elementAt, indicesOf, isVast } from './unusual-arrays.ts'

/**
 * What is accessed of an array.
 *
 * Its first elements, as many as the array has had all the time, are locations of their own. Which value stands behind them
 * depends on what was appended and taken away before: whoever touches an element there looks at ORDER as well, so that
 * changes of ORDER need not name these elements. An index that is written there may make the array longer; such writes to
 * different indices commute, whichever comes first, and therefore have a location apart: LENGTH.
 */
const LENGTH = property('length')

/** To be called before a change. */
function extentOf(execution: Execution, array: readonly unknown[]): Extent {
  const extent = execution.extents.of(array)
  if (!extent.isSettled) {
    extent.length = isVast(array) ? 0 : array.length
    extent.isSettled = !execution.identities.isOfRunningStep(execution.identities.of(array))
  }
  return extent
}

/** How many of its first elements are locations of their own. */
export function knownLength(execution: Execution, array: readonly unknown[]): number {
  return extentOf(execution, array).length
}

/** Looks at how many elements there are. */
export function lookAtLength(execution: Execution, array: readonly unknown[], site: SiteId): void {
  extentOf(execution, array)
  const id = execution.identities.of(array)
  execution.accesses.read(id, ORDER, site, array.length, 'size')
  execution.accesses.read(id, LENGTH, site, array.length, 'size')
}

/** Looks at how many elements there are, and at what their order decides. */
export function lookAtOrder(execution: Execution, array: readonly unknown[], site: SiteId): void {
  extentOf(execution, array)
  const id = execution.identities.of(array)
  execution.accesses.read(id, ORDER, site, array.length, 'order')
  execution.accesses.read(id, LENGTH, site, array.length, 'size')
}

/** Looks at an element, or at where there is none. */
export function readElement(execution: Execution, array: readonly unknown[], index: number, site: SiteId, value: unknown): void {
  const id = execution.identities.of(array)
  // What makes the array shorter writes the element, so what follows depends on what was found.
  execution.accesses.read(id, element(index), site, value)
  if (index >= extentOf(execution, array).length) execution.accesses.read(id, ORDER, site, array.length, 'order')
}

/** Elements from one up to another, which is not among them. */
export interface Range {
  readonly start: number
  readonly end: number
  /** What is there comes to stand at other indices. */
  readonly isMoved?: boolean
  /** They are gone through from the last to the first. */
  readonly isBackward?: boolean
}

export const everything: Range = { start: 0, end: Infinity }
export const nothing: Range = { start: 0, end: 0 }
export const moved: Range = { start: 0, end: Infinity, isMoved: true }

/** Looks at the length, and at these elements. */
export function readElements(execution: Execution, array: readonly unknown[], site: SiteId, { start, end, isBackward } = everything): void {
  lookAtLength(execution, array, site)
  const last = Math.min(end, array.length)
  if (isVast(array)) {
    lookAtOrder(execution, array, site)
    return indicesOf(array, start, last).forEach((i) => readElement(execution, array, i, site, elementAt(array, i)))
  }
  const first = Math.max(0, start)
  for (let i = first; i < last; i++) {
    const index = isBackward ? first + last - 1 - i : i
    execution.cut.countDone()
    readElement(execution, array, index, site, elementAt(array, index))
  }
}

/** Looks at which values there are, and how often, at whatever index. */
export function readMembers(execution: Execution, array: readonly unknown[], site: SiteId): void {
  if (isVast(array)) return readElements(execution, array, site)
  lookAtLength(execution, array, site)
  const id = execution.identities.of(array)
  const { length } = extentOf(execution, array)
  // Which of the values that were appended stands where depends on their order, which is not looked at.
  for (let i = 0; i < array.length; i++) {
    execution.cut.countDone()
    execution.accesses.read(id, element(i), site, i < length ? elementAt(array, i) : undefined)
  }
}

/** `array[index] = value`. To be called after `beforeElements`. */
export function writeElement(execution: Execution, array: readonly unknown[], index: number, site: SiteId, value: unknown): void {
  const { accesses, identities } = execution
  const id = identities.of(array)
  const isBehind = index >= extentOf(execution, array).length
  // A mere assignment does not see what made the array shorter. That nothing does is taken for granted, until something does.
  const isStable = !isBehind && identities.bornKeys.isKept(identities.location(id, LENGTH), true)
  if (!isStable) accesses.read(id, ORDER, site, array.length, 'order')
  if (isBehind) insertIndex(execution, array, index, site)
  accesses.assign(id, element(index), site, value)
}

/** An element becomes another kind of property, or one that cannot be changed: unlike an assignment that depends on what it was. */
export function redefineElement(execution: Execution, array: readonly unknown[], index: number, site: SiteId, value: unknown): void {
  const id = execution.identities.of(array)
  execution.accesses.write(id, element(index), site, value)
  if (index >= extentOf(execution, array).length) execution.accesses.write(id, ORDER, site, array.length)
}

/** `array[index] += amount`, of numbers, where nobody sees the result. */
export function increaseElement(execution: Execution, array: readonly unknown[], index: number, site: SiteId, change: { readonly found: number; readonly amount: number }): void {
  const id = execution.identities.of(array)
  execution.accesses.increase(id, element(index), site, change)
  if (index >= extentOf(execution, array).length) execution.accesses.read(id, ORDER, site, array.length, 'order')
}

/** An element was written where there was none: which indices there are changes, at whatever order they come. */
export function fillHole(execution: Execution, array: readonly unknown[], index: number, site: SiteId): void {
  // Behind the first elements that is told of every write.
  if (index < extentOf(execution, array).length) insertIndex(execution, array, index, site)
}

function insertIndex(execution: Execution, array: readonly unknown[], index: number, site: SiteId): void {
  const extent = extentOf(execution, array)
  extent.reach = Math.max(extent.reach, index + 1)
  execution.accesses.insert(execution.identities.of(array), LENGTH, site, index)
}

/** Values come behind all others, and nobody uses how many there are then. */
export function appendElements(execution: Execution, array: readonly unknown[], site: SiteId, values: readonly unknown[]): void {
  const id = execution.identities.of(array)
  if (execution.accesses.changesOwn(id, site)) return
  for (const value of values) execution.accesses.append(id, ORDER, site, value)
}

/** Of more elements than these it is told once that they moved. From then on whoever touches one of them looks at ORDER as well. */
export const mostMoved = 64

/** How many indices are told one by one that they are no more. */
const mostRemoved = 100_000

/** Has to be called before elements change in any way. */
export const beforeElements: (execution: Execution, array: readonly unknown[]) => void = extentOf

/**
 * Elements came, went or moved; `touched` are those of the array as it was that are others now. To be called after the change,
 * which `beforeElements` was called before.
 */
export function restructured(execution: Execution, array: readonly unknown[], site: SiteId, { start, end, isMoved } = everything): void {
  const extent = extentOf(execution, array)
  const id = execution.identities.of(array)
  // How long the array has been decides which elements are told, and what is known of that is decided by ORDER.
  execution.accesses.write(id, ORDER, site, array.length)
  for (let i = Math.max(0, start); i < Math.min(end, extent.length); i++) execution.accesses.write(id, element(i), site, elementAt(array, i))
  if (extent.reach - array.length > mostRemoved) execution.accesses.write(id, LENGTH, site, array.length)
  else for (let i = array.length; i < extent.reach; i++) execution.accesses.remove(id, LENGTH, site, i)
  extent.reach = Math.min(extent.reach, array.length)
  const areManyMoved = isMoved === true && extent.length - start > mostMoved
  const length = areManyMoved ? start : array.length
  if (length >= extent.length) return
  extent.length = length
  if (areManyMoved) extent.isSettled = true
  const { accesses, identities } = execution
  if (identities.bornKeys.remove(identities.location(id, LENGTH))) accesses.startAnew()
}

/** `array.length = n`, which does not use what it was; which indices are no more depends on who made it longer. */
export function lengthened(execution: Execution, array: readonly unknown[], site: SiteId): void {
  const id = execution.identities.of(array)
  execution.accesses.look(id, ORDER)
  execution.accesses.look(id, LENGTH)
  restructured(execution, array, site, { start: array.length, end: Infinity })
}
