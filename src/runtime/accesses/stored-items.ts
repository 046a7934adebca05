import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { property, STATE } from '../execution/keys.ts'
import { namedObject } from '../execution/named-objects.ts'
import { saveStored, storedIn, storeName } from '../execution/stored-items.ts'
import { isEnvironment, lookAtEnvironment, storing } from './environment.ts'
import type { Fn } from './handler.ts'

/** `localStorage` and `sessionStorage`, of windows that the program has made as well: each name is a location. Whatever else is done with them counts as done to all of the environment. */

interface StoreCall {
  readonly fn: Fn
  readonly receiver: unknown
  readonly args: readonly unknown[]
  readonly site: SiteId
}

/** Happy-dom binds its methods. */
const known = /^(?:bound )?(getItem|setItem|removeItem|clear|key)$/

/** Runs a call of a method of a store and says what it accesses; undefined for all others. */
export function callOfStore<T>(execution: Execution, { fn, receiver, args, site }: StoreCall, run: () => T): { readonly result: T } | undefined {
  const name = storeName(receiver) ?? (isOtherStore(receiver) ? 'what other windows store' : undefined)
  if (name === undefined) return undefined
  const method = known.exec(fn.name)?.[1]
  if (method === undefined || args.some((arg) => typeof arg === 'object' || typeof arg === 'symbol')) return undefined
  const store = receiver as object
  const before = method === 'clear' ? Object.keys(store) : [String(args[0])]
  const wasThere = before.map((item) => storedIn(store, item) !== undefined)
  if (method !== 'getItem' && method !== 'key') keepStored(execution, store)
  const result = run()
  lookAtEnvironment(execution, site, { atStored: method === 'key' })
  if (method === 'key') return { result }
  const items = namedObject(execution, name)
  for (const [i, item] of before.entries()) {
    const value = storedIn(store, item) ?? null
    const key = property(item)
    if (method === 'getItem') execution.accesses.read(items, key, site, value)
    else if (method === 'setItem') execution.accesses.assign(items, key, site, value)
    else if (wasThere[i]) execution.accesses.write(items, key, site, value)
    else execution.accesses.read(items, key, site, value)
  }
  if (method !== 'getItem') storing(execution, site)
  return { result }
}

/** A store of a window that the program has made. All of them count as one. */
function isOtherStore(value: unknown): value is object {
  return isEnvironment(value) && storeName(value) === undefined && Reflect.get(value, Symbol.toStringTag) === 'Storage'
}

/** Before something may change in such a store: what it has is put back after the execution. */
export function keepStored(execution: Execution, value: unknown): void {
  if (isOtherStore(value)) execution.journal.part(value, STATE, () => saveStored(value))
}
