import { Reflect } from '../../engine/intrinsics.ts'
import { isOfEnvironment } from '../execution/environment.ts'
import { isInstrumented } from '../execution/instrumented.ts'
import { isProxy } from '../execution/proxies.ts'
import { classNameOf, functionName, recordedValue } from '../execution/values.ts'

/** A call of a method of a page, or of a setter, as one would write it: `<ul>.append(<li>)`, `<li#first>.textContent = "b"`. */
export function callText(fn: object, receiver: unknown, args: readonly unknown[]): string {
  const name = functionName(fn)
  const whose = typeof receiver === 'object' && receiver !== null ? `${nodeText(receiver)}.` : ''
  return name.startsWith('set ') ? `${whose}${name.slice(4)} = ${argumentText(args[0])}` : `${whose}${name}(${args.map(argumentText).join(', ')})`
}

function argumentText(value: unknown): string {
  return typeof value === 'object' && value !== null && !isProxy(value) && isOfEnvironment(value) ? nodeText(value) : recordedValue(value, undefined).text
}

/** `<li#first>`; `document`; of what is no node its class. */
function nodeText(object: object): string {
  if (isProxy(object)) return 'object'
  const own = platformPrototype(object)
  if (own === null) return classNameOf(object)
  const name: unknown = Reflect.get(own, 'nodeName', object)
  if (typeof name !== 'string') return classNameOf(object)
  if (name.startsWith('#')) return name === '#document' ? 'document' : name
  const id: unknown = Reflect.get(own, 'id', object)
  return `<${name.toLowerCase()}${typeof id === 'string' && id !== '' ? `#${id}` : ''}>`
}

/** That of the environment's own class, whose accessors run no code of the user. */
function platformPrototype(object: object): object | null {
  for (let prototype = Reflect.getPrototypeOf(object); prototype !== null; prototype = Reflect.getPrototypeOf(prototype)) {
    const constructor: unknown = Reflect.getOwnPropertyDescriptor(prototype, 'constructor')?.value
    if (typeof constructor !== 'function' || !isInstrumented(constructor)) return prototype
  }
  return null
}
