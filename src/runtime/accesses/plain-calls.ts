import type { SiteId } from '../../engine/ids.ts'
import { Reflect, textOfFunction } from '../../engine/intrinsics.ts'
import { isAsynchronous } from '../execution/asynchronous.ts'
import { isNativePromise } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { nameOfPlain } from '../execution/held-calls.ts'
import { NativePromise } from '../execution/native.ts'
import { isInPackage } from '../execution/sources.ts'
import { functionName } from '../execution/values.ts'
import { returned, run } from '../promises/async-call.ts'
import { knownRecord } from '../promises/promise-record.ts'
import type { Fn } from './handler.ts'

/** Where calls begin later, one that the project's own code makes of a function that is not async may do so as well, if that returns promises. */
export function heldIfPlain(execution: Execution, { fn, site }: { readonly fn: Fn; readonly site: SiteId }, call: () => unknown): unknown {
  const { heldCalls } = execution
  if (!heldCalls || isInPackage(site) || isAsynchronous(fn)) return call()
  const code = textOfFunction(fn)
  if (heldCalls.isHeld(site, code)) return run(async () => returned(call()), nameOfPlain(functionName(fn)), site)
  const result = call()
  heldCalls.returned(site, code, { isPromise: isPlainPromise(execution, fn, result) })
  return result
}

/** A promise like any other; where an async function is compiled to one that is not, its call begins later by itself. */
function isPlainPromise(execution: Execution, fn: Fn, result: unknown): boolean {
  if (!isNativePromise(result) || Reflect.getPrototypeOf(result) !== NativePromise.prototype || Reflect.ownKeys(result).length > 0) return false
  return knownRecord(execution, result)?.owner?.name !== functionName(fn)
}
