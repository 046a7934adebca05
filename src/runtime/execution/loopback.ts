import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { HeldReading } from './held-reading.ts'
import type { LateConnects } from './late-connects.ts'
import type { LateEnds } from './late-ends.ts'
import { openHandles, type OlderHandles } from './open-handles.ts'
import type { Connections } from './reached-outside.ts'
import type { NodeEmitter } from './saved-listeners.ts'

const handle = '_handle'
const readable = '_readableState'
const message = '_httpMessage'

/** A socket of Node, as far as it tells what has come and gone through it. */
export interface Socket extends NodeJS.EventEmitter, NodeEmitter {
  readonly localPort?: number
  readonly remotePort?: number
  readonly remoteAddress?: string
  readonly connecting: boolean
  readonly bytesRead: number
  readonly bytesWritten: number
  readonly writable: boolean
  readonly writableFinished: boolean
  readonly destroyed: boolean
  readonly encrypted?: boolean
  destroy(): void
  /** Of Node's own: */
  readonly [handle]?: { readonly reading?: boolean; readonly writeQueueSize?: number; readonly fd?: number } | null
  readonly [readable]: { readonly ended: boolean }
  /** Of a client, the request that is not answered yet. */
  readonly [message]?: { readonly writableEnded?: boolean } | null
  /** Who has taken it. */
  readonly server?: unknown
}

export interface Server extends NodeJS.EventEmitter, NodeEmitter {
  readonly listening: boolean
  address(): { readonly port: number } | string | null
}

/** What a server answers. */
interface Response {
  readonly writableEnded: boolean
}

/** Servers, and connections to them. */
export interface Adopted {
  readonly servers: readonly Server[]
  readonly sockets: readonly Socket[]
}

/** What asks somebody elsewhere and has no answer yet: a request of HTTP for certain, unless the program has yet to give more of its body; a connection by which something was sent last, perhaps. */
export type Asking = 'certainly' | 'perhaps' | 'not yet' | 'no'

/** `unknown`: one end of something is elsewhere, or does not tell. */
export type Traffic = 'in flight' | 'none' | 'unknown'

const net = globalThis.process?.getBuiltinModule?.('node:net')

export const isSocket = (open: unknown): open is Socket => net !== undefined && open instanceof net.Socket
const isServer = (open: object): open is Server => net !== undefined && open instanceof net.Server

const isResponse = (value: unknown): value is Response => typeof value === 'object' && value !== null && !isSocket(value) && 'writableEnded' in value && 'statusCode' in value

/** Whether it is no pipe of a process. */
export const isConnection = ({ server, remotePort }: Socket): boolean => Boolean(server) || remotePort !== undefined

/** By Windows no handle has one. */
const haveDescriptors = globalThis.process?.platform !== 'win32'

/** The program plays this connection, as a library does that answers requests itself: it tells of another end, and the operating system knows of none. */
const isPlayed = (open: object): boolean => haveDescriptors && isSocket(open) && (open[handle]?.fd ?? 0) < 0 && open.remotePort !== undefined

/** Of a request or a response, the connection that it had when it was last looked at. */
const lastSockets = new WeakMap<object, Socket>()

/** Of a connection, a request or its response: of one that is over, whose connection Node has taken away from it, the one that it had. */
export function socketOf(value: unknown): Socket | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (isSocket(value)) return value
  const socket: unknown = Reflect.getOwnPropertyDescriptor(value, 'socket')?.value
  if (typeof socket !== 'object' || socket === null || !isSocket(socket)) return lastSockets.get(value)
  lastSockets.set(value, socket)
  return socket
}

/** Servers that wait for connections now. */
export const listeningServers = (): readonly Server[] => openHandles().filter(isServer).filter(({ listening }) => listening)

/** Connections to servers of this process that are open now, by their ends. */
export function connectionsTo(servers: readonly Server[]): readonly Socket[] {
  const ports = portsOf(servers)
  return openHandles().filter(isSocket).filter((socket) => isClientOf(socket, ports) || ports.has(socket.localPort))
}

const ofThisMachine = /^(?:::ffff:)?127\.|^::1$/

const pairOf = (socket: Socket): string => `${socket.localPort} ${socket.remotePort}`
const reversedPairOf = (socket: Socket): string => `${socket.remotePort} ${socket.localPort}`

/**
 * Connections both ends of which are in this process: a server and its clients in one test. What one end has sent and the other has not
 * got is certain to come, however long that takes, and nothing else can come.
 */
export class Loopback {
  /** What was open before. */
  readonly #older: OlderHandles
  /** What of that counts as of now. */
  #adopted: Adopted = { servers: [], sockets: [] }
  readonly #others = new WeakMap<Socket, Socket>()
  /** What each one had sent and got when it was last looked at. */
  readonly #seen = new WeakMap<Socket, { readonly sent: number; readonly got: number; readonly asks: boolean }>()

  /** How many bytes each one had to send yet when it was last looked at. */
  readonly #queued = new WeakMap<Socket, number>()

  /** Connections that servers of this process have taken, by the ports of the clients. */
  readonly #taken = new Set<number | undefined>()

