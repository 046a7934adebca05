import { Reflect } from '../../../../engine/intrinsics.ts'
import type { SiteId } from '../../../../engine/ids.ts'
import { invoke } from '../../../accesses/invoke.ts'
import type { Fn } from '../../../accesses/handler.ts'
import type { Execution } from '../../../execution/execution.ts'
import { isSetAside } from '../../../execution/active-work.ts'
import { isTold } from '../../../execution/instrumented.ts'
import { whenDriverIsLoaded } from '../../../execution/loaded-drivers.ts'
import { NativePromise, nativeThen, noop } from '../../../execution/native.ts'
import { besideSteps, running } from '../../../execution/running.ts'
import { asksWhenAwaited } from '../../../promises/resolving.ts'
import { askForPromise, OpenLine, promised, type Promised } from '../../asked.ts'
import { hearing, rememberListening, type Listening } from '../../messages.ts'
import { nameOf } from '../../names.ts'
import { plainQuestion } from '../../plain-question.ts'
import { takeFrom, type Taken } from '../../pool-use.ts'
import { serversOf } from '../../servers.ts'
import { unheard } from '../notifications.ts'
import { holdingOf } from './holdings.ts'
import { beforeUse } from './lost-sessions.ts'
import { Reserving } from './reserving.ts'
import type { Options, Postgres, PostgresConnection, Query, Queues, Sql, Types } from './package.ts'
import { isSearchedFor, openNow, Pool, poolOf, rememberConnection, rememberPool } from './pool.ts'
import { Beginning, HeldQuery, PooledQuery } from './statement.ts'
import { makeTextsBy, readParts, textOf } from './texts.ts'

/**
 * The package `postgres`: its statements are promises that are sent when somebody asks for their outcome. In a step they are sent when it is their turn.
 * Its file `index.js` is instrumented: what transactions do around their statements is code like any other.
 */
export function driveByPostgres(): void {
  isSetAside(openNow)
  whenDriverIsLoaded('postgres/types', (exported) => {
    makeTextsBy(exported as Types)
    areTold(globalThis.Object.values(exported as object))
  })
  whenDriverIsLoaded('postgres/queue', (exported) => areTold(globalThis.Object.values(exported as object)))
  whenDriverIsLoaded('postgres', (made) => hookSql(made as { made: Sql; make: Postgres }))
  whenDriverIsLoaded('postgres/connection', (made) => hookConnection(made as MadeConnection))
}

/** Statements of executions. */
const known = new WeakMap<Query, Promised>()

/** They only keep what they are given. */
function areTold(values: readonly unknown[]): void {
  for (const value of values) if (typeof value === 'function') isTold(value)
}

const hooked = new WeakSet<object>()

function hookSql({ made: sql, make }: { readonly made: Sql; readonly make: Postgres }): void {
  const pool = new Pool(sql, make)
  rememberPool(pool)
  hookQuery(sql.unsafe('').constructor as QueryClass)
  const { reserve, listen, end, close } = sql
  let hasEnded = false
  const listening: Listening = { object: sql, name: 'notification', isOpen: () => !hasEnded, haveCome: async () => besideSteps(() => listen.sql?.unsafe('select 1')) }
  sql.reserve = () => {
    '__dpor'
    if (running === null) return reserve()
    const taken = take(running, pool)
    return askForPromise(running, taken.line, new Reserving(running, { pool, taken, reserve }), running.siteOfCall(sql.reserve)) as ReturnType<Sql['reserve']>
  }
  sql.listen = (channel, hear, ...rest) => {
    '__dpor'
    // It has a connection of its own for this, which the body would open.
    if (running !== null) {
      serversOf(running).isUnexplored(unheard)
      return invoke(running, listen as Fn, undefined, [channel, hear, ...rest], running.siteOfCall(sql.listen)) as ReturnType<Sql['listen']>
    }
    rememberListening(listening, [channel])
    return listen(channel, hearing(sql, hear), ...rest)
  }
  const ending = (name: 'end' | 'close', fn: Sql['end']): Sql['end'] => (...args) => {
    '__dpor'
    hasEnded = true
    if (running === null) return fn(...args)
    return askForPromise(running, new OpenLine(sql, nameOf(running, sql)), plainQuestion(name, () => besideSteps(() => fn(...args))), running.siteOfCall(sql[name]))
  }
  sql.end = ending('end', end)
  sql.close = ending('close', close)
}

