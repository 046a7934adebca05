import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { STATE } from '../execution/keys.ts'
import { isChannel } from '../execution/restorers.ts'
import { activeChannel } from './channels.ts'
import { detach } from './detaching.ts'
import { isBuffer } from './bytes.ts'
import { tellingFirst, USED, type CallPlatform, type Fn, type Handler } from './handler.ts'
import { component, lookAtState } from './operations.ts'
import { beforeStateChange, changed, isObject } from './telling.ts'

/**
 * Classes of the platform that have no table of their own, and whose instances keep something inside: what a getter or a method does
 * is told as a look at that or as a change of it.
 */

const builtIn = globalThis.process?.getBuiltinModule as ((name: string) => object | undefined) | undefined

/** What has such classes. Those of real input and output are not among them: what they do comes from outside. */
const holders: readonly unknown[] = [
  Reflect.get(globalThis, 'WebAssembly'),
  Object.fromEntries(['MessagePort', 'BroadcastChannel', 'DisposableStack', 'AsyncDisposableStack'].map((name) => [name, Reflect.get(globalThis, name)])),
  Object.fromEntries(['dns', 'dns/promises'].flatMap((name) => withBase(name, Reflect.get(builtIn?.(`node:${name}`) ?? {}, 'Resolver')))),
  ...['util', 'v8', 'diagnostics_channel', 'crypto', 'async_hooks', 'perf_hooks'].map((name) => builtIn?.(`node:${name}`)),
]

/** A class, and what it extends. */
function withBase(name: string, found: unknown): [string, unknown][] {
  return typeof found === 'function' ? [[name, found], [`base of ${name}`, Reflect.getPrototypeOf(found)]] : []
}

/** Classes whose instances never change, or are told of elsewhere. */
const excepted = new Set(['AsyncResource', 'KeyObject', 'X509Certificate', 'Certificate', 'TextEncoder', 'TextDecoder', 'Performance', 'PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure', 'Module', 'Instance'])

/** Methods that change nothing that others see, in whatever class. Any other may. */
const looking = /^(?:get|has|is|to)(?=$|[A-Z])|^(?:entries|keys|values|publish|runStores|run|enterWith|exit)$/

function collect(): Set<object> {
  const found = new Set<object>()
  for (const holder of holders) {
    if (!isObject(holder)) continue
    for (const { value } of Object.values(Object.getOwnPropertyDescriptors(holder))) {
      if (typeof value !== 'function' || excepted.has(value.name)) continue
      const prototype: unknown = Reflect.getOwnPropertyDescriptor(value, 'prototype')?.value
      if (isObject(prototype)) found.add(prototype)
    }
  }
  return activeChannel ? found.add(activeChannel) : found
}

const prototypes = collect()

/** Whether it is the prototype of such a class. */
export function isOfStateful(prototype: object): boolean {
  return prototypes.has(prototype)
}

const members = [...prototypes].flatMap((prototype) => Reflect.ownKeys(prototype).map((key) => ({ key, ...Reflect.getOwnPropertyDescriptor(prototype, key) })))

/** The names of the accessors of these classes. */
export const statefulAccessors: readonly PropertyKey[] = members.filter(({ get }) => get).map(({ key }) => key)

export function statefulHandlers(call: CallPlatform): (readonly [Fn, Handler])[] {
  const method = (fn: Fn, looks: boolean): Handler =>
    tellingFirst(call, fn, (execution, receiver, _args, site) => {
      if (!isObject(receiver)) return
      if (fn === memory?.grow) losesBytes(execution, receiver, site)
      ;(looks ? lookAtState : change)(execution, receiver, site)
    })
  return members.flatMap(({ key, value, get, set }): (readonly [Fn, Handler])[] => [
    ...(typeof value === 'function' && key !== 'constructor' ? [[value as Fn, method(value as Fn, typeof key === 'string' && looking.test(key))] as const] : []),
    ...(get ? [[get as Fn, getter(get as Fn)] as const] : []),
    ...(set ? [[set as Fn, method(set as Fn, false)] as const] : []),
  ])
}

const memory = (Reflect.get(globalThis, 'WebAssembly') as { Memory?: { prototype: Record<'grow', Fn> } } | undefined)?.Memory?.prototype

const bufferOfMemory = memory && Reflect.getOwnPropertyDescriptor(memory, 'buffer')?.get

/** A memory that grows has another buffer from then on. The one that it had has the same name as for who looks at it. */
function losesBytes(execution: Execution, grown: object, site: SiteId): void {
  const buffer: unknown = bufferOfMemory && component(bufferOfMemory as Fn)(execution, grown, [], site, USED)
  if (isBuffer(buffer)) detach(execution, buffer, site)
}

/** Nobody can put it back, but for who hears of a channel. */
const change: typeof lookAtState = (execution, object, site) => {
  if (isChannel(object)) beforeStateChange(execution, object)
  changed(execution, object, STATE, site, undefined)
}

/** What it gives that is an object belongs to the one that has it. */
function getter(get: Fn): Handler {
  const part = component(get)
  return (execution, receiver, args, site, use) => {
    if (isObject(receiver)) lookAtState(execution, receiver, site)
    return part(execution, receiver, args, site, use)
  }
}
