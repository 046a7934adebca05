import { Reflect } from '../../engine/intrinsics.ts'
import { isProxy, mayHave, plainHandlerOf, targetOf } from './proxies.ts'

/**
 * Fulfils a promise of the platform with a value that is known to be no thenable. The platform would find that out for itself:
 * where `then` is a getter, or a trap answers, that runs once in JavaScript and must not run again.
 */
export function fulfilWith(fulfil: (value: unknown) => void, value: unknown): void {
  if (!mayHaveThen(value)) return fulfil(value)
  if (isProxy(value)) return hidden(trapFor(value), () => fulfil(value))
  const own = Reflect.getOwnPropertyDescriptor(value, 'then')
  // It may have become a thenable since.
  if (own && !own.get && typeof own.value !== 'function') return fulfil(value)
  hidden({ holder: value, key: 'then', value: undefined }, () => fulfil(value))
}

/** Whether the platform may find a `then`, without reading it. */
export function mayHaveThen(value: unknown): value is object {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && mayHave(value, 'then')
}

interface Hiding {
  readonly holder: object
  readonly key: PropertyKey
  readonly value: unknown
}

/** The trap by which the platform would ask; none where it must find what its target has for good. */
function trapFor(proxy: object): Hiding | undefined {
  const handler = plainHandlerOf(proxy)
  const isFixed = handler !== undefined && Reflect.getOwnPropertyDescriptor(targetOf(proxy)!, 'then')?.configurable === false
  return handler === undefined || isFixed ? undefined : { holder: handler, key: 'get', value: () => undefined }
}

/** Something else stands there for the moment in which the platform looks. */
function hidden(hiding: Hiding | undefined, look: () => void): void {
  if (hiding === undefined) return look()
  const { holder, key, value } = hiding
  const own = Reflect.getOwnPropertyDescriptor(holder, key)
  const isHidden = Reflect.defineProperty(holder, key, { value, configurable: true, enumerable: own?.enumerable ?? false })
  look()
  if (isHidden && own) Reflect.defineProperty(holder, key, own)
  else if (isHidden) Reflect.deleteProperty(holder, key)
}
