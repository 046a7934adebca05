import { Reflect } from '../../../engine/intrinsics.ts'
import { besideSteps } from '../../execution/running.ts'
import { OpenLine } from '../asked.ts'
import { nameOf } from '../names.ts'
import { ask, simply } from './asking.ts'
import { call } from './calls.ts'
import { notePool, ofPools, type MysqlConnection, type MysqlFunction, type MysqlPool } from './client.ts'
import { knownConnection } from './connections.ts'
import { argumentsOf, executed, queried, type Arguments, type Given } from './given.ts'
import { before, callbackOf, inSteps, isSeen, refuseStream, type Called } from './hooks.ts'
import { checkOut, stateByPool } from './pooled.ts'

type Name = 'getConnection' | 'releaseConnection' | 'query' | 'execute' | 'end'

function state({ execution, receiver: pool, args, site }: Called<MysqlPool>, givenOf: (given: Arguments) => Given): void {
  const given = argumentsOf(execution, args, site)
  if (typeof given.callback !== 'function') refuseStream(execution, site)
  stateByPool(execution, pool, givenOf(given), { callback: given.callback, site })
}

/** Pools that answer by callbacks: all others stand on them. */
export function hookPool({ prototype }: { readonly prototype: Record<Name, MysqlFunction> }): void {
  const { getConnection, releaseConnection, end } = prototype
  ofPools.remember(prototype, { getConnection, releaseConnection, end })
  inSteps<MysqlPool, Name>(prototype, 'getConnection', ({ execution, receiver: pool, args, site }) => checkOut(execution, pool, (client) => [client], { callback: callbackOf(args), site }))
  before<MysqlPool, Name>(prototype, 'getConnection', notePool)
  for (const name of ['format', 'escape', 'escapeId']) isSeen(prototype, name)
  inSteps<MysqlPool, Name>(prototype, 'query', (called) => state(called, queried))
  inSteps<MysqlPool, Name>(prototype, 'execute', (called) => state(called, executed))
  inSteps<MysqlPool, Name>(prototype, 'releaseConnection', ({ execution, receiver: pool, args }) => {
    const connection = knownConnection(execution, args[0] as MysqlConnection)
    if (connection) void connection.giveBack()
    else besideSteps(() => Reflect.apply(releaseConnection, pool, args))
  })
  inSteps<MysqlPool, Name>(prototype, 'end', ({ execution, receiver: pool, args, site }) => ask(execution, new OpenLine(pool, nameOf(execution, pool)), simply('end', () => call(end, pool, [])), { callback: callbackOf(args), site }))
}

/** Of one connection of a pool. */
export function hookPooled({ prototype }: { readonly prototype: object }): void {
  for (const name of ['release', 'end', 'destroy', 'promise']) isSeen(prototype, name)
}
