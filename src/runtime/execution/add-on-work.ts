import { Object, Reflect } from '../../engine/intrinsics.ts'

const { AsyncResource, asyncWrapProviders = {}, createHook } = (globalThis.process?.getBuiltinModule?.('node:async_hooks') ?? {}) as Partial<typeof import('node:async_hooks') & { readonly asyncWrapProviders: Readonly<Record<string, number>> }>
const { _cache: modules = {} } = (globalThis.process?.getBuiltinModule?.('node:module') ?? {}) as unknown as { readonly _cache?: Readonly<Record<string, unknown>> }

/** What Node begins itself besides. */
const ofNode: ReadonlySet<string> = new Set([...Object.keys(asyncWrapProviders), 'TickObject', 'Immediate', 'Timeout', 'Microtask'])

/** By their numbers: pieces of work that native add-ons have begun, and that have not called back yet. */
const underWay = new Set<number>()

/** What an add-on begins while it is loaded is there for later calls, as a queue for other threads is. */
let isLoading = false

let began: () => void = () => {}

/** Is called when an add-on begins a piece of work. */
export function whenAddOnBegins(tells: () => void): void {
  began = tells
}

/** How many pieces of work native add-ons have under way: Node keeps its event loop alive for them, and does not count them among its own. */
export const addOnWork = (): number => underWay.size

/** They were waited for in vain, as a watcher is that has nothing to tell: what they call back comes when it comes. */
export const giveUpOnAddOns = (): void => underWay.clear()

/** Node tells of all that is begun under a name, and native code gives an object that is of no class. */
const isOfAddOn = (type: string, resource: object): boolean => !ofNode.has(type) && !(resource instanceof AsyncResource!) && Reflect.getPrototypeOf(resource) === Object.prototype

const hook = createHook?.({
  init(id, type, _trigger, resource) {
    if (isLoading || !isOfAddOn(type, resource)) return
    underWay.add(id)
    began()
  },
  before(id) {
    underWay.delete(id)
  },
})

/** There is one: whoever is of no module of the platform, and native, may be of an add-on. */
export let haveAddOns = false

const areThere = (): boolean => haveAddOns || Object.keys(modules).some(isAddOn)

/** Of that of this package's parser nobody asks anything in an execution. */
const isAddOn = (file: string): boolean => file.endsWith('.node') && !file.includes('@oxc-parser')

function follow(): void {
  haveAddOns = true
  hook!.enable()
}

type Load = (this: unknown, ...args: unknown[]) => unknown

/**
 * Counts what add-ons have under way, as soon as there is one: Node tells of every promise as well then, which takes time. Returns what ends it.
 */
export function followAddOns(): () => void {
  const { process } = globalThis
  if (!hook || typeof process?.dlopen !== 'function') return () => {}
  if (areThere()) follow()
  const load = process.dlopen as Load
  const loads: Load = function (this: unknown, ...args) {
    isLoading = true
    try {
      return Reflect.apply(load, this, args)
    } finally {
      isLoading = false
      if (isAddOn(String(args[1]))) follow()
    }
  }
  process.dlopen = loads as typeof process.dlopen
  return () => {
    if ((process.dlopen as unknown) === loads) process.dlopen = load as typeof process.dlopen
    hook.disable()
    underWay.clear()
  }
}
