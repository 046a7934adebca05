import { Array } from '../../engine/intrinsics.ts'
import type { Elements, PatternShape } from '../execution/shapes.ts'
import { isMap, isSet, sizeOf } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { OPAQUE } from '../execution/keys.ts'
import { isProxy, targetOf } from '../execution/proxies.ts'
import { lookAtInherited } from './inheritance.ts'
import { tellOfNamespace } from './live-bindings.ts'
import { findProperty } from './lookup.ts'
import { tellGetter } from './opaque-accessors.ts'
import { tellTraps } from './opaque-traps.ts'
import { accessorHandler } from './registry.ts'
import { isObject, lookAtKeys, recordRead, seen } from './telling.ts'
import { enumerateProperties, readWhole } from './whole.ts'

/** Records what a pattern is about to take from a value: properties by name, or what it yields. */
export function recordPattern(execution: Execution, value: unknown, shape: PatternShape | Elements): void {
  if (!isObject(value)) return
  if ('site' in shape) recordElements(execution, value, shape)
  else recordProperties(execution, value, shape)
}

/** Records what a pattern takes from the value that an iteration yields at a position. */
export function recordElement(execution: Execution, value: unknown, { elements, position }: { elements: Elements; position: number }): void {
  const shape = elements.each ?? elements.items?.[position]
  if (shape) recordPattern(execution, value, shape)
}

function recordElements(execution: Execution, value: object, elements: Elements): void {
  const items = itemsOf(value)
  if (!items) return
  readWhole(execution, value, elements.site)
  let position = 0
  for (const element of items) recordElement(execution, element, { elements, position: position++ })
}

/** What an array or a collection holds, whatever it inherits from. */
function itemsOf(value: object): readonly unknown[] | undefined {
  if (Array.isArray(value)) return Array.prototype.slice.call(value)
  if (isMap(value)) return [...Map.prototype.entries.call(value)]
  return isSet(value) ? [...Set.prototype.values.call(value)] : undefined
}

function recordProperties(execution: Execution, given: object, shape: PatternShape): void {
  if (isProxy(given)) tellTraps(execution, given, 0)
  const value = isProxy(given) ? targetOf(given) : given
  if (!value || isProxy(value)) return seen(execution, given, OPAQUE, 0, undefined)
  for (let i = 0; i < shape.length; i++) {
    const entry = shape[i]!
    if (entry === null) {
      enumerateProperties(execution, value, 0)
      continue
    }
    const { 0: key, 1: site, 2: nested } = entry
    if (sizeOf(value) !== undefined && key === 'size') lookAtKeys(execution, value, site, 'size')
    accessorHandler(value, key, 'get')?.(execution, value, [], site)
    const found = findProperty(value, key)
    if (value === given) tellGetter(execution, value, key, site)
    // A getter runs when the pattern takes the value; its code records what it reads.
    const inner: unknown = found?.own.value
    tellOfNamespace(execution, value, key, site)
    recordRead(execution, value, key, site, inner)
    if (found?.holder !== value) lookAtInherited(execution, value, key, site)
    if (nested) recordPattern(execution, inner, nested)
  }
}
