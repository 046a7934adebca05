import { Reflect } from '../../engine/intrinsics.ts'
import { asWaitedFor, promiseOfWaitedFor } from '../events/thenables.ts'
import { isNativePromise } from '../execution/brands.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { NativePromise } from '../execution/native.ts'
import { running } from '../execution/running.ts'
import { capability } from './capability.ts'
import { PromiseRecord } from './promise-record.ts'
import { resolveWith } from './resolving.ts'

/** The static methods of `Promise` that make one promise. `receiver` is the class they are called on. */

const native = NativePromise as unknown as Record<'resolve' | 'reject', (this: unknown, value: unknown) => unknown>
const { resolve: nativeResolve, reject: nativeReject } = native

/** `Promise.resolve(value)` */
export function resolvedWith(execution: Execution, receiver: unknown, value: unknown, site: SiteId): unknown {
  if (isNativePromise(value) && value.constructor === receiver) return value
  if (execution.events) return (receiver === NativePromise && promiseOfWaitedFor(execution, value, site)) || Reflect.apply(nativeResolve, receiver, [asWaitedFor(execution, value, site)])
  if (receiver === NativePromise) {
    const record = new PromiseRecord(execution, site)
    resolveWith(record, value, site)
    return record.promise
  }
  const { promise, resolve } = capability(execution, receiver, site)
  resolve(value)
  return promise
}

/** `Promise.reject(error)` */
export function rejectedWith(execution: Execution, receiver: unknown, error: unknown, site: SiteId): unknown {
  if (execution.events) return Reflect.apply(nativeReject, receiver, [error])
  const { promise, reject } = capability(execution, receiver, site)
  reject(error)
  return promise
}

/** A promise that is rejected, where the platform would have made one. */
export function rejection(error: unknown, site: SiteId): Promise<unknown> {
  return running === null ? NativePromise.reject(error) : (rejectedWith(running, NativePromise, error, site) as Promise<unknown>)
}

/** `Promise.withResolvers()` */
export function withResolvers(execution: Execution, receiver: unknown, site: SiteId): unknown {
  const { promise, resolve, reject } = capability(execution, receiver, site)
  const result = { promise, resolve, reject }
  execution.identities.made(result)
  return result
}

/** `Promise.try(callback, ...args)` */
export function attempt(execution: Execution, receiver: unknown, args: unknown[], site: SiteId): unknown {
  const [callback, ...rest] = args
  const { promise, resolve, reject } = capability(execution, receiver, site)
  try {
    resolve((callback as (...values: unknown[]) => unknown)(...rest))
  } catch (error) {
    reject(error)
  }
  return promise
}
