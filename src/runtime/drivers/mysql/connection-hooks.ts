import { Reflect } from '../../../engine/intrinsics.ts'
import { noop } from '../../execution/native.ts'
import { besideSteps, running } from '../../execution/running.ts'
import { ask, simply } from './asking.ts'
import { call, isToldFromHere } from './calls.ts'
import { noteClient, ofConnections, type Command, type ConnectionFunctions, type MysqlConnection, type MysqlFunction } from './client.ts'
import { connectionOf } from './connections.ts'
import { argumentsOf, changing, closing, commanded, executed, queried, type Arguments, type Given } from './given.ts'
import { before, callbackOf, inSteps, isSeen, refuseStream, withoutCallback, type Called } from './hooks.ts'
import { isUsedUnseen } from './session.ts'
import { Statement } from './statement.ts'

type Name = 'query' | 'execute' | 'prepare' | 'ping' | 'reset' | 'changeUser' | 'connect' | 'end' | 'close' | 'addCommand'

type ConnectionClass = ConnectionFunctions['Connection'] & {
  readonly prototype: Record<Name, MysqlFunction>
  createQuery(text: string, values: unknown, callback: unknown, config: object): Command
}

/** Commands that nobody waits for. */
const silent = new Set(['ClientHandshake', 'CloseStatement'])

/** What is no text that somebody gave. */
function stateOwn({ execution, receiver: client, args, site }: Called<MysqlConnection>, given: Given): unknown {
  const connection = connectionOf(execution, client)
  return ask(execution, connection.line, new Statement(execution, given, connection), { callback: callbackOf(args), site })
}

/** Connections that answer by callbacks: all others stand on them. */
export function hookConnection(Connection: ConnectionClass): void {
  const { prototype } = Connection
  const { query, execute, connect, end, close, addCommand } = prototype
  ofConnections.remember(prototype, { Connection, query, execute, connect, end, close })

  const state = ({ execution, receiver: client, args, site }: Called<MysqlConnection>, givenOf: (given: Arguments) => Given): unknown => {
    const given = argumentsOf(execution, args, site)
    if (typeof given.callback !== 'function') refuseStream(execution, site)
    const connection = connectionOf(execution, client)
    ask(execution, connection.line, new Statement(execution, givenOf(given), connection), { callback: given.callback, site })
    // Whoever likes may listen to it.
    return Connection.createQuery(given.text, undefined, given.callback, client.config)
  }
  inSteps<MysqlConnection, Name>(prototype, 'query', (called) => state(called, queried))
  inSteps<MysqlConnection, Name>(prototype, 'execute', (called) => state(called, executed))

  for (const name of ['prepare', 'ping', 'connect'] as const) {
    const original = prototype[name]
    inSteps<MysqlConnection, Name>(prototype, name, ({ execution, receiver: client, args, site }) =>
      ask(execution, connectionOf(execution, client).line, simply(name, () => call(original, client, withoutCallback(args))), { callback: callbackOf(args), site }),
    )
  }
  for (const name of ['reset', 'changeUser'] as const) {
    const original = prototype[name]
    inSteps<MysqlConnection, Name>(prototype, name, (called) => stateOwn(called, changing(name, ({ client }) => call(original, client, withoutCallback(called.args)))))
  }
  inSteps<MysqlConnection, Name>(prototype, 'end', (called) => stateOwn(called, closing((client) => call(end, client, []))))
  inSteps<MysqlConnection, Name>(prototype, 'close', (called) => stateOwn({ ...called, args: [] }, closing(async (client) => besideSteps(() => void Reflect.apply(close, client, [])))))

  inSteps<MysqlConnection, Name>(prototype, 'addCommand', ({ execution, receiver: client, args, site }) => {
    const command = args[0] as Command
    if (silent.has(command.constructor.name)) return besideSteps(() => Reflect.apply(addCommand, client, args))
    const { onResult: callback = noop } = command
    // What was prepared before is executed.
    if (command.statement === undefined) refuseStream(execution, site)
    const connection = connectionOf(execution, client)
    ask(execution, connection.line, new Statement(execution, commanded(addCommand, command), connection), { callback, site })
    return command
  })
  before<MysqlConnection, Name>(prototype, 'addCommand', (connection) => {
    noteClient(connection)
    if (running === null && !isToldFromHere()) isUsedUnseen(connection)
  })
  for (const name of ['format', 'escape', 'escapeId', 'destroy']) isSeen(prototype, name)
}
