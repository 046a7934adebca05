import { stripVTControlCharacters } from 'node:util'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rememberDriver } from '../../src/runtime/execution/loaded-drivers.ts'
import { missing, startServer, type Pool, type Server } from '../explored/uninstrumented/postgres-server.ts'
import { investigated } from '../report/executed.ts'

const require = createRequire(import.meta.url)
// What loads packages does so elsewhere.
if (missing === undefined) {
  rememberDriver('pg/lib/client.js', require('pg/lib/client.js'))
  rememberDriver('pg-pool/index.js', require('pg-pool'))
}

describe.skipIf(missing !== undefined)(`what is told of statements${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: Server
  let pool: Pool
  beforeAll(async () => {
    server = startServer()
    const admin = new server.pg.Client(server.config)
    await admin.connect()
    await admin.query('create database stories_test')
    await admin.end()
    pool = new server.pg.Pool({ ...server.config, database: 'stories_test' })
  })
  afterAll(async () => {
    await pool?.end()
    server?.stop()
  })

  test('two that make a table which neither has found', async () => {
    const code = `const ensure = async () => {
  const { rows } = await pool.query("select * from information_schema.tables where table_name = 'made'")
  if (rows.length === 0) await pool.query('create table made (id int)')
}
await Promise.all([ensure(), ensure()])`
    const { message } = await investigated(code, { given: { pool }, maxExecutions: 300 })
    expect(stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')).toMatch(/Check-then-act on stories_test: ensure#2 read \[\], then ensure#1 wrote .*create table made.* What would mend it: a lock before the look/)
  })
})
