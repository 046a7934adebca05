import { Object, Reflect } from '../../engine/intrinsics.ts'
import { inContext } from './contexts.ts'

/** By which Node learns that a connection is there. */
interface Connecting {
  readonly oncomplete: (...args: unknown[]) => unknown
}

type Connect = (request: Connecting, ...args: unknown[]) => unknown

/** Takes what Node does with a connection that is there, to call it later; false if that is not to wait. */
type Waits = (socket: object, connect: () => void) => boolean

let waits: Waits | undefined

/** Calls back when a socket has been connected. */
export function whenConnected(callback: Waits): void {
  waits = callback
}

/** Of the two functions that Node has called then, that of connections that have one address. */
const ofOneAddress = 'afterConnect'

let isFollowing = false

/** From now on who connects is known: by what Node has beneath its sockets. It is deprecated to ask for that. */
export function followConnects(binding: (name: 'tcp_wrap' | 'pipe_wrap') => Readonly<Record<string, unknown>> | undefined): void {
  if (isFollowing) return
  isFollowing = true
  for (const type of [binding('tcp_wrap')?.['TCP'], binding('pipe_wrap')?.['Pipe']]) {
    const prototype = typeof type === 'function' ? (type.prototype as Record<string, Connect>) : undefined
    for (const name of ['connect', 'connect6']) if (prototype && Object.hasOwn(prototype, name)) prototype[name] = followed(prototype[name]!)
  }
}

const followed = (connect: Connect): Connect =>
  function (this: object, request, ...args) {
    const { oncomplete } = request
    if (oncomplete?.name === ofOneAddress) {
      Reflect.set(request, 'oncomplete', (...told: unknown[]) => {
        const complete = (): void => void Reflect.apply(oncomplete, request, told)
        const [status] = told
        const socket = status === 0 ? socketOf(this) : undefined
        if (!socket || !waits?.(socket, inContext(complete))) complete()
      })
    }
    return Reflect.apply(connect, this, [request, ...args])
  }

function socketOf(handle: object): object | undefined {
  const owner = Object.getOwnPropertySymbols(handle).find(({ description }) => description === 'owner_symbol')
  return owner && (Reflect.get(handle, owner) as object | undefined)
}

/** A connection that is there, by its ports, where it has any. */
export interface LateConnect {
  readonly localPort?: number | undefined
  readonly remotePort?: number | undefined
  readonly remoteAddress?: string | undefined
  readonly connect: () => void
}

interface Address {
  readonly address?: string
  readonly port?: number
}

/** What Node has beneath a socket. */
interface Handle {
  readonly getsockname?: (found: Address) => unknown
  readonly getpeername?: (found: Address) => unknown
}

function lateConnect(socket: object, connect: () => void): LateConnect {
  const handle = Reflect.get(socket, '_handle') as Handle | null
  const [local, remote]: [Address, Address] = [{}, {}]
  handle?.getsockname?.(local)
  handle?.getpeername?.(remote)
  return { localPort: local.port, remotePort: remote.port, remoteAddress: remote.address, connect }
}

/**
 * Connections that are there, which the program is still to learn. Node sends what was written so far once it learns that itself, and the other side would have that while who
 * has sent it waits for the connection: so Node learns it in the same step.
 */
export class LateConnects {
  readonly #late = new Map<object, LateConnect>()

  holds(socket: object): boolean {
    return this.#late.has(socket)
  }

  get all(): readonly LateConnect[] {
    return [...this.#late.values()]
  }

  /** What is returned is to be called in the step that takes it. */
  waits(socket: object, connect: () => void): () => void {
    this.#late.set(socket, lateConnect(socket, connect))
    return () => {
      if (this.#late.delete(socket)) connect()
    }
  }

  /** The execution is over: nothing waits any more. */
  close(): void {
    const late = [...this.#late.values()]
    this.#late.clear()
    for (const { connect } of late) connect()
  }
}
