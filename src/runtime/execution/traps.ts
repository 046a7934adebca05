import { Object, Reflect } from '../../engine/intrinsics.ts'
import { property } from './keys.ts'
import { isProxy } from './proxies.ts'
import { running } from './running.ts'

/** Handlers of Proxies that do what given ones do, and tell what the platform makes of it. */

type Trap = Exclude<keyof ProxyHandler<object>, 'enumerate'>

const all: readonly Trap[] = [
  'get', 'set', 'has', 'deleteProperty', 'ownKeys', 'getOwnPropertyDescriptor', 'defineProperty', 'getPrototypeOf', 'setPrototypeOf', 'isExtensible',
  'preventExtensions', 'apply', 'construct',
]

const handlers = new WeakSet<object>()

/** Whether a property of an object is a trap of a Proxy. */
export function isTrap(object: object, name: PropertyKey): boolean {
  return handlers.has(object) && (all as readonly PropertyKey[]).includes(name)
}

/** Traps that return an object at which the platform looks itself. */
const returning: readonly Trap[] = ['ownKeys', 'getOwnPropertyDescriptor']

let lookAtResult: (result: unknown) => void = () => {}

/** What is done with the objects at which the platform looks. */
export function whenTrapsReturn(look: (result: unknown) => void): void {
  lookAtResult = look
}

type Called = (fn: () => unknown, receiver: unknown, args: unknown[]) => unknown

let callTarget: Called = (fn, receiver, args) => Reflect.apply(fn, receiver, args)

/** Who calls the target of a Proxy that has no trap for calls. */
export function whenTargetsAreCalled(call: Called): void {
  callTarget = call
}

/** The handler itself, if the platform looks at nothing that it returns. */
export function tellingHandler(handler: ProxyHandler<object>): ProxyHandler<object> {
  if (typeof handler !== 'object' || handler === null || isProxy(handler)) return handler
  handlers.add(handler)
  // That nobody changes a trap is taken for granted until somebody does.
  const { assumptions } = running?.identities ?? {}
  if (assumptions && all.some((trap) => !assumptions.fixed.has(trap))) return guardedHandler(handler)
  if (!returning.some((trap) => handler[trap])) return handler
  return forwarding(handler, all.filter((trap) => handler[trap]))
}

/** Looks at each trap that an operation asks for, after calling back; then the operation goes on as it would have. */
export function guardedHandler(handler: ProxyHandler<object>, before: (trap: Trap) => void = () => {}): ProxyHandler<object> {
  handlers.add(handler)
  return forwarding(handler, all, (trap) => {
    before(trap)
    if (running !== null) running.accesses.read(running.identities.of(handler), property(trap), running.here, handler[trap])
  })
}

/** The traps have the given handler as `this`, and one that it gets later it has as well. */
function forwarding(handler: ProxyHandler<object>, traps: readonly Trap[], before: (trap: Trap) => void = () => {}): ProxyHandler<object> {
  const made = Object.create(handler) as ProxyHandler<object>
  for (const name of traps) {
    const told = (...args: unknown[]): unknown => {
      before(name)
      const trap: unknown = handler[name]
      const result: unknown = trap === undefined || trap === null ? withoutTrap(name, args) : Reflect.apply(trap as () => unknown, handler, args)
      if (returning.includes(name)) lookAtResult(result)
      return result
    }
    Object.defineProperty(made, name, { value: told, writable: true, enumerable: true, configurable: true })
  }
  return made
}

function withoutTrap(name: Trap, args: unknown[]): unknown {
  return name === 'apply' ? Reflect.apply(callTarget, undefined, args) : Reflect.apply(Reflect[name], undefined, args)
}
