import { createRequire } from 'node:module'
import { rememberDriver } from '../src/runtime/execution/loaded-drivers.ts'
import { explore } from '../src/runtime/exploration/explore.ts'
import { install } from '../src/runtime/index.ts'
import { missing, startServer } from '../test/explored/uninstrumented/postgres-server.ts'
import { cpuOf, load } from './subject.ts'

/** Two calls that ask a PostgreSQL server for six or eight statements together. */
const programs: Record<string, string> = {
  '6 statements': `
    const task = async (pool) => {
      const client = await pool.connect()
      const { rows } = await client.query('select balance from account where id = 1')
      await client.query('update account set balance = $1 where id = 1', [rows[0].balance === 0 ? 1 : 100])
      await client.query('select balance from account where id = 1')
      client.release()
    }
    return { tasks: [task, task] }`,
  '2 transactions with FOR UPDATE': `
    const task = async (pool) => {
      const client = await pool.connect()
      await client.query('begin')
      const { rows } = await client.query('select balance from account where id = 1 for update')
      await client.query('update account set balance = $1 where id = 1', [rows[0].balance === 0 ? 1 : 100])
      await client.query('commit')
      client.release()
    }
    return { tasks: [task, task] }`,
}

/** Rounds of each; the one in the middle counts. */
const rounds = 7
const plainRuns = 100

/** What an execution costs, over what its statements cost by themselves: where rows stay as they are, and where they are put back. */
export async function benchStatements(): Promise<void> {
  if (missing !== undefined) return console.log(`statements: ${missing}`)
  const require = createRequire(import.meta.url)
  rememberDriver('pg/lib/client.js', require('pg/lib/client.js'))
  rememberDriver('pg-pool/index.js', require('pg-pool'))
  install()
  const server = startServer()
  const pool = new server.pg.Pool(server.config)
  try {
    await pool.query('create database bench_test')
    for (const [where, database] of [['rows stay', 'postgres'], ['rows are put back', 'bench_test']] as const) {
      const own = new server.pg.Pool({ ...server.config, database })
      await own.query('create table account (id int primary key, balance int); insert into account values (1, 100)')
      const rows: Record<string, object> = {}
      for (const [name, source] of Object.entries(programs)) rows[name] = await measure(source, own)
      console.log(`\nan execution, over its statements: ${where}`)
      console.table(rows)
      await own.end()
    }
  } finally {
    await pool.end()
    server.stop()
  }
}

async function measure(source: string, pool: object): Promise<object> {
  const plain = load(source, { isRewritten: false })
  const subject = { ...load(source, { isRewritten: true }), setup: () => pool }
  const plainly = async (): Promise<number> => {
    for (let i = 0; i < plainRuns; i++) for (const task of plain.tasks) await task(pool)
    return plainRuns
  }
  const explored = async (): Promise<number> => {
    let executions = 0
    while (executions < plainRuns) executions += (await explore(subject, { reproduce: 0, stopOnFirst: false })).executions
    return executions
  }
  const statements: Each[] = []
  const executions: Each[] = []
  for (let i = 0; i < rounds; i++) {
    statements.push(await each(plainly))
    executions.push(await each(explored))
  }
  const [of, by] = [middle(statements), middle(executions)]
  return { 'statements, ms': round(of.time), 'execution, ms': round(by.time), ratio: round(by.time / of.time), 'their CPU': round(of.cpu), CPU: round(by.cpu) }
}

/** Milliseconds. */
interface Each {
  readonly time: number
  readonly cpu: number
}

async function each(work: () => Promise<number>): Promise<Each> {
  const start = performance.now()
  let count = 0
  const cpu = await cpuOf(async () => (count = await work()))
  return { time: (performance.now() - start) / count, cpu: cpu / count }
}

const middle = (all: readonly Each[]): Each => {
  const of = (key: keyof Each): number => all.map((one) => one[key]).toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!
  return { time: of('time'), cpu: of('cpu') }
}

const round = (value: number): number => Math.round(value * 100) / 100
