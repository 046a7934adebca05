import { isProxy } from './proxies.ts'

/** Handlers of Proxies that do what given ones do, and tell what the platform makes of it. */

type Trap = Exclude<keyof ProxyHandler<object>, 'enumerate'>

const all: readonly Trap[] = [
  'get', 'set', 'has', 'deleteProperty', 'ownKeys', 'getOwnPropertyDescriptor', 'defineProperty', 'getPrototypeOf', 'setPrototypeOf', 'isExtensible',
  'preventExtensions', 'apply', 'construct',
]

/** Traps that return an object at which the platform looks itself. */
const returning: readonly Trap[] = ['ownKeys', 'getOwnPropertyDescriptor']

let lookAtResult: (result: unknown) => void = () => {}

/** What is done with the objects at which the platform looks. */
export function whenTrapsReturn(look: (result: unknown) => void): void {
  lookAtResult = look
}

/** The handler itself, if the platform looks at nothing that it returns. */
export function tellingHandler(handler: ProxyHandler<object>): ProxyHandler<object> {
  if (typeof handler !== 'object' || handler === null || isProxy(handler) || !returning.some((trap) => handler[trap])) return handler
  return forwarding(handler, all.filter((trap) => handler[trap]))
}

/** Calls back before each operation; then the operation goes on as it would have. */
export function guardedHandler(handler: ProxyHandler<object>, before: (trap: Trap) => void): ProxyHandler<object> {
  return forwarding(handler, all, before)
}

/** The traps have the given handler as `this`, and one that it gets later it has as well. */
function forwarding(handler: ProxyHandler<object>, traps: readonly Trap[], before: (trap: Trap) => void = () => {}): ProxyHandler<object> {
  const made = Object.create(handler) as Record<Trap, unknown>
  for (const name of traps) {
    made[name] = (...args: unknown[]): unknown => {
      before(name)
      const trap: unknown = handler[name]
      const result: unknown = trap === undefined || trap === null ? Reflect.apply(Reflect[name], undefined, args) : Reflect.apply(trap as () => unknown, handler, args)
      if (returning.includes(name)) lookAtResult(result)
      return result
    }
  }
  return made as ProxyHandler<object>
}