  readonly #lateEnds: LateEnds
  readonly #lateConnects: LateConnects
  readonly #heldReading: HeldReading

  constructor(older: OlderHandles, { ends, connects, reading }: { readonly ends: LateEnds; readonly connects: LateConnects; readonly reading: HeldReading }) {
    this.#older = older
    this.#lateEnds = ends
    this.#lateConnects = connects
    this.#heldReading = reading
  }

  isOlder(open: object): boolean {
    return this.#older.has(open)
  }

  /** Whether it is an end of a connection to an adopted server. */
  isOfAdopted(open: object): boolean {
    const { servers, sockets } = this.#adopted
    if (servers.length === 0) return false
    const ports = portsOf(servers)
    return [...servers, ...sockets].includes(open as Server) || (isSocket(open) && (isClientOf(open, ports) || ports.has(open.localPort)))
  }

  /** A connection that was open before is asked something for the first time: what it has sent and got by now is nothing of that. */
  begins(open: object): void {
    if (isSocket(open)) this.#seen.set(open, { sent: open.bytesWritten, got: open.bytesRead, asks: false })
  }

  /**
   * Where a server, or an end of a connection that one has taken, tells of something that another process has sent, or a thread: whether that has
   * its answer, as far as it is known.
   */
  answerToOthers(emitter: unknown, args: readonly unknown[]): (() => boolean) | undefined {
    if (net === undefined) return undefined
    const socket = emitter instanceof net.Server ? args.map(socketOf).find((found) => found !== undefined) : emitter instanceof net.Socket && Reflect.get(emitter, 'server') ? (emitter as unknown as Socket) : undefined
    if (socket?.remotePort === undefined) return undefined
    this.#pair([socket, ...this.#handles().filter(isSocket)])
    if (this.#others.has(socket)) return undefined
    const response = args.find(isResponse)
    const { bytesWritten } = socket
    return () => socket.destroyed || (response ? response.writableEnded : socket.bytesWritten > bytesWritten)
  }

  /** The connections that these are of, or belong to, by one of their ends; undefined where one has no other end in this process. */
  connectionsOf(things: readonly unknown[]): Connections {
    const sockets = [...new Set(things.map(socketOf).filter((socket) => socket !== undefined))]
    if (sockets.length === 0) return undefined
    if (sockets.some((socket) => !this.#others.has(socket))) this.#pair([...sockets, ...this.#handles().filter(isSocket)])
    const ends = sockets.map((socket) => (socket.server ? socket : this.#others.get(socket)))
    return ends.every((end): end is Socket => end !== undefined && this.#others.has(end)) ? ends : undefined
  }

  /** The running step sends something by these. */
  sendsBy(things: readonly unknown[]): void {
    for (const socket of things.map(socketOf)) {
      const other = socket && !socket.encrypted ? this.#others.get(socket) : undefined
      if (other) this.#heldReading.sendsTo(other)
    }
  }

  /** A server is handed this, and may be done with it before anybody looks. */
  takes({ server, remotePort }: Socket): void {
    if (server) this.#taken.add(remotePort)
  }

  adopts(adopted: Adopted): void {
    this.#adopted = adopted
  }

  /**
   * Sockets of this process by which it is connected to adopted servers, at both ends, but for those that are older. `waits`: of some the other end is not there yet.
   * @param made clients that keep no process alive, and that Node tells of by nothing else
   */
  toAdopted(made: Iterable<Socket>): { readonly sockets: readonly Socket[]; readonly waits: boolean } {
    const { servers, sockets: older } = this.#adopted
    const ports = portsOf(servers)
    const sockets = [...new Set([...made, ...this.#handles().filter(isSocket)])].filter((socket) => !socket.destroyed && !older.includes(socket))
    this.#pair(sockets)
    const clients = sockets.filter((socket) => socket.connecting || isClientOf(socket, ports))
    const taken = clients.flatMap((client) => this.#others.get(client) ?? [])
    // Whoever would close these hears of nothing any more.
    const left = sockets.filter((socket) => ports.has(socket.localPort) && (socket[readable].ended || this.#others.get(socket)?.destroyed))
    return { sockets: [...new Set([...clients, ...taken, ...left])], waits: clients.length > taken.length }
  }

  #handles(): readonly object[] {
    const { servers, sockets } = this.#adopted
    const counted = new Set<object>([...servers, ...sockets])
    return openHandles().filter((open) => (!this.#older.has(open) || counted.has(open)) && !isPlayed(open))
  }

  traffic(): Traffic {
    const handles = this.#handles()
    const sockets = handles.filter(isSocket)
    if (sockets.some((socket) => socket.connecting && !this.#lateConnects.holds(socket))) return 'in flight'
    this.#pair(sockets)
    const ports = portsOf(handles.filter(isServer))
    // The server has not taken such a connection yet.
    if (this.#lateConnects.all.some((late) => isClientOf(late, ports) && !this.#taken.has(late.localPort) && !sockets.some(({ remotePort }) => remotePort === late.localPort))) return 'in flight'
    let isUnknown = false
    for (const socket of sockets) {
      const traffic = this.#trafficOf(socket, ports)
      if (traffic === 'in flight') return traffic
      isUnknown ||= traffic === 'unknown'
    }
    return isUnknown ? 'unknown' : 'none'
  }

  /** How many write to whom nobody reads at the other end, and get nothing more away: the program itself has to read before any of these ends. */
  stalledWrites(): number {
    const sockets = this.#handles().filter(isSocket)
    this.#pair(sockets)
    return sockets.filter((socket) => this.#isStalled(socket)).length
  }

  #isStalled(socket: Socket): boolean {
    const other = this.#others.get(socket)
    const queued = socket[handle]?.writeQueueSize ?? 0
    const before = this.#queued.get(socket)
    this.#queued.set(socket, queued)
    return queued > 0 && queued === before && !socket.encrypted && other !== undefined && !other.destroyed && !this.#reads(other)
  }

  /** Whether somebody elsewhere is asked: in another process, on another machine. */
  asks(): Asking {
    const handles = this.#handles()
    const sockets = handles.filter(isSocket)
    this.#pair(sockets)
    const ports = portsOf(handles.filter(isServer))
    let asking: Asking = 'no'
    for (const socket of sockets) {
      const isOfOthers = socket.remotePort !== undefined && !socket.server && !this.#others.has(socket) && !isClientOf(socket, ports)
      // What has come by it is taken first, and may be all that it asks for.
      if (!isOfOthers || this.#lateEnds.holds(socket)) continue
      const isUnfinished = hasMoreToSend(socket)
      if (socket[message] && !isUnfinished) return 'certainly'
      const hasSent = this.#sentLast(socket)
      if (isUnfinished && asking === 'no') asking = 'not yet'
      else if (hasSent && !isUnfinished) asking = 'perhaps'
    }
    return asking
  }

  #sentLast(socket: Socket): boolean {
    const { bytesWritten: sent, bytesRead: got } = socket
    const seen = this.#seen.get(socket) ?? { sent: 0, got: 0, asks: false }
    const asks = got === seen.got && (sent > seen.sent || seen.asks)
    this.#seen.set(socket, { sent, got, asks })
    return asks
  }

  #pair(sockets: readonly Socket[]): void {
    // One that is not connected yet has no ports, and no other end.
    const single = sockets.filter((socket) => socket.remotePort !== undefined && !socket.destroyed && !this.#others.has(socket))
    const byPair = new Map(single.map((socket) => [pairOf(socket), socket]))
    for (const socket of single) {
      const other = byPair.get(reversedPairOf(socket))
      if (other) this.#others.set(socket, other)
    }
  }

  #trafficOf(socket: Socket, ports: ReadonlySet<number | undefined>): Traffic {
    if (socket.encrypted) return 'unknown'
    // Nothing is sent before both ends know of it.
    if (this.#lateConnects.holds(socket) || this.#lateConnects.all.some(({ localPort }) => localPort !== undefined && localPort === socket.remotePort)) return 'none'
    const other = this.#others.get(socket)
    if (!other && socket.destroyed) return 'none'
    if (!other && this.#taken.has(socket.localPort)) return this.#hasEndFor(socket) ? 'in flight' : 'none'
    // The server has not taken the connection yet.
    if (!other) return isClientOf(socket, ports) ? 'in flight' : 'unknown'
    return this.#hasMoreFor(socket, other) || this.#hasMoreFor(other, socket) ? 'in flight' : 'none'
  }

  /** Whether `to` reads, and has not got all that `from` has sent. */
  #hasMoreFor(to: Socket, from: Socket): boolean {
    if (!this.#reads(to)) return false
    return from.bytesWritten > to.bytesRead || ((from.destroyed || from.writableFinished) && this.#hasEndFor(to))
  }

  #reads(to: Socket): boolean {
    return !to.destroyed && to[handle]?.reading === true && !this.#heldReading.isHeld(to)
  }

  /** Whether it reads, and has not got the end of what the other side sends. */
  #hasEndFor(to: Socket): boolean {
    return this.#reads(to) && !to[readable].ended && !this.#lateEnds.has(to)
  }
}

export const portsOf = (servers: readonly Server[]): ReadonlySet<number | undefined> => new Set(servers.map(portOf))

const isClientOf = (socket: { readonly remotePort?: number | undefined; readonly remoteAddress?: string | undefined }, ports: ReadonlySet<number | undefined>): boolean => ports.has(socket.remotePort) && ofThisMachine.test(socket.remoteAddress!)

function portOf(server: Server): number | undefined {
  const address = server.address()
  return typeof address === 'object' ? address?.port : undefined
}

/** A request goes by it whose body the program has yet to give: nobody answers before that, as a rule. */
function hasMoreToSend(socket: Socket): boolean {
  const request = socket[message]
  if (request) return request.writableEnded === false
  // The client behind `fetch` keeps it under a symbol of its own.
  const writing = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'writing')
  return writing !== undefined && Reflect.get(socket, writing) === true
}
