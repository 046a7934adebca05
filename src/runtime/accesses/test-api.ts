import { Reflect } from '../../engine/intrinsics.ts'
import { isProxy, rawOf } from '../execution/proxies.ts'
import type { Fn } from './handler.ts'

/** The `expect` of a test runner, by whatever name: it looks, and keeps to itself what it counts. */
function isExpect(fn: Fn): boolean {
  return ['soft', 'poll', 'getState'].every((name) => typeof Reflect.getOwnPropertyDescriptor(fn, name)?.value === 'function')
}

/** What `expect(value)` returns. */
export function isAssertion(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const raw = rawOf(value)
  return raw !== undefined && Reflect.getOwnPropertyDescriptor(raw, '__flags') !== undefined
}

/** Whether a call only looks at what it is given. */
export function isAssertionCall(fn: Fn, receiver: unknown): boolean {
  return isAssertion(receiver) || isExpect(fn)
}

/** What the assertion library tells itself when a matcher is added, as every new `expect` does: nobody else listens. */
export function isMatcherEvent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || isProxy(value)) return false
  for (let holder = Reflect.getPrototypeOf(value); holder !== null; holder = Reflect.getPrototypeOf(holder)) {
    const constructor: unknown = Reflect.getOwnPropertyDescriptor(holder, 'constructor')?.value
    if (typeof constructor === 'function' && constructor.name === 'PluginEvent') return true
  }
  return false
}
