import { besideSteps } from '../../execution/running.ts'
import { OpenLine } from '../asked.ts'
import { nameOf } from '../names.ts'
import { ask, simply } from './asking.ts'
import { apply } from './calls.ts'
import type { MysqlConnection, MysqlFunction, MysqlPool } from './client.ts'
import { connectionOf } from './connections.ts'
import { argumentsOf, changing, closing, executed, queried, stating, type Given } from './given.ts'
import { inSteps, isSeen, type Called } from './hooks.ts'
import { checkOut, stateByPool } from './pooled.ts'
import { Statement } from './statement.ts'

/** What answers by promises stands on what answers by callbacks. */
interface OnConnection {
  readonly connection: MysqlConnection
}

interface OnPool {
  readonly pool: MysqlPool
  readonly Promise: unknown
}

interface OnStatement {
  readonly statement: { readonly query: string; readonly _connection: MysqlConnection }
}

/** What the package itself promises. No step runs meanwhile. */
const promised = (fn: MysqlFunction, receiver: unknown, args: readonly unknown[]): Promise<unknown> => apply(fn, receiver, args) as Promise<unknown>

const state = ({ execution, site }: Called<unknown>, client: MysqlConnection, given: Given): unknown => {
  const connection = connectionOf(execution, client)
  return ask(execution, connection.line, new Statement(execution, given, connection), { callback: undefined, site })
}

type ConnectionName = 'query' | 'execute' | 'beginTransaction' | 'commit' | 'rollback' | 'prepare' | 'ping' | 'reset' | 'changeUser' | 'connect' | 'end'

export function hookPromiseConnection({ prototype }: { readonly prototype: Record<ConnectionName, MysqlFunction> }): void {
  const hook = (name: ConnectionName, act: (called: Called<OnConnection>, original: MysqlFunction) => unknown): void => {
    const original = prototype[name]
    inSteps<OnConnection, ConnectionName>(prototype, name, (called) => act(called, original))
  }
  hook('query', (called) => state(called, called.receiver.connection, queried(argumentsOf(called.execution, called.args, called.site))))
  hook('execute', (called) => state(called, called.receiver.connection, executed(argumentsOf(called.execution, called.args, called.site))))
  hook('beginTransaction', (called) => state(called, called.receiver.connection, stating('START TRANSACTION')))
  hook('commit', (called) => state(called, called.receiver.connection, stating('COMMIT')))
  hook('rollback', (called) => state(called, called.receiver.connection, stating('ROLLBACK')))
  for (const name of ['reset', 'changeUser'] as const) hook(name, (called, original) => state(called, called.receiver.connection, changing(name, () => promised(original, called.receiver, called.args))))
  hook('end', (called, original) => state(called, called.receiver.connection, closing(() => promised(original, called.receiver, []))))
  for (const name of ['release', 'close', 'destroy', 'format', 'escape', 'escapeId']) isSeen(prototype, name)
  for (const name of ['prepare', 'ping', 'connect'] as const) {
    hook(name, ({ execution, receiver, args, site }, original) => ask(execution, connectionOf(execution, receiver.connection).line, simply(name, () => promised(original, receiver, args)), { callback: undefined, site }))
  }
}

/** Of one connection of a pool. */
export const hookPromisePooled = ({ prototype }: { readonly prototype: object }): void => isSeen(prototype, 'destroy')

/** Of what was prepared. */
export function hookPrepared({ prototype }: { readonly prototype: Record<'execute', MysqlFunction> }): void {
  const { execute } = prototype
  inSteps<OnStatement, 'execute'>(prototype, 'execute', (called) => {
    const { receiver, args: [values = []] } = called
    const { query, _connection: client } = receiver.statement
    return state(called, client, { textOf: () => query, values: values as readonly unknown[], run: () => promised(execute, receiver, [values]) })
  })
}

export function hookPromisePool({ prototype }: { readonly prototype: Record<'getConnection' | 'query' | 'execute' | 'end', MysqlFunction> }): void {
  const { end } = prototype
  type Name = keyof typeof prototype
  inSteps<OnPool, Name>(prototype, 'getConnection', ({ execution, receiver: { pool, Promise }, site }) => checkOut(execution, pool, (client) => besideSteps(() => client.promise!(Promise)), { callback: undefined, site }))
  isSeen(prototype, 'releaseConnection')
  inSteps<OnPool, Name>(prototype, 'query', ({ execution, receiver: { pool }, args, site }) => stateByPool(execution, pool, queried(argumentsOf(execution, args, site)), { callback: undefined, site }))
  inSteps<OnPool, Name>(prototype, 'execute', ({ execution, receiver: { pool }, args, site }) => stateByPool(execution, pool, executed(argumentsOf(execution, args, site)), { callback: undefined, site }))
  inSteps<OnPool, Name>(prototype, 'end', ({ execution, receiver, site }) => ask(execution, new OpenLine(receiver, nameOf(execution, receiver.pool)), simply('end', () => promised(end, receiver, [])), { callback: undefined, site }))
}
