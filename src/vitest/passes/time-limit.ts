/** What Vitest sets when it calls a hook. */
interface Timer {
  unref(): Timer
  close(): Timer
}

/** Where timers have their methods; undefined where they are numbers. */
const timers = ((): Timer | undefined => {
  const timer: unknown = setTimeout(() => {}, 0)
  clearTimeout(timer as number)
  return typeof timer === 'object' && timer !== null && 'close' in timer ? (Reflect.getPrototypeOf(timer) as Timer) : undefined
})()

/**
 * The timer by which Vitest ends a hook that takes too long. Of a hook that an execution has left, as it was given up, nobody stops it: it would abort the signal of the test, in
 * whichever execution that is by then.
 */
export class TimeLimit {
  #timer: Timer | undefined

  /** Calls a hook. The first that Vitest does is to set the timer, and to let go of it. */
  of<T>(call: () => T): T {
    const own = timers && Reflect.getOwnPropertyDescriptor(timers, 'unref')
    if (!own) return call()
    let isThere = true
    const giveBack = (): void => {
      if (isThere) Reflect.defineProperty(timers, 'unref', own)
      isThere = false
    }
    const meets = (timer: Timer): Timer => {
      giveBack()
      this.#timer = timer
      return timer.unref()
    }
    Reflect.defineProperty(timers, 'unref', {
      ...own,
      value(this: Timer) {
        return meets(this)
      },
    })
    try {
      return call()
    } finally {
      giveBack()
    }
  }

  /** The hook is left. */
  end(): void {
    this.#timer?.close()
  }
}
