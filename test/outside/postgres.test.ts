import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missing, startServer, type Server } from '../explored/uninstrumented/postgres-server.ts'
import { config, project, runBy, type Run } from './project.ts'

const { devDependencies } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8')) as { devDependencies: Record<string, string> }
const dependencies = { dataloader: '2.2.3', knex: '3.3.0', sequelize: '6.37.8', ...Object.fromEntries(['pg', 'postgres', 'libpg-query'].map((name) => [name, devDependencies[name]])) }

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

/** The same by the package `postgres`. */
const payBySql = (locks: string): string => `
export const pay = (sql, amount) => sql.begin(async (own) => {
  const [account] = await own\`select balance from account where id = \${1}${locks}\`
  await own\`update account set \${own({ balance: account.balance + amount })} where id = 1\`
})
`

const specBySql = (file: string): string => `import postgres from 'postgres'
import { afterAll, beforeAll, expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { pay } from './${file}'

const sql = postgres({ host: process.env.PG_SOCKET, user: 'postgres', database: 'shop_test', onnotice: () => {} })
beforeAll(() => sql.unsafe('create table if not exists account (id int primary key, balance int); insert into account values (1, 100) on conflict do nothing'))
afterAll(() => sql.end())

dporTest('${file}: two payments are both booked', async () => {
  await Promise.all([pay(sql, 1), pay(sql, 2)])
  expect([...(await sql\`select balance from account\`)]).toEqual([{ balance: 103 }])
})
`

/** The same by Knex, which has a pool of its own. */
const knexSpec = `import knexOf from 'knex'
import { afterAll, beforeAll, expect } from 'vitest'
import { dporTest } from 'vitest-dpor'

const knex = knexOf({ client: 'pg', connection: { host: process.env.PG_SOCKET, user: 'postgres', database: 'knex_test' }, pool: { min: 0, max: 4 } })
beforeAll(() => knex.raw('create table account (id int primary key, balance int); insert into account values (1, 100)'))
afterAll(() => knex.destroy())

const pay = (amount, locks) => knex.transaction(async (own) => {
  const account = own('account').where({ id: 1 })
  const [{ balance }] = await (locks ? account.forUpdate() : account)
  await own('account').where({ id: 1 }).update({ balance: balance + amount })
})
for (const locks of [false, true]) {
  dporTest('knex: two payments are both booked, locks: ' + locks, { timeout: 60_000 }, async () => {
    await Promise.all([pay(1, locks), pay(2, locks)])
    expect((await knex('account').where({ id: 1 }))[0].balance).toBe(103)
  })
}
`

/** And by Sequelize, which has one as well. */
const sequelizeSpec = `import { DataTypes, Sequelize } from 'sequelize'
import { afterAll, beforeAll, expect } from 'vitest'
import { dporTest } from 'vitest-dpor'

const sequelize = new Sequelize('sequelize_test', 'postgres', '', { host: process.env.PG_SOCKET, dialect: 'postgres', logging: false, pool: { max: 4 } })
const Account = sequelize.define('account', { balance: DataTypes.INTEGER }, { timestamps: false })
beforeAll(async () => {
  await Account.sync()
  await Account.create({ balance: 100 })
})
afterAll(() => sequelize.close())

const pay = (amount) => sequelize.transaction(async (transaction) => {
  const account = await Account.findByPk(1, { transaction })
  await account.update({ balance: account.balance + amount }, { transaction })
})
dporTest('sequelize: two payments are both booked', { timeout: 60_000 }, async () => {
  await Promise.all([pay(1), pay(2)])
  expect((await Account.findByPk(1)).balance).toBe(103)
})
`

/** By a loader, which asks for what several calls want at once in one statement. */
const loaderSpec = `import pg from 'pg'
import DataLoader from 'dataloader'
import { afterAll, beforeAll, expect } from 'vitest'
import { dporTest } from 'vitest-dpor'

const pool = new pg.Pool({ host: process.env.PG_SOCKET, user: 'postgres', database: 'loader_test' })
beforeAll(() => pool.query('create table account (id int primary key, balance int); insert into account values (1, 100)'))
afterAll(() => pool.end())

const balances = async (ids) => {
  const { rows } = await pool.query('select id, balance from account where id in (' + ids.map((_, i) => '$' + (i + 1)) + ')', ids)
  return ids.map((id) => rows.find((row) => row.id === id).balance)
}
const pay = async (accounts, amount) => {
  await null
  const balance = await accounts.load(1)
  await pool.query('update account set balance = $1 where id = 1', [balance + amount])
}
dporTest('loader: two payments are both booked', async () => {
  const accounts = new DataLoader(balances, { cache: false })
  await Promise.all([pay(accounts, 1), pay(accounts, 2)])
  expect(await balances([1])).toEqual([103])
})
`

