import { KeptMap, Reflect } from '../../engine/intrinsics.ts'
import { propertyOf } from '../execution/replaced-tools.ts'

/**
 * Methods of built-ins that what explores works with itself, on its own arrays and maps, while a body runs. Should a body put others
 * in their place, it would call those.
 */
export const methodsAtWork: ReadonlySet<PropertyKey> = new Set<PropertyKey>([
  'add', 'apply', 'at', 'bind', 'call', 'charCodeAt', 'clear', 'codePointAt', 'concat', 'copyWithin', 'delete', 'endsWith', 'entries', 'every', 'exec', 'fill',
  'filter', 'find', 'findIndex', 'findLast', 'flat', 'flatMap', 'forEach', 'get', 'has', 'includes', 'indexOf', 'isWellFormed', 'join', 'keys', 'lastIndexOf', 'map', 'matchAll',
  'next', 'padStart', 'pop', 'push', 'reduce', 'replace', 'return', 'set', 'shift', 'size', 'slice', 'some', 'sort', 'splice', 'split', 'startsWith', 'subarray',
  'test', 'throw', 'toLowerCase', 'toReversed', 'toSorted', 'toSpliced', 'values', 'length', 'byteLength', 'byteOffset', Symbol.iterator,
])

const prototypeOf = (value: object): object => Reflect.getPrototypeOf(value) as object

/** Where they are. */
const holders = new Set<object>([
  ...[globalThis.Array, Map, Set, WeakMap, WeakSet, WeakRef, Function, String, RegExp].map((type) => type.prototype as object),
  prototypeOf(Int32Array.prototype),
  ...[Uint8Array, Int32Array, Uint32Array, Float64Array].map((type) => type.prototype),
  prototypeOf(prototypeOf([].values())),
  prototypeOf(prototypeOf((function* () {})())),
  ...[[], new Map(), new Set()].map((list) => prototypeOf(list.values())),
])

/** Constructors and namespaces of the global object that it works with, or that are not looked for by name (`ofLanguage` of the plugin). */
const globals = new Set<PropertyKey>([
  'Array', 'ArrayBuffer', 'Atomics', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean', 'DataView', 'Float32Array', 'Float64Array', 'Function', 'Int16Array', 'Int32Array',
  'Int8Array', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Reflect', 'RegExp', 'Set', 'SharedArrayBuffer', 'String', 'Symbol', 'Uint16Array', 'Uint32Array', 'Uint8Array',
  'Uint8ClampedArray', 'WeakMap', 'WeakRef', 'WeakSet',
])

/** Those that it does not work with, but Vitest does: a step may have others in their place as long as it puts them back. */
const errorTypes = new KeptMap<PropertyKey, PropertyDescriptor>(
  ['Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'].map((name) => [name, propertyOf(globalThis, name)!]),
)

/** What the platform has there, if it is an error's constructor on the global object. */
export const errorTypeOf = (object: object, name: PropertyKey): PropertyDescriptor | undefined => (object === globalThis ? errorTypes.get(name) : undefined)

/** What its own lists would find where they have nothing, and would call where they are given something. */
const isElement = (object: object, name: PropertyKey): boolean => (object === globalThis.Array.prototype || object === globalThis.Object.prototype) && typeof name === 'string' && /^\d+$/.test(name)

/** What its own lists are made by, when one is made from another. */
const isOfSpecies = (object: object, name: PropertyKey): boolean => (object === globalThis.Array && name === Symbol.species) || (object === globalThis.Array.prototype && name === 'constructor')

/** What descriptors would have, those of the runtime as well. */
const fieldsOfDescriptors = new Set<PropertyKey>(['get', 'set', 'value', 'writable', 'enumerable', 'configurable'])

/** Whether a body that changes this property puts something in the place of what the runtime works with. */
export function isTool(object: object, name: PropertyKey): boolean {
  if (object === globalThis) return globals.has(name)
  if (object === globalThis.Object.prototype && fieldsOfDescriptors.has(name)) return true
  return isOfSpecies(object, name) || isElement(object, name) || (methodsAtWork.has(name) && holders.has(object))
}
