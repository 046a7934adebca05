import { isSetAside } from '../../execution/active-work.ts'
import { whenDriverIsLoaded } from '../../execution/loaded-drivers.ts'
import { openNow } from './client.ts'
import { hookConnection } from './connection-hooks.ts'
import { hookMakers, hookPromiseMakers } from './makers.ts'
import { hookPool, hookPooled } from './pool-hooks.ts'
import { hookPrepared, hookPromiseConnection, hookPromisePool, hookPromisePooled } from './promise-hooks.ts'

/** The package `mysql2`: what its connections and pools are asked in a step is asked of the server when it is its turn. Waits for every copy of the package that is loaded. */
export function driveByMysql2(): void {
  isSetAside(openNow)
  whenDriverIsLoaded('mysql2/lib/base/connection.js', (exported) => hookConnection(exported as Parameters<typeof hookConnection>[0]))
  whenDriverIsLoaded('mysql2/lib/base/pool.js', (exported) => hookPool(exported as Parameters<typeof hookPool>[0]))
  whenDriverIsLoaded('mysql2/lib/pool_connection.js', (exported) => hookPooled(exported as Parameters<typeof hookPooled>[0]))
  whenDriverIsLoaded('mysql2/lib/promise/connection.js', (exported) => hookPromiseConnection(exported as Parameters<typeof hookPromiseConnection>[0]))
  whenDriverIsLoaded('mysql2/lib/promise/prepared_statement_info.js', (exported) => hookPrepared(exported as Parameters<typeof hookPrepared>[0]))
  whenDriverIsLoaded('mysql2/lib/promise/pool_connection.js', (exported) => hookPromisePooled(exported as Parameters<typeof hookPromisePooled>[0]))
  whenDriverIsLoaded('mysql2/lib/promise/pool.js', (exported) => hookPromisePool(exported as Parameters<typeof hookPromisePool>[0]))
  whenDriverIsLoaded('mysql2/index.js', (exported) => hookMakers(exported as Parameters<typeof hookMakers>[0]))
  whenDriverIsLoaded('mysql2/promise.js', (exported) => hookPromiseMakers(exported as Parameters<typeof hookPromiseMakers>[0]))
}
