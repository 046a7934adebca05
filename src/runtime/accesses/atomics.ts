import { Reflect } from '../../engine/intrinsics.ts'
import type { Fn, Handler } from './handler.ts'
import { beforeChange, isObject, keyOf, recordRead, recordWrite } from './telling.ts'

const looks = ['load']
const changes = ['add', 'and', 'compareExchange', 'exchange', 'or', 'store', 'sub', 'xor']

function atomic(fn: Fn, { isChange }: { readonly isChange: boolean }): Handler {
  return (execution, receiver, args, site) => {
    const [view, index] = args
    if (!isObject(view)) return Reflect.apply(fn, receiver, args)
    if (isChange) beforeChange(execution, view)
    const key = keyOf(index)
    // What it puts there does not depend on what there was.
    if (fn !== Atomics.store) recordRead(execution, view, key, site, undefined)
    const result: unknown = Reflect.apply(fn, receiver, args)
    // One that compares and finds something else changes nothing.
    const isFutile = fn === Atomics.compareExchange && Atomics.load(view as Int32Array, Number(index)) === result
    if (isChange && !isFutile) recordWrite(execution, view, key, site, result)
    return result
  }
}

/** Who waits somewhere, and who wakes those who do: which comes first decides who goes on. What is woken goes on in a turn of the event loop. */
function ofWaiters(fn: Fn, { compares }: { readonly compares: boolean }): Handler {
  return (execution, receiver, args, site) => {
    const [view, index, , timeout] = args
    if (compares && takesTime(timeout)) execution.cut.giveUp(byRealClock)
    if (compares && isObject(view)) recordRead(execution, view, keyOf(index), site, undefined)
    execution.accesses.takeTurn(execution.identities.named('waiters of Atomics'))
    execution.mayHavePosted()
    return Reflect.apply(fn, receiver, args)
  }
}

const byRealClock = 'the body calls Atomics.waitAsync with a timeout, which is over by a clock that is real: wait without one, and let a timer wake whoever waits'

/** Whether a wait may end because time is over. */
function takesTime(timeout: unknown): boolean {
  return typeof timeout === 'number' ? timeout > 0 && timeout < Infinity : timeout !== undefined
}

export function atomicsHandlers(): [Fn, Handler][] {
  const functions = Atomics as unknown as Record<string, Fn>
  return [
    ...looks.map((name): [Fn, Handler] => [functions[name]!, atomic(functions[name]!, { isChange: false })]),
    ...changes.map((name): [Fn, Handler] => [functions[name]!, atomic(functions[name]!, { isChange: true })]),
    [functions['notify']!, ofWaiters(functions['notify']!, { compares: false })],
    ...(functions['waitAsync'] ? [[functions['waitAsync'], ofWaiters(functions['waitAsync'], { compares: true })] satisfies [Fn, Handler]] : []),
  ]
}