interface MadeConnection {
  readonly made: PostgresConnection
  readonly args: ConnectionArguments
  readonly make: (...args: ConnectionArguments) => PostgresConnection
}

type ConnectionArguments = readonly [options: Options, queues?: Queues, ...listeners: unknown[]]

function hookConnection({ made: connection, make, args }: MadeConnection): void {
  const [options, queues] = args
  // One that cancels a statement belongs to no pool.
  if (!queues) return
  const { execute } = connection
  const another = (): PostgresConnection => {
    const made = make(...args)
    hookConnection({ made, make, args })
    return made
  }
  rememberConnection(connection, { options, queues, another })
  connection.execute = (query) => {
    '__dpor'
    if (isSearchedFor(connection)) return true
    if (running === null) return execute(query)
    const holding = holdingOf(running, connection)
    const asked = known.get(query)
    if (!holding || !asked) return running.refuse('it sends a statement in a way that vitest-dpor does not follow, such as sql.file', 'Give the text to sql.unsafe')
    asked.ask(holding.connection.line, new HeldQuery(running, query, textOf(query, options), holding))
    return true
  }
}

type QueryClass = typeof Promise & { readonly prototype: Query }

function hookQuery(Query: QueryClass): void {
  if (hooked.has(Query)) return
  hooked.add(Query)
  const { prototype } = Query
  areTold([Query, ...globalThis.Object.values(globalThis.Object.getOwnPropertyDescriptors(prototype)).map(({ value }) => value as unknown)])
  const { then, catch: caught, finally: last, handle, cancel } = prototype
  const hears = hearsBy(nativeThen as Fn, then as Fn)
  asksWhenAwaited(hears, (execution, query, site) => promiseOf(execution, query as Query, site))
  globalThis.Object.assign(prototype, {
    // oxlint-disable-next-line no-thenable -- statements are promises
    then: hears,
    catch: hearsBy(NativePromise.prototype.catch as Fn, caught as Fn),
    finally: hearsBy(NativePromise.prototype.finally as Fn, last as Fn),
    handle(this: Query) {
      '__dpor'
      if (running === null) return Reflect.apply(handle, this, [])
      promiseOf(running, this, running.siteOfCall(prototype.handle))
      return undefined
    },
    cancel(this: Query) {
      '__dpor'
      if (running === null) return Reflect.apply(cancel, this, [])
      return running.refuse('it cancels a statement, which vitest-dpor cannot order', 'Let it come to its end')
    },
  })
}

/** Such a function of promises, of the outcome that a step asks for. */
const hearsBy = (method: Fn, own: Fn) =>
  function hears(this: Query, ...args: unknown[]): unknown {
    '__dpor'
    if (running === null) return Reflect.apply(own, this, args)
    const site = running.siteOfCall(hears)
    const promise = promiseOf(running, this, site)
    return promise ? invoke(running, method, promise, args, site) : (Reflect.apply(own, this, args) as unknown)
  }

/** The outcome of a statement, which is asked for if nobody has done that; undefined of one that is older than the execution. */
function promiseOf(execution: Execution, query: Query, site: SiteId): Promise<unknown> | undefined {
  const asked = known.get(query)
  if (asked) return asked.promise
  if (query.executed) return undefined
  if (query.cursorFn || query.forEachFn || query.streaming) execution.refuse('it reads rows by a cursor or a stream, whose parts vitest-dpor cannot order', 'Ask for all rows at once', site)
  query.executed = true
  const made = promised(execution, site)
  known.set(query, made)
  readParts(execution, query, site)
  const pool = poolOf(query.handler)
  if (!pool) invoke(execution, query.handler as Fn, undefined, [query], site)
  else {
    const taken = take(execution, pool)
    const Statement = query.options.onexecute ? Beginning : PooledQuery
    made.ask(taken.line, new Statement(execution, query, textOf(query, pool.options), { pool, taken }))
  }
  return made.promise
}

/** None of its connections shows which one it is, unless it is reserved. */
function take(execution: Execution, pool: Pool): Taken {
  beforeUse(execution, pool)
  return takeFrom(execution, { pool: pool.sql, size: pool.size, sortIdle: noop })
}
