import { Object, Reflect } from '../../engine/intrinsics.ts'
import { exploringName, namingName } from './emitted.ts'

/**
 * The flags that stand in front of the plain expressions of instrumented code. Compiled code takes a property of the global object that
 * never changes for a constant, so they are defined once and set when there is something to tell.
 */
export function defineFlags({ isNaming }: { readonly isNaming: boolean }): void {
  define(exploringName, false)
  define(namingName, isNaming ? new Int32Array(1024) : null)
  for (const name of tableNames) define(name, unknownPlaces)
}

/**
 * What a file's variable for its first place is called. The text of a function that was instrumented may become another function, as templates and state
 * charts are compiled: `new Function('context', `with (context) return (${guard})(context)`)`. There it is this, and its places are unknown.
 */
const tableNames = ['$dpor', '$$dpor', '$$$dpor']
const unknownPlaces = -(2 ** 29)

/** Who comes first knows better. */
function define(name: string, value: unknown): void {
  if (!Object.hasOwn(globalThis, name)) Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })
}

/** There are so many places. */
export function countUpTo(count: number): void {
  const counts = Reflect.get(globalThis, namingName) as Int32Array | null
  if (!counts || count <= counts.length) return
  const longer = new Int32Array(count * 2)
  longer.set(counts)
  Reflect.set(globalThis, namingName, longer)
}

/** An exploration begins or ends. */
export function setExploring(isExploring: boolean): void {
  Reflect.set(globalThis, exploringName, isExploring)
}
