import { Array, Object, Reflect, textOfFunction } from '../../engine/intrinsics.ts'
import { isInstrumented } from './instrumented.ts'
import { isProxy } from './proxies.ts'

/**
 * The test environment: the documents, elements, events and storage of jsdom or happy-dom, and of windows that a program makes by itself
 * (`new JSDOM()`). All of it leads to all of it, so it counts as one thing with one state.
 */

/** Whether the test runner has put an environment on the global object. */
export function hasEnvironment(): boolean {
  const document: unknown = Reflect.get(globalThis, 'document')
  return typeof document === 'object' && document !== null
}

/** The accessor by which a document was found last. */
let foundBy: unknown

/** The same for those who ask with every access, as a window takes long to answer: what stands behind the same accessor counts as still there. */
export function mayHaveEnvironment(): boolean {
  const get = Reflect.getOwnPropertyDescriptor(globalThis, 'document')?.get
  if (get !== undefined && get === foundBy) return true
  if (!hasEnvironment()) return false
  foundBy = get
  return true
}

const known = new WeakMap<object, boolean>()

/** Whether the object is the window, or of a class that the environment has put on the global object, or that a window of the program's own has. Not for a Proxy. */
export function isOfEnvironment(object: object): boolean {
  if (object === globalThis) return mayHaveEnvironment()
  const prototype = Reflect.getPrototypeOf(object)
  if (prototype === null || prototype === Object.prototype || prototype === Array.prototype || prototype === Function.prototype) return false
  // Whose traps would run.
  if (isProxy(prototype)) return false
  let is = known.get(prototype)
  if (is === undefined) known.set(prototype, (is = (mayHaveEnvironment() && isGlobalClass(prototype)) || isOfOwnWindow(prototype) || isOfEnvironment(prototype)))
  return is
}

const nativeText = '{ [native code] }'

/** The prototype of a class on the global object that is written in JavaScript, but not by the user. */
function isGlobalClass(prototype: object): boolean {
  const { constructor, name } = classOf(prototype) ?? {}
  // Test runners put such classes there by accessors.
  return name !== undefined && Object.hasOwn(globalThis, name) && Reflect.get(globalThis, name) === constructor
}

/** What the classes of a window inherit from, and those that stand alone and have a state. */
const baseClasses = new Set([
  'EventTarget', 'Event', 'Storage', 'Location', 'History', 'Navigator', 'Screen', 'Selection', 'AbstractRange', 'NodeList', 'HTMLCollection', 'NamedNodeMap',
  'DOMTokenList', 'DOMStringMap', 'DOMImplementation', 'StyleSheetList', 'CSSStyleDeclaration', 'NodeIterator', 'TreeWalker', 'MutationObserver', 'DOMParser', 'XMLSerializer',
])

/** The prototype of such a class of a window that is not on the global object. Each says its name, as the DOM has it. */
function isOfOwnWindow(prototype: object): boolean {
  const name: unknown = Reflect.getOwnPropertyDescriptor(prototype, Symbol.toStringTag)?.value
  if (typeof name !== 'string' || !baseClasses.has(name)) return false
  const found = classOf(prototype)
  // Node has written some of its own in JavaScript.
  return found?.name === name && Reflect.get(globalThis, name) !== found.constructor
}

/** A class that is written in JavaScript, but not by the user, by its prototype. */
function classOf(prototype: object): { readonly constructor: object; readonly name: string } | undefined {
  const constructor: unknown = Reflect.getOwnPropertyDescriptor(prototype, 'constructor')?.value
  if (typeof constructor !== 'function') return undefined
  const name: unknown = Reflect.getOwnPropertyDescriptor(constructor, 'name')?.value
  if (typeof name !== 'string' || textOfFunction(constructor).endsWith(nativeText) || isInstrumented(constructor)) return undefined
  return { constructor, name }
}

const proxies = new WeakMap<object, boolean>()

/** The same of a Proxy of which no target is known, as the lists and stores of a window are. */
export function isProxyOfEnvironment(proxy: object): boolean {
  let is = proxies.get(proxy)
  if (is === undefined) proxies.set(proxy, (is = isOfEnvironment(proxy)))
  return is
}
