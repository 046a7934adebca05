/** What Node does later without a file, a process or a socket, made of the events that an enumeration chooses from. */

interface Timers {
  readonly start: (callback: () => void, delay: number, args: unknown[], repeats: boolean) => object
  readonly clear: (id: unknown) => void
  /** @returns what takes it back */
  readonly setImmediate: (callback: () => void) => () => void
}

interface Options {
  readonly signal?: AbortSignal | undefined
}

class AbortError extends Error {
  override readonly name = 'AbortError'
}

/** The promises of `node:timers/promises`, as Node makes them. */
export function timersPromises({ start, clear, setImmediate }: Timers): Record<string, unknown> {
  const after = (begin: (run: () => void) => () => void, value: unknown, signal: AbortSignal | undefined): Promise<unknown> => {
    if (signal?.aborted) return Promise.reject(new AbortError())
    let cancel = (): void => {}
    const promise = new Promise((fulfil, reject) => {
      const end = begin(() => fulfil(value))
      cancel = () => {
        end()
        reject(new AbortError())
      }
      signal?.addEventListener('abort', cancel)
    })
    return signal ? promise.finally(() => signal.removeEventListener('abort', cancel)) : promise
  }
  return {
    setTimeout: (delay: number, value: unknown, { signal }: Options = {}) =>
      after((run) => {
        const id = start(run, delay, [], false)
        return () => clear(id)
      }, value, signal),
    setImmediate: (value: unknown, { signal }: Options = {}) => after(setImmediate, value, signal),
    async *setInterval(delay: number, value: unknown) {
      let fired = 0
      let goOn: (() => void) | undefined
      const id = start(() => {
        fired++
        goOn?.()
        goOn = undefined
      }, delay, [], true)
      try {
        for (;;) {
          if (fired === 0) await new Promise<void>((done) => (goOn = done))
          for (; fired > 0; fired--) yield value
        }
      } finally {
        clear(id)
      }
    },
  }
}

type Hear = (value: unknown) => void

/** Channels each of whose messages is an event, which comes after those before it that go the same way. @param comes one more event may come from now on */
export function channelsOf(comes: (order: object, run: () => void) => void): new () => { readonly port1: unknown; readonly port2: unknown } {
  class Port {
    other: Port | undefined
    #hear: Hear | undefined
    #isClosed = false

    on(_: 'message', hear: Hear): void {
      this.#hear = hear
    }

    postMessage(value: unknown): void {
      const { other } = this
      if (this.#isClosed || !other) return
      comes(other, () => {
        if (!other.#isClosed) other.#hear?.(value)
      })
    }

    close(): void {
      this.#isClosed = true
    }
  }
  return class {
    readonly port1 = new Port()
    readonly port2 = new Port()

    constructor() {
      this.port1.other = this.port2
      this.port2.other = this.port1
    }
  }
}

/** `Date` by a clock of its own, which stands still but while a timer is waited for. @param now milliseconds since it began */
export function clockOf(now: () => number): DateConstructor {
  return class extends Date {
    constructor(...given: []) {
      if (given.length > 0) super(...given)
      else super(now())
    }

    static override now(): number {
      return now()
    }
  } as DateConstructor
}
