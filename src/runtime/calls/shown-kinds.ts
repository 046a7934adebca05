import { Object, Reflect } from '../../engine/intrinsics.ts'
import { isAsynchronous, isGenerating } from '../execution/asynchronous.ts'
import { isProxy } from '../execution/proxies.ts'

type Ask = (value: unknown) => boolean

const shown = Symbol.for('vitest-dpor.shown-kinds')

/**
 * From now on `util.types` says of what stands for an async function what it would say of that. `util.inspect` asks the platform itself.
 *
 * @returns what stands in the place of functions of the platform
 */
export function showKinds(): readonly Ask[] {
  const before = Reflect.get(globalThis, shown) as readonly Ask[] | undefined
  const types = globalThis.process?.getBuiltinModule?.('node:util').types as Record<string, Ask> | undefined
  // The module is there once for all realms, which have functions of their own.
  if (before || !types || Reflect.getPrototypeOf(types) !== Object.prototype) return before ?? []
  const asked = [...saying(types, 'isAsyncFunction', isAsynchronous), ...saying(types, 'isGeneratorFunction', isGenerating)]
  Object.defineProperty(globalThis, shown, { value: asked, configurable: true })
  globalThis.process!.getBuiltinModule('node:module').syncBuiltinESMExports()
  return asked
}

function saying(types: Record<string, Ask>, name: string, ofStandIn: (fn: object) => boolean): Ask[] {
  const own = Reflect.getOwnPropertyDescriptor(types, name)
  if (typeof own?.value !== 'function' || !own.configurable) return []
  const native = own.value as Ask
  const asked = { [name]: (value: unknown): boolean => native(value) || (typeof value === 'function' && !isProxy(value) && ofStandIn(value)) }[name]!
  for (const key of ['name', 'length']) Reflect.defineProperty(asked, key, Reflect.getOwnPropertyDescriptor(native, key)!)
  Object.defineProperty(types, name, { ...own, value: asked })
  return [asked]
}
