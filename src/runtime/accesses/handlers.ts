import { arrayBufferHandlers } from './array-buffers.ts'
import { arrayChangeHandlers } from './array-changes.ts'
import { arrayLookHandlers } from './array-looks.ts'
import { arrayStaticHandlers } from './array-statics.ts'
import { atomicsHandlers } from './atomics.ts'
import { bufferHandlers } from './buffers.ts'
import { coercionHandlers } from './coercions.ts'
import { collectionHandlers } from './collections.ts'
import type { Fn, Handler } from './handler.ts'
import { familyAccessors, familyHandlers } from './families.ts'
import { invoke } from './invoke.ts'
import { jsonHandlers } from './json.ts'
import { objectChangeHandlers } from './object-changes.ts'
import { objectLookHandlers } from './object-looks.ts'
import { promiseHandlers } from './promise-functions.ts'
import { reflectHandlers } from './reflect.ts'
import { reflectionHandlers } from './reflection.ts'
import { register, registerAccessors } from './registry.ts'
import { structuredCloneHandlers } from './structured-clone.ts'
import { lookAtTrapResults } from './trap-results.ts'
import { typedArrayHandlers } from './typed-arrays.ts'
import { dataViewHandlers } from './data-views.ts'

/** `queueMicrotask` of instrumented code. That of other code stays native: it belongs to the step that it runs in. */
const queueMicrotaskHandler: Handler = (execution, _receiver, [callback], site) => {
  if (typeof callback !== 'function') return globalThis.queueMicrotask(callback as never)
  execution.clock.startNow(execution, {
    name: callback.name || 'microtask',
    callback: () => invoke(execution, callback as Fn, undefined, [], site),
    delay: 0,
    repeats: false,
    site,
  })
  return undefined
}

/** Puts all tables together. */
export function registerBuiltIns(): void {
  register([
    ...promiseHandlers(),
    [globalThis.queueMicrotask, queueMicrotaskHandler],
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
    ...familyHandlers,
    ...reflectionHandlers(),
  ])
  registerAccessors([...familyAccessors, '__proto__'])
  lookAtTrapResults()
}
