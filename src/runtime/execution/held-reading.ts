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

/** What has to come before more is read. */
interface Awaited {
  readonly isOver: boolean
}

interface Held {
  readonly awaited: Awaited[]
  readonly goOn: () => void
}

/**
 * What nobody reads yet. Whoever is handed a connection, or what comes by it, has that before the event loop looks for more: so nothing is read while he waits for his turn, and what comes
 * next is an event of its own. Immediates that a callback of the platform sets come before all that its end of a connection has sent can be read at the other one, for which the event
 * loop has to look for it: whoever reads gets what they send with it. So do those that are set by who is handed a connection before what comes by that.
 */
export class HeldReading {
  readonly #held = new Map<object, Held>()
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
    return this.#held.has(socket)
  }

  /** Whoever is handed this, or what has come by it, waits for his turn. What is returned is to be called by the step that takes it. */
  waitsFor(socket: object): () => void {
    const turn = { isOver: false }
    if (!this.#hold(socket, [turn])) return noop
    return () => {
      if (turn.isOver) return
      turn.isOver = true
      this.#readers.add(socket)
      this.#release()
    }
  }

  /** The running step is over, and the event loop takes a turn. `reaches` is told what could be read but for what was over by then: what comes by that comes after this step. */
  eventEnds(reaches: (sockets: readonly object[]) => void): void {
    const goesOn: object[] = []
    for (const [socket, { awaited }] of this.#held) {
      const still = awaited.filter(({ isOver }) => !isOver)
      if (still.length === awaited.length) continue
      goesOn.push(socket)
      awaited.splice(0, Infinity, ...still)
    }
    if (goesOn.length > 0) reaches(goesOn)
    const after = this.#immediates.filter(({ isOver }) => !isOver)
    if (after.length > 0) for (const socket of this.#readers) this.#hold(socket, after)
    this.#isCallback = false
    this.#immediates = []
    this.#readers.clear()
    this.#release()
  }

  /** Whether it could be held. */
  #hold(socket: object, awaited: readonly Awaited[]): boolean {
    const held = this.#held.get(socket)
    if (held) {
      held.awaited.push(...awaited)
      return true
    }
    const handle = handleOf(socket)
    if (!handle?.reading || !handle.readStop || !handle.readStart) return false
    handle.readStop()
    Object.defineProperty(handle, 'readStart', { value: noop, configurable: true, writable: true })
    const goOn = (): void => {
      Reflect.deleteProperty(handle, 'readStart')
      if (handleOf(socket) === handle && handle.reading) handle.readStart!()
    }
    this.#held.set(socket, { awaited: [...awaited], goOn })
    return true
  }

  #release(): void {
    for (const [socket, { awaited, goOn }] of this.#held) {
      if (!awaited.every(({ isOver }) => isOver)) continue
      this.#held.delete(socket)
      goOn()
    }
  }

  /** The execution is over. */
  close(): void {
    const held = [...this.#held.values()]
    this.#held.clear()
    for (const { goOn } of held) goOn()
  }
}
