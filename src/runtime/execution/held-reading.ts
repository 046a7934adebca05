import { Object, Reflect } from '../../engine/intrinsics.ts'
import { noop } from './native.ts'
import type { Turn } from './turns.ts'

/** By which Node reads from a connection. */
interface Handle {
  /** Whether it is to. */
  readonly reading?: boolean
  readStart?(): unknown
  readStop?(): unknown
}

const handleOf = (socket: object): Handle | undefined => (Reflect.get(socket, '_handle') as Handle | null | undefined) ?? undefined

interface Held {
  readonly after: readonly Turn[]
  readonly socket: object
  readonly goOn: () => void
}

/**
 * What nobody reads yet. Immediates that a callback of the platform sets come before all that its end of a connection has sent can be read at the other one, for which the event loop
 * has to look for it: whoever reads gets what they send with it.
 */
export class HeldReading {
  #held: readonly Held[] = []
  #isCallback = false
  #immediates: Turn[] = []
  readonly #readers = new Set<object>()

  /** The running step is a callback of the platform. */
  callbackBegins(): void {
    this.#isCallback = true
  }

  /** The running step sets one. */
  setsImmediate(turn: Turn | undefined): void {
    if (this.#isCallback && turn) this.#immediates.push(turn)
  }

  /** The running step sends something to this. */
  sendsTo(socket: object): void {
    if (this.#isCallback) this.#readers.add(socket)
  }

  isHeld(socket: object): boolean {
    return this.#held.some((held) => held.socket === socket)
  }

  /** The running step is over, and the event loop takes a turn. */
  eventEnds(): void {
    const after = this.#immediates.filter(({ isOver }) => !isOver)
    if (after.length > 0) for (const socket of this.#readers) this.#hold(socket, after)
    this.#isCallback = false
    this.#immediates = []
    this.#readers.clear()
    this.#release(({ after: turns }) => turns.every(({ isOver }) => isOver))
  }

  #hold(socket: object, after: readonly Turn[]): void {
    const handle = handleOf(socket)
    if (!handle?.reading || !handle.readStop || !handle.readStart || this.isHeld(socket)) return
    handle.readStop()
    Object.defineProperty(handle, 'readStart', { value: noop, configurable: true, writable: true })
    const goOn = (): void => {
      Reflect.deleteProperty(handle, 'readStart')
      if (handleOf(socket) === handle && handle.reading) handle.readStart!()
    }
    this.#held = [...this.#held, { after, socket, goOn }]
  }

  #release(isOver: (held: Held) => boolean): void {
    if (this.#held.length === 0) return
    const over = this.#held.filter(isOver)
    this.#held = this.#held.filter((held) => !over.includes(held))
    for (const { goOn } of over) goOn()
  }

  /** The execution is over. */
  close(): void {
    this.#release(() => true)
  }
}
