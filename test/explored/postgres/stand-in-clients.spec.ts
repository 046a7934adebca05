import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { outcomes } from '../uninstrumented/outcomes.ts'
import type { Pool } from '../uninstrumented/postgres-server.ts'

const { Pool: PoolOfPackage } = createRequire(import.meta.url)('pg') as { readonly Pool: new (options: object) => Pool }

/** Stands in for the client of the package: it asks no server. */
class Client extends EventEmitter {
  connect(connected: (error?: Error) => void): void {
    void (async () => {
      await null
      connected()
    })()
  }

  query(_text: string, _values: unknown, answered: (error: unknown, result: object) => void): void {
    answered(null, { rows: [{ one: 1 }] })
  }

  end(): void {}
}

test('a pool that is given a class of clients of its own asks no server', async () => {
  const { seen, verdict } = await outcomes(async () => {
    const pool = new PoolOfPackage({ max: 1, idleTimeoutMillis: 0, Client })
    const client = await pool.connect()
    client.release()
    const { rows } = await pool.query('select 1 as one')
    await pool.end()
    return rows
  })
  expect({ seen, verdict }).toEqual({ seen: ['[{"one":1}]'], verdict: 'holds' })
})
