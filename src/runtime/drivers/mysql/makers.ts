import { Reflect } from '../../../engine/intrinsics.ts'
import { readWhole } from '../../accesses/whole.ts'
import type { Execution } from '../../execution/execution.ts'
import { noop } from '../../execution/native.ts'
import { besideSteps } from '../../execution/running.ts'
import { OpenLine } from '../asked.ts'
import { serversOf } from '../servers.ts'
import { ask, simply } from './asking.ts'
import { call } from './calls.ts'
import { isAlive, isClosed, ofConnections, ofPools, type MysqlConnection, type MysqlFunction, type MysqlPool } from './client.ts'
import { openConnection } from './connections.ts'
import { inSteps, type Called } from './hooks.ts'

/** Connections and pools that a step makes are of its execution, and end with it. */

function ownConnection(execution: Execution, client: MysqlConnection): void {
  execution.identities.made(client)
  const closes = async (): Promise<void> => {
    if (isAlive(client)) await call(ofConnections.of(client).end, client, []).catch(noop)
  }
  openConnection(execution, client, { object: execution.identities.of(client), giveBack: closes })
}

function ownPool(execution: Execution, pool: MysqlPool): void {
  execution.identities.made(pool)
  serversOf(execution).whenOver(async () => {
    if (!isClosed(pool)) await call(ofPools.of(pool).end, pool, []).catch(noop)
  })
}

function lookAt({ execution, args, site }: Called<unknown>): void {
  for (const arg of args) if (typeof arg === 'object' && arg !== null) readWhole(execution, arg, site)
}

/** What the package makes of options. */
function made<T extends object>(original: MysqlFunction, called: Called<unknown>): T {
  lookAt(called)
  const object = besideSteps(() => Reflect.apply(original, undefined, called.args)) as T
  called.execution.identities.made(object)
  return object
}

/** What answers by callbacks. */
export function hookMakers(exported: Record<'createConnection' | 'connect' | 'createPool', MysqlFunction>): void {
  const { createConnection, createPool } = exported
  inSteps(exported, 'createConnection', (called) => {
    const client = made<MysqlConnection>(createConnection, called)
    ownConnection(called.execution, client)
    return client
  })
  exported.connect = exported.createConnection
  inSteps(exported, 'createPool', (called) => {
    const pool = made<MysqlPool>(createPool, called)
    ownPool(called.execution, pool)
    return pool
  })
}

/** What answers by promises. */
export function hookPromiseMakers(exported: Record<'createConnection' | 'createPool', MysqlFunction>): void {
  const { createConnection, createPool } = exported
  inSteps(exported, 'createConnection', (called) => {
    const { execution, args, site } = called
    lookAt(called)
    const connecting = simply('createConnection', async () => besideSteps(() => Reflect.apply(createConnection, undefined, args)))
    const { end } = connecting
    connecting.end = (_, answer) => {
      const told = end!(execution, answer, site)
      if ('value' in told) ownConnection(execution, (told.value as { readonly connection: MysqlConnection }).connection)
      return told
    }
    return ask(execution, new OpenLine({}, execution.identities.fresh()), connecting, { callback: undefined, site })
  })
  inSteps(exported, 'createPool', (called) => {
    const promisePool = made<{ readonly pool: MysqlPool }>(createPool, called)
    ownPool(called.execution, promisePool.pool)
    return promisePool
  })
}
