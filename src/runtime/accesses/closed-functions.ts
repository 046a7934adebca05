import { Object, Reflect, textOfFunction } from '../../engine/intrinsics.ts'
import { isOfPlatform } from '../execution/contents.ts'
import { isProxy } from '../execution/proxies.ts'
import type { FunctionState } from '../execution/shapes.ts'
import { isOpaqueFunction } from './function-kinds.ts'
import type { Fn } from './handler.ts'

/** Functions that are not instrumented and whose text names no state outside: what one call of them makes is apart from what all others do. */

let judge: (text: string) => FunctionState = () => 'shared'

/** Texts of functions are judged by this from now on. */
export function judgeTextsBy(by: (text: string) => FunctionState): void {
  judge = by
}

/** Longer texts are not judged. */
const longest = 20_000

const known = new WeakMap<Fn, FunctionState>()

export const isClosed = (fn: Fn): boolean => stateOf(fn) !== 'shared'

/** What it has made no function can reach that was made in the same call. */
export const keepsNothing = (fn: Fn): boolean => stateOf(fn) === 'none'

function stateOf(fn: Fn): FunctionState {
  let state = known.get(fn)
  if (state === undefined) known.set(fn, (state = isProxy(fn) ? 'shared' : judged(textOfFunction(fn))))
  return state
}

function judged(text: string): FunctionState {
  try {
    return text.length <= longest ? judge(text) : 'shared'
  } catch {
    return 'shared'
  }
}

const prototypeOf = (object: object): object | null => (isProxy(object) ? null : Object.getPrototypeOf(object) as object | null)

/** Methods and accessors that what a call has made inherits, whose text stands in that of the function which was called. */
export function closedMethodsOf(result: object, maker: Fn): Fn[] {
  const text = textOfFunction(maker)
  const found: Fn[] = []
  for (let holder = prototypeOf(result); holder !== null && !isOfPlatform(holder); holder = prototypeOf(holder)) {
    for (const key of Reflect.ownKeys(holder)) {
      const { value, get, set } = Reflect.getOwnPropertyDescriptor(holder, key)!
      for (const fn of [value, get, set]) if (typeof fn === 'function' && !isProxy(fn) && isOpaqueFunction(fn) && text.includes(textOfFunction(fn))) found.push(fn)
    }
  }
  return found
}
