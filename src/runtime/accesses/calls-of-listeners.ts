import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { inForeignCode } from '../events/promise-hooks.ts'
import type { Execution } from '../execution/execution.ts'
import { isOfNode, kindOf } from './function-kinds.ts'
import type { Fn } from './handler.ts'
import { callOpaque } from './opaque-calls.ts'

interface Called {
  readonly fn: Fn
  readonly receiver: unknown
  readonly args: readonly unknown[]
  readonly site: SiteId
}

/** The running step calls what has waited for its turn: a listener, or the callback of something real. What is not instrumented does not tell what it does. */
export function callInStep(execution: Execution, { fn, receiver, args, site }: Called): void {
  if (kindOf(fn) !== 'opaque') return void Reflect.apply(fn, receiver, args)
  const call = (): unknown => inForeignCode(execution, () => Reflect.apply(fn, receiver, args) as unknown)
  const { listener } = fn as { listener?: unknown }
  if (isOfNode(typeof listener === 'function' ? (listener as Fn) : fn)) execution.identities.inForeignCode(call)
  else callOpaque(execution, { fn, receiver, args, site }, call)
}
