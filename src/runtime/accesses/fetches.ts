import { Reflect } from '../../engine/intrinsics.ts'
import { answerOfFetch } from '../events/answers.ts'
import { isPromise } from '../execution/brands.ts'
import { placeOf } from '../execution/sources.ts'
import type { Execution } from '../execution/execution.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isMock } from './mocks.ts'
import { isObject } from './telling.ts'

/**
 * What stands in the place of `fetch`, of a library that answers requests itself: what it returns comes from outside, as what `fetch`
 * returns does, however it is made.
 */
const standIns = new WeakSet<object>()
let areThere = false

const native: unknown = Reflect.getOwnPropertyDescriptor(globalThis, 'fetch')?.value

/** `fetch` was found on the global object. */
export function noticeFetch(found: unknown): void {
  if (typeof found !== 'function' || found === native || standIns.has(found) || isMock(found)) return
  standIns.add(found)
  areThere = true
}

/** What axios is given to make its requests with, by libraries that answer them (`axios-mock-adapter`) or by tests, as it looks for it. */
export function noticeAdapter(found: unknown, site: SiteId): void {
  if (typeof found === 'function' && placeOf(site)?.file.includes('/node_modules/axios/')) noticeFetch(found)
}

export const standsForFetch = (fn: object): boolean => areThere && standIns.has(fn)

/** What a call of such a function returns. */
export function fetched(execution: Execution, result: unknown, site: SiteId): unknown {
  return isObject(result) && isPromise(result) ? answerOfFetch(execution, result as Promise<unknown>, site) : result
}
