import type { Timer } from './clock.ts'
import { current, type Job, Line, type Scheduler } from './scheduler.ts'

type AnyFunction = (...args: any[]) => any

/** What the body gets from `setTimeout` and its like. */
class Handle {
  readonly #scheduler: Scheduler
  readonly #waiting: Timer | Job
  #isClosed = false

  constructor(scheduler: Scheduler, waiting: Timer | Job) {
    this.#scheduler = scheduler
    this.#waiting = waiting
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }

  /** What was cleared stays so; what is due fires later. */
  refresh(): this {
    if (this.#isClosed || !('length' in this.#waiting)) return this
    if (this.#waiting.firing) this.#waiting.firing.hasRun = true
    this.#scheduler.clock.schedule(this.#waiting)
    return this
  }

  close(): this {
    this.#isClosed = true
    if ('length' in this.#waiting) {
      this.#scheduler.clock.remove(this.#waiting)
      if (this.#waiting.firing) this.#waiting.firing.hasRun = true
    } else this.#waiting.hasRun = true
    return this
  }
}

function setTimer({ repeats }: { repeats: boolean }) {
  return (native: AnyFunction): AnyFunction =>
    (callback: AnyFunction, delay?: unknown, ...args: unknown[]) => {
      const scheduler = current
      if (!scheduler) return native(callback, delay, ...args)
      const timer = scheduler.clock.set({ callback: () => callback(...args), delay, repeats, setBy: scheduler.line, line: new Line() })
      return new Handle(scheduler, timer)
    }
}

const clear = (native: AnyFunction): AnyFunction => (handle: unknown) => (handle instanceof Handle ? void handle.close() : native(handle))

const replacements: readonly { readonly target: any; readonly key: string; readonly make: (native: AnyFunction) => AnyFunction }[] = [
  { target: globalThis, key: 'setTimeout', make: setTimer({ repeats: false }) },
  { target: globalThis, key: 'setInterval', make: setTimer({ repeats: true }) },
  {
    target: globalThis,
    key: 'setImmediate',
    make: (native) => (callback: AnyFunction, ...args: unknown[]) =>
      current ? new Handle(current, current.setImmediate(() => callback(...args))) : native(callback, ...args),
  },
  { target: globalThis, key: 'clearTimeout', make: clear },
  { target: globalThis, key: 'clearInterval', make: clear },
  { target: globalThis, key: 'clearImmediate', make: clear },
  { target: Date, key: 'now', make: (native) => () => (current ? 1e12 + current.clock.now : native()) },
  { target: performance, key: 'now', make: (native) => () => (current ? current.clock.now : Reflect.apply(native, performance, [])) },
  {
    target: AbortSignal,
    key: 'timeout',
    make: (native) => (delay: number) => {
      const scheduler = current
      if (!scheduler) return Reflect.apply(native, AbortSignal, [delay])
      const controller = new AbortController()
      const abort = (): void => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
      scheduler.clock.set({ callback: abort, delay, repeats: false, setBy: scheduler.line, line: new Line() })
      return controller.signal
    },
  },
]

/** Puts virtual time in the place of the platform's, for the steps of a reference execution; returns what undoes it. */
export function replaceGlobals(): () => void {
  const undo = replacements.map(({ target, key, make }) => {
    const own = Object.getOwnPropertyDescriptor(target, key)
    Object.defineProperty(target, key, { value: make(target[key] as AnyFunction), configurable: true, writable: true, enumerable: own?.enumerable ?? true })
    return () => {
      if (own) Object.defineProperty(target, key, own)
      else delete target[key]
    }
  })
  return () => {
    for (const restore of undo) restore()
  }
}
