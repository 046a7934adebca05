import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { ForeignPromises } from './foreign.ts'
import { afterMacrotask, inMicrotask } from './native.ts'
import { running } from './running.ts'

/** A socket of Node, as far as it is told by this that nothing comes any more. */
interface Ending {
  push(chunk: unknown): unknown
  read(size: number): unknown
  destroy(error?: unknown): unknown
  rawListeners?(event: 'error'): readonly Fn[]
}

interface Late {
  /** So many of what has come by it wait for their turn. */
  waiting: number
  /** What it was told meanwhile. */
  readonly told: (() => void)[]
  /** What Node has found wrong with what came in one go with the last of that: it is told so at once then. */
  readonly wrong: (() => void)[]
  /** That still comes. */
  isComing: boolean
  /** Node's own answer to such a thing, of the end of a server. */
  readonly answersErrors: Fn | undefined
  readonly putBack: () => void
}

type Fn = (...args: readonly unknown[]) => unknown

/** The function of Node by which a server of HTTP answers what is no request, and ends the connection. */
const answering = 'socketOnError'

/** Of each connection by which something has come that waits for its turn. */
const lateOf = new WeakMap<object, Late>()

/**
 * A server of HTTP has found what came by a connection to be no request. Where a request before that waits for its turn, the server answers and ends the connection once that has had it:
 * whether to, and how, it decides by what the response has sent by then. False if nothing waits.
 */
export function errsLater(socket: object, error: unknown): boolean {
  const late = lateOf.get(socket)
  const answersErrors = late?.answersErrors
  if (!answersErrors) return false
  const err = (): void => void Reflect.apply(answersErrors, socket, [error])
  if (late.isComing) late.wrong.push(err)
  else late.told.push(err)
  return true
}

/**
 * Ends of connections. What has come by a connection may still wait for its turn when the other side ends it. Node itself listens to that, and would answer it before
 * the program has seen what came first, as no plain run does: a server of HTTP ends a connection without the responses to requests that are held.
 */
export class LateEnds {
  /** To which it is told what is still to come. */
  readonly #foreign: Pick<ForeignPromises, 'isClosed' | 'expects' | 'came'>
  readonly #late = new Map<object, Late>()

  constructor(foreign: Pick<ForeignPromises, 'isClosed' | 'expects' | 'came'>) {
    this.#foreign = foreign
  }

  /** Whether this is still to be told that it has ended. */
  has(socket: object): boolean {
    return (this.#late.get(socket)?.told.length ?? 0) > 0
  }

  /** Whether something has come by this that waits for its turn. */
  holds(socket: object): boolean {
    return this.#late.has(socket)
  }

  /** Something that has come by this waits for its turn. What is returned is to be called when it has had that. */
  waitsFor(socket: object): () => void {
    let late = this.#late.get(socket)
    if (!late) this.#late.set(socket, (late = this.#hold(socket as Ending)))
    const { told, wrong, putBack } = late
    late.waiting++
    late.isComing = true
    inMicrotask(() => (late.isComing = false))
    return () => {
      if (--late.waiting > 0 || this.#late.get(socket) !== late) return
      this.#late.delete(socket)
      lateOf.delete(socket)
      putBack()
      for (const err of wrong) err()
      if (told.length === 0) return
      // As the platform would tell of it: while no step runs.
      this.#foreign.expects()
      afterMacrotask(() => {
        tell(late)
        this.#foreign.came()
      })
    }
  }

  #hold(socket: Ending): Late {
    const told: (() => void)[] = []
    const inLieuOf = (name: 'push' | 'destroy', isEnd: (arg: unknown) => boolean): (() => void) => {
      const own = Object.getOwnPropertyDescriptor(socket, name)
      const native = socket[name]
      const value = (...args: unknown[]): unknown => {
        '__dpor'
        if (running !== null || this.#foreign.isClosed || !isEnd(args[0])) return Reflect.apply(native, socket, args)
        // By then something else may wait that came before.
        told.push(() => {
          Reflect.apply(socket[name], socket, args)
          // As Node does, by which also who reads nothing gets to the end.
          if (name === 'push') socket.read(0)
        })
        return name === 'push' ? false : socket
      }
      Object.defineProperty(socket, name, { value, configurable: true, writable: true, enumerable: false })
      return () => {
        if (Object.getOwnPropertyDescriptor(socket, name)?.value !== value) return
        if (own) Object.defineProperty(socket, name, own)
        else Reflect.deleteProperty(socket, name)
      }
    }
    const back = [inLieuOf('push', (chunk) => chunk === null), inLieuOf('destroy', () => true)]
    const answersErrors = socket.rawListeners?.('error').find(({ name }) => name === answering)
    const late: Late = { waiting: 0, told, wrong: [], isComing: false, answersErrors, putBack: () => back.forEach((putBack) => putBack()) }
    lateOf.set(socket, late)
    return late
  }

  /** The execution is over: nothing waits any more. */
  close(): void {
    for (const [socket, late] of this.#late) {
      lateOf.delete(socket)
      late.putBack()
      tell(late)
    }
    this.#late.clear()
  }
}

function tell({ told }: Late): void {
  for (const tellOne of told) tellOne()
}
