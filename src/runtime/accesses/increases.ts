import { Array, ArrayBuffer, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { element, indexOf, property } from '../execution/keys.ts'
import type { FoundNumber } from '../execution/shapes.ts'
import { isProxy } from '../execution/proxies.ts'
import { coerced } from './coercions.ts'
import { increaseElement } from './elements.ts'
import { assign, inheritsAccessor, readProperty, writeProperty } from './properties.ts'
import { beforeChange, keyOf } from './telling.ts'

/** `object[key] += operand` and `object[key]++`, where nobody sees the result: integers commute with other integers. */

/** The property is read before what is added to it is known. */
export function beginIncrease(execution: Execution, object: object, key: unknown, site: SiteId, sign: 1 | -1): FoundNumber {
  const name = keyOf(key)
  const own = addedTo(execution, object, name)
  if (own) {
    const found = numberOf(own)
    return { object, key: name, site, sign, old: found ?? Reflect.get(object, name), found, isPlace: true }
  }
  const old: unknown = readProperty(execution, object, name, site)
  coerced(execution, old, site)
  return { object, key: name, site, sign, old, found: undefined, isPlace: false }
}

export function increaseProperty(execution: Execution, { object, key, site, sign, old, found, isPlace }: FoundNumber, amount: any): void {
  if (found !== undefined && typeof amount === 'number') return increaseNumber(execution, object, key, site, { found, amount: sign * amount })
  if (isPlace) {
    findNoNumber(execution, object, key, site)
    readProperty(execution, object, key, site)
    coerced(execution, old, site)
  }
  writeProperty(execution, object, key, sign === 1 ? old + amount : old - amount, site)
}

/** `object[key]++` or `object[key]--`, if there is a number; whether there was. */
export function incrementNumber(execution: Execution, object: object, name: PropertyKey, site: SiteId, by: 1 | -1): boolean {
  const own = addedTo(execution, object, name)
  if (own === undefined) return false
  const found = numberOf(own)
  if (found === undefined) findNoNumber(execution, object, name, site)
  else increaseNumber(execution, object, name, site, { found, amount: by })
  return found !== undefined
}

const absent: PropertyDescriptor = { value: undefined }

/** The property, if it is a location with a value and nobody makes it anything else. */
function addedTo(execution: Execution, object: object, name: PropertyKey): PropertyDescriptor | undefined {
  if (isProxy(object) || ArrayBuffer.isView(object) || (Array.isArray(object) && indexOf(name) < 0)) return undefined
  const { assignable, extensible } = execution.identities.assumptions
  if (!assignable.has(name) || !extensible.has('')) return undefined
  const own = Reflect.getOwnPropertyDescriptor(object, name)
  if (own) return 'value' in own ? own : undefined
  return inheritsAccessor(object, name) ? undefined : absent
}

/** The number in a property that can be written; undefined where there is something else. */
function numberOf(own: PropertyDescriptor): number | undefined {
  return own.writable === true && typeof own.value === 'number' ? own.value : undefined
}

/** Who adds a number looks whether there is one to begin with: that comes before all else that is told. */
function findNoNumber(execution: Execution, object: object, name: PropertyKey, site: SiteId): void {
  const key = Array.isArray(object) ? element(indexOf(name)) : property(name)
  execution.accesses.findNoNumber(execution.identities.of(object), key, site)
}

function increaseNumber(execution: Execution, object: object, name: PropertyKey, site: SiteId, change: { readonly found: number; readonly amount: number }): void {
  beforeChange(execution, object, name)
  assign(object, name, change.found + change.amount)
  if (Array.isArray(object)) increaseElement(execution, object, indexOf(name), site, change)
  else execution.accesses.increase(execution.identities.of(object), property(name), site, change)
}