/** Ordinary tests, the second of which is about what the first has left. */
const ordinarySpec = `import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

const pool = new pg.Pool({ host: process.env.PG_SOCKET, user: 'postgres', database: 'ordinary_test' })
beforeAll(() => pool.query('create table visit (id serial primary key, name text)'))
afterAll(() => pool.end())

const visit = (name) => pool.query('insert into visit (name) values ($1)', [name])
test('two visit at once', async () => {
  await Promise.all([visit('a'), visit('b')])
})
test('both have visited', async () => {
  expect((await pool.query('select name from visit order by name')).rows).toEqual([{ name: 'a' }, { name: 'b' }])
})
`

/** A call of each of two lines that must not overlap, and what is said of that. */
const anomalies: readonly (readonly [name: string, level: string | undefined, one: string, other: string, check: string, said: RegExp])[] = [
  ['lost update', 'read committed', 'await add(c, 1)', 'await add(c, 2)', 'await balance(1) === 103', /Lost update on account\[1\]: .*The isolation level was READ COMMITTED\. What would mend it: SELECT \.\.\. FOR UPDATE/],
  ['write skew', 'repeatable read', 'await leave(c, 1)', 'await leave(c, 2)', 'await total() > 0', /Write skew on account: .*The isolation level was REPEATABLE READ\. What would mend it: SERIALIZABLE/],
  ['phantom read', 'read committed', "await create(c, 'a')", "await create(c, 'b')", 'await seats() === 1', /Phantom read on seat: \w+#2 read \[\], then .* added .*What would mend it: a unique index, and ON CONFLICT/],
  ['non-repeatable read', 'read committed', 'const a = await balance(1, c); if (a !== await balance(1, c)) throw new Error()', "await c.query('update account set balance = 5 where id = 1')", 'true', /Non-repeatable read on account\[1\]: .*What would mend it: REPEATABLE READ/],
  ['read skew', 'read committed', 'if (await balance(1, c) + await balance(2, c) !== 200) throw new Error()', 'await move(c, 1, 2)', 'true', /Read skew on account\[[12]\]: /],
  ['write cycle', undefined, 'await set(c, 1, 5); await set(c, 2, 5)', 'await set(c, 2, 7); await set(c, 1, 7)', 'await balance(1) === await balance(2)', /Write cycle on account\[[12]\]: .*Each statement was a transaction of its own/],
  ['deadlock', 'read committed', 'await move(c, 1, 2)', 'await move(c, 2, 1)', 'true', /Deadlock in the database: update .* waits for the transaction of update .*What would mend it: locks that all take in one order/],
]

const anomalySpec = `import pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import { dporTest } from 'vitest-dpor'

const pool = new pg.Pool({ host: process.env.PG_SOCKET, user: 'postgres', database: 'anomalies_test' })
beforeAll(() => pool.query('create table account (id int primary key, balance int); create table seat (id serial primary key, name text); insert into account values (1, 100), (2, 100)'))
afterAll(() => pool.end())

const balance = async (id, c = pool) => (await c.query('select balance from account where id = $1', [id])).rows[0].balance
const total = async (c = pool) => (await c.query('select sum(balance)::int as sum from account')).rows[0].sum
const seats = async () => (await pool.query('select * from seat')).rows.length
const set = (c, id, value) => c.query('update account set balance = $2 where id = $1', [id, value])
const add = async (c, amount) => set(c, 1, (await balance(1, c)) + amount)
const leave = async (c, id) => { if ((await total(c)) === 200) await set(c, id, 0) }
const create = async (c, name) => { if ((await c.query("select * from seat where name <> ''")).rows.length === 0) await c.query('insert into seat (name) values ($1)', [name]) }
const move = async (c, from, to) => {
  await c.query('update account set balance = balance - 10 where id = $1', [from])
  await c.query('update account set balance = balance + 10 where id = $1', [to])
}
async function run(level, work) {
  const client = await pool.connect()
  try {
    if (level) await client.query('begin isolation level ' + level)
    await work(client)
    if (level) await client.query('commit')
  } catch (error) {
    if (level) await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
${anomalies.map(([name, level, one, other, check]) => `
dporTest('anomaly: ${name}', async () => {
  await Promise.all([run(${JSON.stringify(level)}, async (c) => { ${one} }), run(${JSON.stringify(level)}, async (c) => { ${other} })])
  expect(${check}).toBe(true)
})`).join('\n')}
`

describe.skipIf(missing !== undefined)(`a project with PostgreSQL${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: Server
  let result: Run
  let ordinary: Run
  beforeAll(async () => {
    server = startServer()
    const admin = new server.pg.Client(server.config)
    await admin.connect()
    for (const name of ['shop', 'anomalies', 'knex', 'sequelize', 'loader', 'ordinary']) await admin.query(`create database ${name}_test`)
    await admin.end()
    const folder = project('postgres', {
      'package.json': JSON.stringify({ private: true, type: 'module', dependencies }),
      'pay.js': pay(''),
      'pay-locked.js': pay(' for update'),
      'pay.spec.js': spec('pay.js'),
      'pay-locked.spec.js': spec('pay-locked.js'),
      'pay-by-sql.js': payBySql(''),
      'pay-by-sql-locked.js': payBySql(' for update'),
      'pay-by-sql.spec.js': specBySql('pay-by-sql.js'),
      'pay-by-sql-locked.spec.js': specBySql('pay-by-sql-locked.js'),
      'knex.spec.js': knexSpec,
      'sequelize.spec.js': sequelizeSpec,
      'loader.spec.js': loaderSpec,
      'anomalies.spec.js': anomalySpec,
      'ordinary.spec.js': ordinarySpec,
      'elsewhere.spec.js': spec('pay.js', 'postgres').replace('are both booked', 'are booked elsewhere'),
      'vitest.config.ts': config('{ io: { postgres: { reset: true } } }'),
    })
    execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, shell: process.platform === 'win32', stdio: 'pipe' })
    const start = { env: { PG_SOCKET: server.config.host } }
    result = await runBy(start, folder, '--no-file-parallelism', '--exclude', 'ordinary.spec.js')
    ordinary = await runBy(start, folder, 'ordinary.spec.js', '--', '--dpor', '--dpor.test-time=1m')
  }, 300_000)
  afterAll(() => server?.stop())

  test('a lost update is told by rows and values', () => {
    const { status, message } = result.test('pay.js: two payments are both booked')
    expect(status).toBe('failed')
    expect(message).toContain('Lost update on account[1]: pay#2 wrote {"balance":102} from a value read')
    expect(message).toMatch(/pay\.js:6 +read account\[1\] -> \{"balance":100\}/)
    expect(message).toMatch(/pay\.js:7 +write account\[1\] = \{"balance":102\} +<- stale since \d/)
    expect(message).toMatch(/5 +pay#1 +pay\.js:8 +commit: write account\[1\] = \{"balance":101\}\n\nThe test passes with 5 before 2:/)
  })

  test('by the package postgres as well', () => {
    const { status, message } = result.test('pay-by-sql.js: two payments are both booked')
    expect(status).toBe('failed')
    expect(message.replaceAll(/\s+/g, ' ')).toMatch(/Lost update on account\[1\]: .* wrote \{"balance":10\d\} from a value read before/)
    expect(message).toMatch(/pay-by-sql\.js:3 +read account\[1\] -> \{"balance":100\}/)
    expect(result.test('pay-by-sql-locked.js: two payments are both booked')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
  })

  test('through a pool of Knex as well', () => {
    const { status, message } = result.test('knex: two payments are both booked, locks: false')
    expect(status).toBe('failed')
    expect(message).toMatch(/Lost update on account\[1\]: /)
    expect(result.test('knex: two payments are both booked, locks: true')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds', executions: 6 } })
  })

  test('through one of Sequelize as well', () => {
    const { status, message } = result.test('sequelize: two payments are both booked')
    expect(status).toBe('failed')
    expect(message.replaceAll(/\s+/g, ' ')).toMatch(/Lost update on accounts\[1\]: .* from a value read before .*What would mend it: SELECT \.\.\. FOR UPDATE/)
  })

  test('of a row that both have by one statement of a loader as well', () => {
    const { status, message } = result.test('loader: two payments are both booked')
    expect(status).toBe('failed')
    expect(message.replaceAll(/\s+/g, ' ')).toMatch(/Lost update on account\[1\]: pay#\d wrote \{"balance":10\d\} from a value read before pay#\d wrote/)
  })

  test('an ordinary test that was explored leaves the rows of its plain run', () => {
    expect(ordinary.test('two visit at once')).toMatchObject({ status: 'passed', found: { found: 'holds' } })
    expect(ordinary.test('both have visited')).toMatchObject({ status: 'passed' })
  })

  test('with a row lock it holds', () => {
    expect(result.test('pay-locked.js: two payments are both booked')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds', executions: 6 } })
  })
  test('rows of a database that is not for tests are not put back', () => {
    const { status, message } = result.test('pay.js: two payments are booked elsewhere')
    expect(status).toBe('failed')
    expect(message).toMatch(/at pay\.js:7:\d+ \(client\.query.* it changes rows of the database 'postgres', which the option io\.postgres\.reset says to put back, and nothing in that name says that it is for tests\. Use one that is named like postgres_test, or name this one/)
  })
  test.each(anomalies)('%s is called so', (name, _, __, ___, ____, said) => {
    const { status, message } = result.test(`anomaly: ${name}`)
    expect(status).toBe('failed')
    expect(message.replaceAll(/\s+/g, ' ')).toMatch(said)
  })
})
