import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { callEnvironment, changeEnvironment, isEnvironment } from './environment.ts'
import { HandedOver } from './handed-over.ts'
import { kindOf } from './function-kinds.ts'
import type { Fn } from './handler.ts'
import { opaqueGroups, tellCall } from './opaque-telling.ts'

interface OpaqueCall {
  readonly fn: Fn
  readonly receiver: unknown
  readonly args: readonly unknown[]
  readonly site: SiteId
}

/**
 * Runs a call of a function that is not instrumented. It changes what its receiver keeps to itself, and what the module or
 * closure does that it belongs to; what it is handed it looks at, and changes as it turns out.
 */
export function callOpaque<T>(execution: Execution, { fn, receiver, args, site }: OpaqueCall, run: () => T): T {
  execution.calledOpaqueCode()
  if (isEnvironment(receiver)) return callOfEnvironment(execution, { fn, receiver, args, site }, run)
  changeEnvironment(execution, site)
  const known = opaqueGroups(execution)
  const group = known.of(fn, receiver)
  known.note(fn, group, site)
  tellCall(execution, { group, receiver, site })
  const handed = new HandedOver(execution, [fn, receiver, ...args, ...group.kept], site)
  known.keep(group, args)
  let result: T
  try {
    result = run()
  } finally {
    handed.tellChanges(site)
  }
  // What it goes on doing in this step, after its first await.
  execution.atStepEnd(() => handed.tellChanges(site))
  execution.identities.cameIn(result, { mayBeOlder: true })
  known.returned(result, group)
  return result
}

/** Runs a call of a method of the test environment, whose state is one: it may call what it is handed, and change that. */
function callOfEnvironment<T>(execution: Execution, { fn, args, site }: OpaqueCall, run: () => T): T {
  callEnvironment(execution, fn, site)
  const handed = new HandedOver(execution, args, site)
  try {
    return run()
  } finally {
    handed.tellChanges(site)
  }
}

/** An object of an instrumented class has been made whose base is opaque: what that keeps is the object's own. */
export function noteInstance(execution: Execution, object: object, constructor: object): void {
  for (let base = Reflect.getPrototypeOf(constructor); typeof base === 'function' && base !== Function.prototype; base = Reflect.getPrototypeOf(base)) {
    if (kindOf(base as Fn) !== 'opaque') continue
    const known = opaqueGroups(execution)
    return known.returned(object, known.of(base as Fn, undefined))
  }
}
