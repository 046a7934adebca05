import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missing, startServer, type Server } from '../explored/uninstrumented/mysql-server.ts'
import { config, project, runBy, type Run } from './project.ts'

const { devDependencies } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8')) as { devDependencies: Record<string, string> }
const dependencies = Object.fromEntries(['mysql2', '@guanmingchiu/sqlparser-ts'].map((name) => [name, devDependencies[name]]))

const pay = (locks: string): string => `
export async function pay(pool, amount) {
  const connection = await pool.getConnection()
  try {
    await connection.beginTransaction()
    const [rows] = await connection.execute('select balance from account where id = ?${locks}', [1])
    await connection.query('update account set balance = ? where id = 1', [rows[0].balance + amount])
    await connection.commit()
  } finally {
    connection.release()
  }
}
`

const headFor = (database: string): string => `import mysql from 'mysql2/promise'
import { afterAll, beforeAll, expect } from 'vitest'
import { dporTest } from 'vitest-dpor'

const pool = mysql.createPool({ socketPath: process.env.MYSQL_SOCKET, user: 'root', database: '${database}' })
beforeAll(async () => {
  await pool.query('create table if not exists account (id int primary key, balance int)')
  await pool.query('create table if not exists seat (id int primary key auto_increment, name text)')
  await pool.query('insert ignore into account values (1, 100), (2, 100)')
  await pool.query('create table if not exists counter (name varchar(20) primary key, n int)')
  await pool.query("insert ignore into counter values ('a', 0)")
})
afterAll(() => pool.end())
`

const spec = (file: string): string => `${headFor('shop_test')}
import { pay } from './${file}'

dporTest('${file}: two payments are both booked', async () => {
  await Promise.all([pay(pool, 1), pay(pool, 2)])
  expect((await pool.query('select balance from account where id = 1'))[0]).toEqual([{ balance: 103 }])
})
`

/** A call of each of two lines that must not overlap, and what is said of that. */
const anomalies: readonly (readonly [name: string, level: string | undefined, one: string, other: string, check: string, said: RegExp])[] = [
  ['write skew', 'repeatable read', 'await leave(c, 1)', 'await leave(c, 2)', 'await total() > 0', /Write skew on account: .*The isolation level was REPEATABLE READ\. What would mend it: SERIALIZABLE, with another try of the transaction at 1213/],
  ['lost update by a key of text', undefined, "await raise(c, 'a')", "await raise(c, 'a')", "await raised('a') === 2", /Lost update on counter: .*Each statement was a transaction of its own/],
  ['phantom read', 'repeatable read', "await create(c, 'a')", "await create(c, 'b')", 'await seats() === 1', /Phantom read on seat: .*What would mend it: a unique index, and ON DUPLICATE KEY UPDATE/],
  ['non-repeatable read', 'read committed', 'const a = await balance(1, c); if (a !== await balance(1, c)) throw new Error()', "await c.query('update account set balance = 5 where id = 1')", 'true', /Non-repeatable read on account\[1\]: .*What would mend it: REPEATABLE READ/],
  ['write cycle', undefined, 'await set(c, 1, 5); await set(c, 2, 5)', 'await set(c, 2, 7); await set(c, 1, 7)', 'await balance(1) === await balance(2)', /Write cycle on account\[[12]\]: .*Each statement was a transaction of its own/],
  ['deadlock', 'repeatable read', 'await move(c, 1, 2)', 'await move(c, 2, 1)', 'true', /Deadlock in the database: update .*, and update .* wait for each other's transactions\..*What would mend it: locks that all take in one order/],
]

const anomalySpec = `${headFor('anomalies_test')}
const balance = async (id, c = pool) => (await c.query('select balance from account where id = ?', [id]))[0][0].balance
const total = async (c = pool) => Number((await c.query('select sum(balance) as sum from account'))[0][0].sum)
const seats = async () => (await pool.query('select * from seat'))[0].length
const raised = async (name, c = pool) => (await c.query('select n from counter where name = ?', [name]))[0][0].n
const raise = async (c, name) => c.query('update counter set n = ? where name = ?', [(await raised(name, c)) + 1, name])
const set = (c, id, value) => c.query('update account set balance = ? where id = ?', [value, id])
const leave = async (c, id) => { if ((await total(c)) === 200) await set(c, id, 0) }
const create = async (c, name) => { if ((await c.query("select * from seat where name <> ''"))[0].length === 0) await c.query('insert into seat (name) values (?)', [name]) }
const move = async (c, from, to) => {
  await c.query('update account set balance = balance - 10 where id = ?', [from])
  await c.query('update account set balance = balance + 10 where id = ?', [to])
}
async function run(level, work) {
  const c = await pool.getConnection()
  try {
    if (level) await c.query('set transaction isolation level ' + level)
    if (level) await c.beginTransaction()
    await work(c)
    if (level) await c.commit()
  } catch (error) {
    if (level) await c.rollback()
    throw error
  } finally {
    c.release()
  }
}
${anomalies.map(([name, level, one, other, check]) => `
dporTest('anomaly: ${name}', async () => {
  await Promise.all([run(${JSON.stringify(level)}, async (c) => { ${one} }), run(${JSON.stringify(level)}, async (c) => { ${other} })])
  expect(${check}).toBe(true)
})`).join('\n')}
`

describe.skipIf(missing !== undefined)(`a project with MariaDB${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: Server
  let result: Run
  beforeAll(async () => {
    server = await startServer()
    const admin = await server.mysql.createConnection(server.config)
    await admin.query('create database shop_test')
    await admin.query('create database anomalies_test')
    await admin.end()
    const folder = project('mysql', {
      'package.json': JSON.stringify({ private: true, type: 'module', dependencies }),
      'pay.js': pay(''),
      'pay-locked.js': pay(' for update'),
      'pay.spec.js': spec('pay.js'),
      'pay-locked.spec.js': spec('pay-locked.js'),
      'anomalies.spec.js': anomalySpec,
      'vitest.config.ts': config(''),
    })
    execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, shell: process.platform === 'win32', stdio: 'pipe' })
    result = await runBy({ env: { MYSQL_SOCKET: server.config.socketPath } }, folder, '--no-file-parallelism')
  })
  afterAll(() => server?.stop())

  test('a lost update is told by rows and values', () => {
    const { status, message } = result.test('pay.js: two payments are both booked')
    expect(status).toBe('failed')
    expect(message).toContain('Lost update on account[1]: pay#2 wrote {"balance":102} from a value read')
    expect(message).toMatch(/pay\.js:6 +read account\[1\] -> \{"balance":100\}/)
    expect(message).toMatch(/pay\.js:7 +write account\[1\] = \{"balance":102\} +<- stale since \d/)
    expect(message.replaceAll(/\s+/g, ' ')).toContain('The isolation level was REPEATABLE READ. What would mend it: SELECT ... FOR UPDATE in the first statement; one UPDATE that computes the value; or SERIALIZABLE, with another try of the transaction at 1213.')
  })

  test('with a row lock it holds', () => {
    expect(result.test('pay-locked.js: two payments are both booked')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
  })

  test.each(anomalies)('%s is called so', (name, _, __, ___, ____, said) => {
    const { status, message } = result.test(`anomaly: ${name}`)
    expect(status).toBe('failed')
    expect(message.replaceAll(/\s+/g, ' ')).toMatch(said)
  })
})
