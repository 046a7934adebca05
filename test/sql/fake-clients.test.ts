import { createRequire } from 'node:module'
import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { rememberDriver } from '../../src/runtime/execution/loaded-drivers.ts'
import { run } from '../report/executed.ts'

const require = createRequire(import.meta.url)
const Pool = require('pg-pool') as new (options: object) => object
rememberDriver('pg/lib/client.js', require('pg/lib/client.js'))
rememberDriver('pg-pool/index.js', Pool)

let count = 0

/** It asks no server. */
class Client extends EventEmitter {
  readonly number = ++count

  connect(done: (error?: Error) => void): void {
    done()
  }

  query(_: string, __: unknown, done: (error: unknown, result: object) => void): void {
    done(undefined, { number: ++count })
  }

  end(): void {}
}

test.each([
  ['connect', 'const { number } = await pool.connect(); return number'],
  ['query', `const { number } = await pool.query('select 1'); return number`],
  ['end', 'return pool.end().then(() => 0, () => 1)'],
])('two calls of %s of a pool whose clients stand in for those of the package come in either order', async (_, use) => {
  const code = `const pool = new Pool({ Client, max: 2 })
    const use = async () => { await null; ${use} }
    const [first, second] = await Promise.all([use(), use()])
    if (first > second) throw new Error('the second came first')`
  const { result } = await run(code, { given: { Pool, Client } })
  expect(result.verdict).toBe('fails')
})
