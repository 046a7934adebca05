import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { cellOf } from '../events/promise-cell.ts'
import { isPromise } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import type { Listener } from '../execution/listener.ts'
import { running } from '../execution/running.ts'
import { knownRecord } from '../promises/promise-record.ts'
import { refuseDefinition } from './custom-elements.ts'
import { callEnvironment, isEnvironment, isOfWindow, keepDocument, listensInEnvironment, mayChangeEnvironment } from './environment.ts'
import { HandedOver } from './handed-over.ts'
import { kindOf } from './function-kinds.ts'
import type { Fn } from './handler.ts'
import type { OpaqueGroup } from './opaque-groups.ts'
import { tellRun } from './opaque-runs.ts'
import { opaqueGroups, tellCall } from './opaque-telling.ts'
import { callOfDatabase, noteOfDatabase, tellDatabaseFile } from './sqlite-files.ts'
import { callOfStore } from './stored-items.ts'
import { isObject } from './telling.ts'

interface OpaqueCall {
  readonly fn: Fn
  readonly receiver: unknown
  readonly args: readonly unknown[]
  readonly site: SiteId
}

type Returned = (execution: Execution) => void

const returned: Returned[] = []

/** Calls back whenever code that is not instrumented has run: it may have put something else on the global object. */
export function whenOpaqueReturns(callback: Returned): void {
  returned.push(callback)
}

/**
 * Runs a call of a function that is not instrumented. It changes what its receiver keeps to itself, and what the module or
 * closure does that it belongs to; what it is handed it looks at, and changes as it turns out.
 */
export function callOpaque<T>(execution: Execution, { fn, receiver, args, site }: OpaqueCall, run: () => T): T {
  execution.calledOpaqueCode()
  const ofStore = callOfStore(execution, { fn, receiver, args, site }, run)
  if (ofStore) return ofStore.result
  const ofDatabase = callOfDatabase(execution, { fn, receiver, args, site }, run)
  if (ofDatabase) return ofDatabase.result
  const window = receiver === undefined && isOfWindow(fn) ? globalThis : receiver
  if (isEnvironment(window)) return callOfEnvironment(execution, { fn, receiver: window, args, site }, run)
  mayChangeEnvironment(execution, site)
  for (const arg of args) keepDocument(execution, arg)
  const known = opaqueGroups(execution)
  const group = known.of(fn, receiver)
  known.note(fn, group, site)
  tellDatabaseFile(execution, fn, receiver, site)
  const handed = tellRun(execution, { group, receiver, own: [fn, receiver], args }, site)
  known.keep(group, args)
  const listener: Listener = { call: execution.call, hears: () => goOn(execution, { group, receiver, args, site }) }
  for (const arg of args) if (isObject(arg) && isPromise(arg)) (knownRecord(execution, arg) ?? cellOf(execution, arg))?.heardBy(listener.hears)
  const before = execution.listener
  execution.listener = listener
  known.running.push(group)
  let result: T
  try {
    result = run()
  } catch (error) {
    execution.identities.cameIn(error, { mayBeOlder: true })
    throw error
  } finally {
    execution.listener = before
    known.running.pop()
    for (const callback of returned) callback(execution)
    handed.tellChanges(site)
  }
  // What it goes on doing in this step, after its first await.
  handed.tellsLate(site)
  noteOfDatabase(execution, { fn, receiver, result })
  execution.identities.cameIn(result, { mayBeOlder: true })
  known.returned(result, { fn, group, args })
  return result
}

/** A promise that opaque code waits for is settled: it goes on in the same step, as if it were called again. */
function goOn(execution: Execution, { group, receiver, args, site }: Pick<OpaqueCall, 'receiver' | 'args' | 'site'> & { readonly group: OpaqueGroup }): void {
  mayChangeEnvironment(execution, site)
  tellRun(execution, { group, receiver, own: [receiver], args }, site).tellsLate(site)
  // What it calls now it waits for as well.
  execution.listener = { call: null, hears: () => goOn(execution, { group, receiver, args, site }) }
}

/** Runs a call of a method of the test environment, whose state is one: it may call what it is handed, and change that. */
function callOfEnvironment<T>(execution: Execution, { fn, receiver, args, site }: OpaqueCall, run: () => T): T {
  refuseDefinition(execution, fn, receiver, args)
  callEnvironment(execution, { fn, receiver, args, site })
  const handed = new HandedOver(execution, { own: [], kept: [], args }, site)
  try {
    return run()
  } finally {
    handed.tellChanges(site)
    if (isObject(receiver) && Reflect.get(receiver, 'addEventListener') === fn) listensInEnvironment(execution, receiver, args)
  }
}

/** An object of an instrumented class has been made whose base is opaque: its constructor was called, and what that keeps is the object's own. */
export function noteInstance(execution: Execution, { object, constructor }: { readonly object: object; readonly constructor: object }, site: SiteId): void {
  for (let base = Reflect.getPrototypeOf(constructor); typeof base === 'function' && base !== Function.prototype; base = Reflect.getPrototypeOf(base)) {
    if (kindOf(base as Fn) !== 'opaque') continue
    const known = opaqueGroups(execution)
    const group = known.of(base as Fn, undefined)
    tellCall(execution, { group, receiver: undefined, site })
    return known.returned(object, { fn: undefined, group, args: [] })
  }
}

/** A function that stands in the place of one that is not instrumented, for callers that are left as they are written. */
export function toldAsOpaque<F extends Fn>(fn: F): F {
  const told = function (this: unknown, ...args: unknown[]): unknown {
    const run = (): unknown => Reflect.apply(fn, this, args) as unknown
    return running === null ? run() : callOpaque(running, { fn, receiver: this, args, site: running.here }, run)
  }
  Object.defineProperties(told, Object.getOwnPropertyDescriptors(fn))
  return told as F
}
