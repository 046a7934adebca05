import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missing, startServer, type Server } from '../explored/uninstrumented/postgres-server.ts'
import { config, project, runBy, type Run } from './project.ts'

const { devDependencies } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8')) as { devDependencies: Record<string, string> }
const dependencies = Object.fromEntries(['pg', 'libpg-query'].map((name) => [name, devDependencies[name]]))

const pay = (locks: string): string => `
export async function pay(pool, amount) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query('select balance from account where id = $1${locks}', [1])
    await client.query('update account set balance = $1 where id = 1', [rows[0].balance + amount])
    await client.query('commit')
  } finally {
    client.release()
  }
}
`

const spec = (file: string, database = 'shop_test'): string => `import pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { pay } from './${file}'

const pool = new pg.Pool({ host: process.env.PG_SOCKET, user: 'postgres', database: '${database}' })
beforeAll(() => pool.query('create table if not exists account (id int primary key, balance int); insert into account values (1, 100) on conflict do nothing'))
afterAll(() => pool.end())

dporTest('${file}: two payments are both booked', async () => {
  await Promise.all([pay(pool, 1), pay(pool, 2)])
  expect((await pool.query('select balance from account')).rows).toEqual([{ balance: 103 }])
})
`

describe.skipIf(missing !== undefined)(`a project with PostgreSQL${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: Server
  let result: Run
  beforeAll(async () => {
    server = startServer()
    const admin = new server.pg.Client(server.config)
    await admin.connect()
    await admin.query('create database shop_test')
    await admin.end()
    const folder = project('postgres', {
      'package.json': JSON.stringify({ private: true, type: 'module', dependencies }),
      'pay.js': pay(''),
      'pay-locked.js': pay(' for update'),
      'pay.spec.js': spec('pay.js'),
      'pay-locked.spec.js': spec('pay-locked.js'),
      'elsewhere.spec.js': spec('pay.js', 'postgres').replace('are both booked', 'are booked elsewhere'),
      'vitest.config.ts': config('{ io: { postgres: { reset: true } } }'),
    })
    execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, shell: process.platform === 'win32', stdio: 'pipe' })
    result = await runBy({ env: { PG_SOCKET: server.config.host } }, folder, '--no-file-parallelism')
  })
  afterAll(() => server?.stop())

  test('a lost update is told by rows and values', () => {
    const { status, message } = result.test('pay.js: two payments are both booked')
    expect(status).toBe('failed')
    expect(message).toContain('Lost update on account[1]: pay#2 wrote {"balance":102} from a value read')
    expect(message).toMatch(/pay\.js:6 +read account\[1\] -> \{"balance":100\}/)
    expect(message).toMatch(/pay\.js:7 +write account\[1\] = \{"balance":102\} +<- stale since \d/)
  })

  test('with a row lock it holds', () => {
    expect(result.test('pay-locked.js: two payments are both booked')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds', executions: 6 } })
  })
  test('rows of a database that is not for tests are not put back', () => {
    const { status, message } = result.test('pay.js: two payments are booked elsewhere')
    expect(status).toBe('failed')
    expect(message).toMatch(/at pay\.js:7:\d+ \(client\.query.* it changes rows of the database 'postgres', which the option io\.postgres\.reset says to put back, and nothing in that name says that it is for tests\. Use one that is named like postgres_test, or name this one/)
  })
})
