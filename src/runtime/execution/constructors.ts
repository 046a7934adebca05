import { Reflect } from '../../engine/intrinsics.ts'
import { isProxy } from './proxies.ts'

/** What a constructor makes has this prototype, as far as no getter has to run for that: the constructor itself asks for it when it is time. */
export function prototypeFor(constructor: Function): unknown {
  const hasGetter = !isProxy(constructor) && Reflect.getOwnPropertyDescriptor(constructor, 'prototype')?.get !== undefined
  return hasGetter ? undefined : (constructor.prototype as unknown)
}
