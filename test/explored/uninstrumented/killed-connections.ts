import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'

/** Has another process end connections to the database `lost_test`: those by which a test is explored, or those that it has itself. Returns when that is done. */
export function killConnections(host: string, which: 'own' | 'others'): void {
  const source = `
    const { Client } = require(${JSON.stringify(createRequire(import.meta.url).resolve('pg'))})
    const client = new Client({ host: ${JSON.stringify(host)}, user: 'postgres', database: 'postgres' })
    client.connect().then(async () => {
      await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'lost_test' and query ${which === 'own' ? '' : 'not'} like '%vitest_dpor%'")
      await client.end()
    })`
  execFileSync(process.execPath, ['-e', source])
}
