import { Reflect } from '../../engine/intrinsics.ts'
import { isProxy } from '../execution/proxies.ts'

/**
 * Fulfils a promise of the platform with a value that is known to be no thenable. The platform would find that out for itself:
 * where `then` is a getter, which runs once in JavaScript, it must not run again.
 */
export function fulfilWith(fulfil: (value: unknown) => void, value: unknown): void {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
  if (!isObject || isProxy(value) || !('then' in value)) return fulfil(value)
  const own = Reflect.getOwnPropertyDescriptor(value, 'then')
  // It may have become a thenable since.
  if (own && !own.get && typeof own.value !== 'function') return fulfil(value)
  // oxlint-disable no-thenable -- hidden for the moment in which the platform looks
  const isHidden = Reflect.defineProperty(value, 'then', { value: undefined, configurable: true, enumerable: own?.enumerable ?? false })
  fulfil(value)
  if (isHidden && own) Reflect.defineProperty(value, 'then', own)
  else if (isHidden) Reflect.deleteProperty(value, 'then')
  // oxlint-enable no-thenable
}
