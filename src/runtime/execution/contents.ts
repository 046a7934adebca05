import { ArrayBuffer, Object, Reflect } from '../../engine/intrinsics.ts'
import { bufferOf, isMap, isSet, isStack } from './brands.ts'
import { isOfEnvironment } from './environment.ts'
import { ownKeysOf } from './named-keys.ts'

/** What can be reached from an object in one step, without running anything of the user's. The test environment is not looked into. */
export function contentsOf(object: object): unknown[] {
  if (isOfEnvironment(object)) return []
  const contents = entriesOf(object)
  if (ArrayBuffer.isView(object)) contents.push(bufferOf(object))
  for (const key of ownKeysOf(object)) {
    if (isStack(object, key)) continue
    const own = Reflect.getOwnPropertyDescriptor(object, key)
    if (own && 'value' in own && (typeof own.value === 'object' || typeof own.value === 'function')) contents.push(own.value)
  }
  return contents
}

function entriesOf(object: object): unknown[] {
  if (isMap(object)) return [...Map.prototype.keys.call(object), ...Map.prototype.values.call(object)]
  return isSet(object) ? [...Set.prototype.values.call(object)] : []
}

/** Functions and prototypes of the platform: older than everything, and nobody's data. */
let platform: WeakSet<object> | undefined

export function isOfPlatform(object: object): boolean {
  platform ??= collect()
  return platform.has(object)
}

/** Everything that the global object leads to by data properties, two levels deep, prototypes among it. */
function collect(): WeakSet<object> {
  const found = new WeakSet<object>()
  const add = (value: unknown, depth: number): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || found.has(value)) return
    found.add(value)
    if (depth === 0) return
    for (const key of Reflect.ownKeys(value)) {
      const own = Reflect.getOwnPropertyDescriptor(value, key)
      if (own && 'value' in own) add(own.value, depth - 1)
    }
  }
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const own = Reflect.getOwnPropertyDescriptor(globalThis, name)
    if (own && 'value' in own && typeof own.value === 'function') add(own.value, 2)
  }
  for (const fn of [async () => {}, async function* () {}, function* () {}]) add(Reflect.getPrototypeOf(fn), 2)
  return found
}
