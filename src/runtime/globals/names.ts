import { Object, Reflect } from '../../engine/intrinsics.ts'
import { kindOf } from '../accesses/function-kinds.ts'
import { callPlatform } from '../accesses/invoke.ts'
import type { Execution } from '../execution/execution.ts'
import { running } from '../execution/running.ts'
import type { AnyFunction } from './timers.ts'

/** A question for the address of a name, as long as an earlier one has no answer. */
interface Asked {
  answer: (() => void) | undefined
}

/**
 * `dns.lookup` of Node, which its sockets call as well: threads answer it, in whichever order they are done, and that of the connections would be another one each
 * time. What its own code asks for is answered in the order of the questions of one execution: nobody waits for an answer to one that is over.
 */
export function lookupFunction(native: AnyFunction): AnyFunction {
  let asking: Execution | null = null
  let questions: Asked[] = []
  const controlled = function (this: unknown, ...args: unknown[]): unknown {
    const callback = args.at(-1)
    if (typeof callback !== 'function') return Reflect.apply(native, this, args)
    if (kindOf(callback as AnyFunction) === 'own') return running === null ? Reflect.apply(native, this, args) : callPlatform(running, native, this, args, running.call?.site ?? 0)
    if (running !== null && running !== asking) {
      asking = running
      questions = []
    }
    const waiting = questions
    const asked: Asked = { answer: undefined }
    const inTurn = (...found: unknown[]): void => {
      asked.answer = () => Reflect.apply(callback as AnyFunction, undefined, found) as void
      while (waiting[0]?.answer) waiting.shift()!.answer!()
    }
    const request: unknown = Reflect.apply(native, this, [...args.slice(0, -1), inTurn])
    waiting.push(asked)
    return request
  }
  // By which Node promisifies it.
  return Object.defineProperties(controlled, Object.getOwnPropertyDescriptors(native))
}
