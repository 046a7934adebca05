import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { ForeignPromises } from './foreign.ts'
import { afterMacrotask } from './native.ts'
import { running } from './running.ts'

/** A socket of Node, as far as it is told by this that nothing comes any more. */
interface Ending {
  push(chunk: unknown): unknown
  read(size: number): unknown
  destroy(error?: unknown): unknown
}

interface Late {
  /** So many of what has come by it wait for their turn. */
  waiting: number
  /** What it was told meanwhile. */
  readonly told: (() => void)[]
  readonly putBack: () => void
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
    const { told, putBack } = late
    late.waiting++
    return () => {
      if (--late.waiting > 0 || this.#late.get(socket) !== late) return
      this.#late.delete(socket)
      putBack()
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
    return { waiting: 0, told, putBack: () => back.forEach((putBack) => putBack()) }
  }

  /** The execution is over: nothing waits any more. */
  close(): void {
    for (const late of this.#late.values()) {
      late.putBack()
      tell(late)
    }
    this.#late.clear()
  }
}

function tell({ told }: Late): void {
  for (const tellOne of told) tellOne()
}
