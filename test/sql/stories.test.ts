import { stripVTControlCharacters } from 'node:util'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rememberDriver } from '../../src/runtime/execution/loaded-drivers.ts'
import { missing, startServer, type Pool, type Server } from '../explored/uninstrumented/postgres-server.ts'
import { investigated, madeOf } from '../report/executed.ts'

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

  test('what a package asks for a call of the user\'s: his columns and lines, the statements and their levels', async () => {
    await pool.query('create table item (id int primary key, stock int); insert into item values (1, 5)')
    const Orm = madeOf(orm, '/app/node_modules/orm/index.cjs') as new (pool: Pool) => object
    const code = `await pool.query('update item set stock = 5')
const take = async () => {
  const found = await items.find(1)
  await items.save({ id: 1, stock: found.stock - 1 })
}
await Promise.all([take(), take()])
if ((await items.find(1)).stock !== 3) throw new Error('lost')`
    const { message, explanation } = await investigated(code, { given: { pool, items: new Orm(pool) }, maxExecutions: 300 })
    expect(explanation.columns.map(({ name }) => name)).toEqual(['take#1', 'take#2'])
    expect(explanation.rows.map(({ via, place }) => [via?.line, place?.file])).toEqual([[3, '/app/node_modules/orm/index.cjs'], [3, '/app/node_modules/orm/index.cjs'], [4, '/app/node_modules/orm/index.cjs'], [4, '/app/node_modules/orm/index.cjs'], [4, '/app/node_modules/orm/index.cjs']])
    expect(explanation.statements).toEqual([
      { number: 1, text: 'select * from item where id = $1 [1]', level: 'of its own' },
      { number: 2, text: 'select * from item where id = $1 [1]', level: 'of its own' },
      { number: 3, text: 'update item set stock = $1 where id = $2 [4, 1]', level: 'READ COMMITTED' },
      { number: 4, text: 'update item set stock = $1 where id = $2 [4, 1]', level: 'READ COMMITTED' },
      { number: 5, text: 'commit', level: 'READ COMMITTED' },
    ])
    const text = stripVTControlCharacters(message)
    expect(text).toContain('Lost update on item[1]: take#2 wrote')
    // What the package counts for itself is nothing to look at.
    expect(text).not.toContain('Other races')
    expect(text).toContain('1  of its own       select * from item where id = $1 [1]')
    expect(text).toContain('3  READ COMMITTED   update item set stock = $1 where id = $2 [4, 1]')
  })

  test('rows of which only the database knows what is in them are told as such', async () => {
    await pool.query('create table guest (name text)')
    const code = `const invite = async () => {
  const { rows } = await pool.query('select * from guest')
  if (rows.length === 0) await pool.query("insert into guest select 'ann'")
}
await Promise.all([invite(), invite()])
if ((await pool.query('select * from guest')).rows.length !== 1) throw new Error('two of them')`
    const { message } = await investigated(code, { given: { pool }, maxExecutions: 300 })
    const text = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')
    expect(text).toMatch(/^Phantom read on guest: (invite#[12]) read \[\], then (?!\1)invite#[12] added rows, then \1 still added rows\./)
    expect(text).toMatch(/ add rows to guest /)
  })

  test('rows that are asked for as lists are told with their columns', async () => {
    await pool.query('create table ledger (id int primary key, total int); insert into ledger values (1, 0)')
    const code = `const add = async (amount) => {
  const { rows } = await pool.query({ text: 'select * from ledger where id = 1', rowMode: 'array' })
  await pool.query('update ledger set total = $1 where id = 1', [rows[0][1] + amount])
}
await Promise.all([add(1), add(2)])
if ((await pool.query('select total from ledger')).rows[0].total !== 3) throw new Error('lost')`
    const { message } = await investigated(code, { given: { pool }, maxExecutions: 300 })
    expect(stripVTControlCharacters(message)).toContain('read ledger[1] -> {"id":1,"total":0}')
  })

  test('what callbacks of a package ask is of the call that has led to them', async () => {
    await pool.query('create table named (id serial primary key, name text)')
    const Orm = madeOf(retrying, '/app/node_modules/retrying/index.cjs') as new (pool: Pool) => object
    const code = `const make = () => users.findOrCreate('ann')
await Promise.all([make(), make()])
if ((await pool.query('select * from named')).rows.length !== 1) throw new Error('two of them')`
    const { explanation } = await investigated(code, { given: { pool, users: new Orm(pool) }, maxExecutions: 300 })
    expect(explanation.headline).toMatch(/^Phantom read on named: (findOrCreate#[12]) read \[\], then (?!\1)findOrCreate#[12] added .*, then \1 still added /)
    expect(explanation.columns.map(({ name }) => name)).toEqual(['findOrCreate#1', 'findOrCreate#2'])
  })

  test('what a package asks once it is awaited is of the call that awaits it', async () => {
    await pool.query('create table member (id serial primary key, name text)')
    const Members = madeOf(lazy, '/app/node_modules/lazy/index.cjs') as new (pool: Pool) => object
    const code = `const signUp = async (name) => {
  const { rows } = await members.find(name)
  if (rows.length === 0) await members.add(name)
}
await Promise.all([signUp('ann'), signUp('ann')])
if ((await pool.query('select * from member')).rows.length !== 1) throw new Error('two of them')`
    const { explanation } = await investigated(code, { given: { pool, members: new Members(pool) }, maxExecutions: 300 })
    expect(explanation.headline).toMatch(/^Phantom read on member: (signUp#[12]) read \[\], then (?!\1)signUp#[12] added .*, then \1 still added /)
  })

  test('what a package asks the server is told, and not the turns that it gives to who asks', async () => {
    await pool.query('create table account (id int primary key, balance int); insert into account values (1, 0)')
    const Accounts = madeOf(batching, '/app/node_modules/batching/index.cjs') as new (pool: Pool) => object
    const code = `await pool.query('update account set balance = 0')
const add = () => accounts.transaction(async (own) => {
  const { rows: [{ balance }] } = await own.ask('select * from account where id = 1')
  await own.ask('update account set balance = $1 where id = 1', [balance + 1])
})
await Promise.all([add(), add()])
if ((await pool.query('select balance from account')).rows[0].balance !== 2) throw new Error('lost')`
    const { explanation } = await investigated(code, { given: { pool, accounts: new Accounts(pool) }, maxExecutions: 300 })
    expect(explanation.headline).toMatch(/^Lost update on account\[1\]: /)
    expect(explanation.remedy).toContain('SELECT ... FOR UPDATE')
  })
})

/** Asks in the next turn what has come together until then. */
const batching = `return class Accounts {
  constructor(pool) { this.pool = pool }
  isTurnGiven = false
  waiting = {}
  request(client, query) {
    return new Promise((resolve, reject) => {
      if (!this.isTurnGiven) {
        this.isTurnGiven = true
        process.nextTick(() => {
          this.dispatch()
          this.isTurnGiven = false
        })
      }
      const key = query[0]
      this.waiting[key] ??= []
      this.waiting[key].push({ client, query, resolve, reject })
    })
  }
  dispatch() {
    for (const key of Object.keys(this.waiting)) {
      const batch = this.waiting[key]
      delete this.waiting[key]
      for (const { client, query, resolve, reject } of batch) this.run(client, query).then(resolve, reject)
    }
  }
  async run(client, query) { return await client.query(...query) }
  async transaction(work) {
    const client = await this.pool.connect()
    try {
      await client.query('begin')
      await work({ ask: (...query) => this.request(client, query) })
      await client.query('commit')
    } finally {
      client.release()
    }
  }
}`

/** Asks in callbacks, each of which is a process of its own, as what tries again and again does. */
const retrying = `const retry = (work) => new Promise((resolve, reject) => setTimeout(() => work().then(resolve, reject), 1))
return class Users {
  constructor(pool) { this.pool = pool }
  async findOrCreate(name) {
    const { rows } = await retry(() => this.pool.query('select * from named where name = $1', [name]))
    if (rows.length === 0) await retry(() => this.pool.query('insert into named (name) values ($1)', [name]))
  }
}`

/** Goes on as a process of its own, and in its own functions. */
const orm = `return class Items {
  constructor(pool) { this.pool = pool }
  found = 0
  async find(id) {
    const before = this.found
    const [{ rows: [row] }] = await Promise.all([this.#run('select * from item where id = $1', [id])])
    this.found = before + 1
    return row
  }
  async save({ id, stock }) {
    const client = await this.pool.connect()
    try {
      await client.query('begin')
      await Promise.all([client.query('update item set stock = $1 where id = $2', [stock, id])])
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  async #run(text, values) { return this.pool.query(text, values) }
}`

/** Asks when it is awaited, as builders of queries do. */
const lazy = `class Query {
  constructor(pool, ...query) {
    this.pool = pool
    this.query = query
  }
  then(resolve, reject) { return this.run().then(resolve, reject) }
  async run() {
    const client = await this.pool.connect()
    try {
      return await client.query(...this.query)
    } finally {
      client.release()
    }
  }
}
return class Members {
  constructor(pool) { this.pool = pool }
  find(name) { return new Query(this.pool, 'select * from member where name = $1', [name]) }
  add(name) { return new Query(this.pool, 'insert into member (name) values ($1)', [name]) }
}`
