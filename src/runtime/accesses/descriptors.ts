import { Reflect } from '../../engine/intrinsics.ts'

/** What a descriptor may say of a property. */
export const fields = ['enumerable', 'configurable', 'value', 'writable', 'get', 'set'] as const

/** What it says, also what it has inherited. */
export function copyOfDescriptor(descriptor: object): PropertyDescriptor {
  const copy: PropertyDescriptor = {}
  for (const field of fields) if (Reflect.has(descriptor, field)) copy[field] = Reflect.get(descriptor, field) as never
  return copy
}
