import { KeptWeakMap, Object, Reflect } from '../../engine/intrinsics.ts'
import { STATE } from './keys.ts'
import { hasTraps, standsFor } from './proxies.ts'
import { running } from './running.ts'
import { guardedHandler, tellingHandler } from './traps.ts'

const NativeProxy = Proxy
const mark = Symbol.for('vitest-dpor.proxies')

interface Revocable {
  readonly proxy: object
  readonly revoke: () => void
}

/** From now on every new Proxy is known by its target. One that is older is a thing of its own. */
export function watchProxies(): void {
  if (Reflect.get(globalThis, mark) === true) return
  Reflect.set(globalThis, mark, true)
  const nativeRevocable = NativeProxy.revocable
  function revocable(target: object, handler: ProxyHandler<object>): Revocable {
    const isChecked = running !== null && isObject(target) && isObject(handler)
    const made = isChecked ? sharedRevocable(target, handler) : (Reflect.apply(nativeRevocable, NativeProxy, [target, handler]) as Revocable)
    standsFor(made.proxy, target)
    hasTraps(made.proxy, handler)
    return made
  }
  globalThis.Proxy = new NativeProxy(NativeProxy, {
    construct(constructor, [target, handler], newTarget) {
      const telling = tellingHandler(handler as ProxyHandler<object>)
      const proxy = Reflect.construct(constructor, [target, telling], newTarget) as object
      standsFor(proxy, target as object, telling)
      hasTraps(proxy, handler)
      return proxy
    },
    get: (constructor, key) => (key === 'revocable' ? revocable : Reflect.get(constructor, key)),
  })
  standsFor(globalThis.Proxy, NativeProxy)
}

const checks = new KeptWeakMap<object, (operation: string) => void>()

/** An operation without a trap is about to look at a Proxy: it throws if that was revoked. */
export function lookWhetherRevoked(proxy: object, operation: string): void {
  checks.get(proxy)?.(operation)
}

/** One that may be revoked by one step and used by another: every use looks whether it was. */
function sharedRevocable(target: object, handler: ProxyHandler<object>): Revocable {
  const execution = running!
  const id = execution.identities.fresh()
  let isRevoked = false
  const site = (): number => execution.here
  const check = (operation: string): void => {
    if (running === execution) execution.accesses.read(id, STATE, site(), isRevoked)
    if (isRevoked) throw new TypeError(`Cannot perform '${operation}' on a proxy that has been revoked`)
  }
  const proxy = new NativeProxy(target, guardedHandler(handler, check))
  checks.set(proxy, check)
  const revoke = (): void => {
    '__dpor'
    if (running === execution) execution.accesses.write(id, STATE, site(), true)
    isRevoked = true
  }
  Object.defineProperty(revoke, 'name', { value: '' })
  return { proxy, revoke }
}

function isObject(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
