import { Reflect } from '../../engine/intrinsics.ts'
import { STATE } from '../execution/keys.ts'
import type { Family, Operation } from './family.ts'
import { seen } from './telling.ts'

/** Targets that live as long as their references: when memory is reclaimed is no part of an interleaving. */
const targets = new WeakMap<object, object>()

/** A reference was made: its target is kept. */
export function keepTarget(reference: object, target: object): void {
  targets.set(reference, target)
}

const deref: Operation = (native) => (execution, receiver, args, site) => {
  const target = Reflect.apply(native, receiver, args as never[]) as object | undefined
  if (target) keepTarget(receiver as object, target)
  seen(execution, receiver as object, STATE, site, target)
  return target
}

export const weakRefs: Family = { holder: WeakRef.prototype, methods: { deref } }
