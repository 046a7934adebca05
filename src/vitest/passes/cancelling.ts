import { besideSteps } from '../../runtime/index.ts'
import { messageOf } from '../../testing/messages.ts'

/**
 * Vitest 4 listens to the test's signal anew each time that it calls the body, and never stops. Runs the work, and takes off what that
 * listens with first; it is no part of the execution. What an execution leaves unfinished ends by that listener, so that the timer of the call is
 * stopped: it would abort the signal of all, also where a pass without control comes next.
 */
export async function listeningOnce(signal: AbortSignal, work: () => Promise<unknown>): Promise<unknown> {
  // Its own: a test environment may have put another `EventTarget` in the place of the one that it is made of.
  const { addEventListener, removeEventListener } = signal
  let listened: Parameters<EventTarget['addEventListener']> | undefined
  let endsCall: (() => void) | undefined
  Object.defineProperty(signal, 'addEventListener', {
    configurable: true,
    value: (...args: Parameters<EventTarget['addEventListener']>) => {
      Reflect.deleteProperty(signal, 'addEventListener')
      const [type, listener, options] = args
      const unlessTimedOut = (event: Event): void => {
        if (!isTimeout(signal.reason)) (listener as (event: Event) => void)(event)
      }
      listened = [type, unlessTimedOut, options]
      endsCall = () => besideSteps(() => (listener as (event: Event) => void)(new Event(type)))
      besideSteps(() => Reflect.apply(addEventListener, signal, [type, unlessTimedOut, options]))
    },
  })
  try {
    return await work()
  } finally {
    Reflect.deleteProperty(signal, 'addEventListener')
    if (listened) {
      Reflect.apply(removeEventListener, signal, listened)
      endsCall?.()
    }
  }
}

/** Whether it is what Vitest ends a test with whose time is up. */
export const isTimeout = (reason: unknown): boolean => messageOf(reason).startsWith('Test timed out in ')
