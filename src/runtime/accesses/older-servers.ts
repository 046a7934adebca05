import type { Execution } from '../execution/execution.ts'
import { functionName, classNameOf } from '../execution/values.ts'
import { connectionsTo, listeningServers, portsOf, type Adopted, type Server, type Socket } from '../execution/loopback.ts'
import type { ForeignPromises } from '../execution/foreign.ts'
import { afterMacrotask } from '../execution/native.ts'
import { Process } from '../execution/process.ts'
import { replaceListeners } from '../execution/saved-listeners.ts'
import { kindOf } from './function-kinds.ts'
import type { Fn } from './handler.ts'
import { forgetConnections } from './kept-connections.ts'
import { isHeard, listenersOf } from './listeners.ts'
import { adoptedListeners, putListenersBack } from './real-callbacks.ts'

/** Turns of the event loop in which a connection is taken, or over. */
const mostTurns = 100

const classOf = (name: 'node:http' | 'node:https'): typeof import('node:http').Server | undefined => globalThis.process?.getBuiltinModule?.(name as 'node:http').Server
const httpClasses = [classOf('node:http'), classOf('node:https')].filter((found) => found !== undefined)

const isHttp = (server: Server): boolean => httpClasses.some((type) => server instanceof type)

const socketsMade = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel').channel('net.client.socket')

/** What Node itself listens for at a server. */
let ofServers: Set<unknown> | undefined
const isOfServer = (listener: Fn): boolean => (ofServers ??= new Set(httpClasses.flatMap((type) => listenersOf(new type())))).has(listener)

/** Of what Node listens for at sockets there is no list. */
const isOfSocket = (listener: Fn): boolean => kindOf(listener) !== 'own'

/**
 * Servers that listen when an exploration begins, as those that `beforeAll` starts. What those for HTTP call while an execution is under way is a step of it,
 * as of servers that its body starts, and so is what is called for connections to them; what has been sent by its end, and has not come, comes in no other.
 */
export class OlderServers {
  readonly #adopted: Adopted
  readonly #others: readonly Server[]
  #execution: Execution | undefined
  /** Made by the execution. */
  readonly #clients = new Set<Socket>()

  constructor() {
    const servers = listeningServers()
    const adopted = servers.filter(isHttp)
    this.#adopted = { servers: adopted, sockets: adopted.length > 0 ? connectionsTo(adopted).filter(isHeard) : [] }
    // Clients of databases, for which a server may stand, do not wait in steps for what it answers.
    this.#others = servers.filter((server) => !isHttp(server))
  }

  get #emitters(): readonly (Server | Socket)[] {
    return [...this.#adopted.servers, ...this.#adopted.sockets]
  }

  /** Does work that runs executions. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#adopted.servers.length === 0) return work()
    const heard = (message: unknown): void => {
      this.#clients.add((message as { readonly socket: Socket }).socket)
      this.#execution?.foreign.opened()
    }
    socketsMade?.subscribe(heard)
    this.#forgetConnections()
    try {
      return await work()
    } finally {
      socketsMade?.unsubscribe(heard)
    }
  }

  /** An execution begins. */
  adopt(execution: Execution): void {
    if (this.#adopted.servers.length === 0) return
    this.#execution = execution
    execution.foreign.loopback.adopts(this.#adopted)
    const emitters = this.#emitters
    const processes = emitters.map((emitter) => new Process(-1, classNameOf(emitter)))
    // In one order, whichever of them is asked first.
    const called = (): void => execution.processes.rootLater(processes)
    for (const [i, emitter] of emitters.entries()) {
      const adopted = adoptedListeners(execution, emitter, { process: processes[i]!, called })
      const isNodes = i < this.#adopted.servers.length ? isOfServer : isOfSocket
      replaceListeners(emitter, (event, listener) => (isNodes(listener) ? listener : adopted(event, listener)))
    }
  }

  /** @param staysSo what the execution has opened stays open */
  async release({ foreign }: Execution, { staysSo }: { readonly staysSo: boolean }): Promise<void> {
    if (this.#adopted.servers.length === 0) return
    // Nobody hears of what comes until then.
    if (!staysSo) await this.#disconnect(foreign)
    this.#clients.clear()
    this.#execution = undefined
    for (const emitter of this.#emitters) putListenersBack(emitter)
  }

  async #disconnect({ loopback }: ForeignPromises): Promise<void> {
    this.#forgetConnections()
    for (let turn = 0; turn < mostTurns; turn++) {
      const { sockets, waits } = loopback.toAdopted(this.#clients)
      if (sockets.length === 0 && loopback.traffic() !== 'in flight') return
      // One that is given up before it is taken would be taken later, with what was sent.
      if (!waits || turn > mostTurns / 2) for (const socket of sockets) socket.destroy()
      await new Promise<void>(afterMacrotask)
    }
  }

  #forgetConnections(): void {
    forgetConnections(portsOf(this.#adopted.servers))
  }

  /** Functions of the program, by name, that the other servers call: they run in turns of the event loop, and in no step. */
  get callsInNoStep(): readonly string[] {
    const listeners = this.#others.flatMap(listenersOf)
    return [...new Set(listeners.filter((listener) => kindOf(listener) === 'own').map((listener) => functionName(listener) || 'a listener'))]
  }
}
