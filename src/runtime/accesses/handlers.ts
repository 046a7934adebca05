import { OutOfTime } from '../execution/errors.ts'
import { functionName } from '../execution/values.ts'
import { watchPassedOnCalls } from './invoke.ts'
import { Reflect } from '../../engine/intrinsics.ts'
import { callsThenablesBy } from '../events/thenables.ts'
import { callsThenBy } from '../promises/resolving.ts'
import { arrayBufferHandlers } from './array-buffers.ts'
import { arrayChangeHandlers } from './array-changes.ts'
import { arrayLookHandlers } from './array-looks.ts'
import { arrayStaticHandlers } from './array-statics.ts'
import { atomicsHandlers } from './atomics.ts'
import { bufferHandlers } from './buffers.ts'
import { coercionHandlers } from './coercions.ts'
import { collectionHandlers } from './collections.ts'
import type { Fn, Handler } from './handler.ts'
import { fileHandlers } from './files/handlers.ts'
import { familyAccessors, familyHandlers } from './families.ts'
import { callPlatform, callThen, invoke } from './invoke.ts'
import { jsonHandlers } from './json.ts'
import { objectChangeHandlers } from './object-changes.ts'
import { objectLookHandlers } from './object-looks.ts'
import { processWideHandlers } from './process-wide.ts'
import { promiseHandlers } from './promise-functions.ts'
import { handlersOfUnexplored } from './not-explored.ts'
import { reflectHandlers } from './reflect.ts'
import { reflectionHandlers } from './reflection.ts'
import { register, registerAccessors } from './registry.ts'
import { statefulAccessors, statefulHandlers } from './stateful-classes.ts'
import { structuredCloneHandlers } from './structured-clone.ts'
import { lookAtTrapResults } from './trap-results.ts'
import { typedArrayHandlers } from './typed-arrays.ts'
import { dataViewHandlers } from './data-views.ts'
import { registerDocumentQueries, type RunUntold } from './document-queries.ts'

/**
 * `queueMicrotask` and `process.nextTick` of instrumented code. Those of other code stay native: what it queues belongs to the step
 * that it runs in.
 */
function queueing(queue: 'microtasks' | 'ticks', native: Fn | undefined): readonly (readonly [Fn, Handler])[] {
  if (!native) return []
  const handler: Handler = (execution, receiver, [callback, ...rest], site) => {
    if (typeof callback !== 'function') return Reflect.apply(native, receiver, [callback])
    const args = queue === 'ticks' ? rest : []
    const callbackOf = (): unknown => {
      if (execution.events) execution.accesses.loop?.runs(callbackOf)
      try {
        return invoke(execution, callback as Fn, undefined, args, site)
      } catch (error) {
        // Where the platform calls it no code can catch that the step is given up.
        if (error instanceof OutOfTime) return undefined
        throw error
      }
    }
    if (execution.events) {
      execution.accesses.loop?.own.add(callbackOf)
      execution.cut.countReaction()
      if (execution.isCut) return undefined
      if (queue === 'ticks') execution.goesOnInTicks()
      return Reflect.apply(native, receiver, [callbackOf])
    }
    execution.clock.startNow(execution, { name: functionName(callback) || queue.slice(0, -1), callback: callbackOf, calls: { callback, args }, delay: 0, repeats: false, site }, queue)
    return undefined
  }
  return [[native, handler]]
}

/** Puts all tables together. */
export function registerBuiltIns(untold: RunUntold): void {
  watchPassedOnCalls()
  register([
    ...promiseHandlers(),
    ...queueing('microtasks', globalThis.queueMicrotask as Fn),
    ...queueing('ticks', globalThis.process?.nextTick as Fn | undefined),
    ...arrayBufferHandlers(),
    ...typedArrayHandlers(),
    ...dataViewHandlers(),
    ...atomicsHandlers(),
    ...bufferHandlers(),
    ...arrayLookHandlers(),
    ...arrayChangeHandlers(),
    ...arrayStaticHandlers(),
    ...collectionHandlers(),
    ...objectLookHandlers(),
    ...objectChangeHandlers(),
    ...reflectHandlers(),
    ...jsonHandlers(),
    ...structuredCloneHandlers(),
    ...coercionHandlers(),
    ...fileHandlers(invoke, callPlatform),
    ...statefulHandlers(callPlatform),
    ...processWideHandlers(callPlatform),
    ...handlersOfUnexplored(callPlatform),
    ...familyHandlers,
    ...reflectionHandlers(),
  ])
  registerAccessors([...familyAccessors, ...statefulAccessors, '__proto__'])
  registerDocumentQueries(untold)
  lookAtTrapResults()
  callsThenBy((execution, then, thenable, args, site) => invoke(execution, then as Fn, thenable, args, site))
  callsThenablesBy((execution, then, receiver, args, site) => callThen(execution, then as Fn, { receiver, args, site }))
}
