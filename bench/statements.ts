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

/** One exploration, and as many plain runs as that has executions, come in turn so many times, after others that count for nothing. */
const rounds = 150
const roundsBefore = 60

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
      for (const table of ['account', 'beside']) await own.query(`create table ${table} (id int primary key, balance int); insert into ${table} values (1, 100)`)
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
  // What is not explored changes no table that is: that would be another one each time.
  const plain = load(source.replaceAll('account', 'beside'), { isRewritten: false })
  const subject = { ...load(source, { isRewritten: true }), setup: () => pool }
  const explored = async (): Promise<number> => (await explore(subject, { reproduce: 0, stopOnFirst: false })).executions
  const statements: Each[] = []
  const executions: Each[] = []
  for (let i = -roundsBefore; i < rounds; i++) {
    const execution = await each(explored)
    const statement = await each(async () => {
      for (let run = 0; run < execution.count; run++) for (const task of plain.tasks) await task(pool)
      return execution.count
    })
    if (i < 0) continue
    executions.push(execution)
    statements.push(statement)
  }
  const ratios = executions.map(({ time }, i) => time / statements[i]!.time)
  const of = (all: readonly Each[], key: keyof Each): number => round(quantile(all.map((one) => one[key]), 1 / 2))
  return {
    'statements, ms': of(statements, 'time'),
    'execution, ms': of(executions, 'time'),
    ratio: round(quantile(ratios, 1 / 2)),
    'of a quarter less than': round(quantile(ratios, 1 / 4)),
    'and more than': round(quantile(ratios, 3 / 4)),
    'their CPU': of(statements, 'cpu'),
    CPU: of(executions, 'cpu'),
  }
}

interface Each {
  readonly count: number
  /** Milliseconds of one. */
  readonly time: number
  readonly cpu: number
}

async function each(work: () => Promise<number>): Promise<Each> {
  const start = performance.now()
  let count = 0
  const cpu = await cpuOf(async () => (count = await work()))
  return { count, time: (performance.now() - start) / count, cpu: cpu / count }
}

const quantile = (all: readonly number[], part: number): number => all.toSorted((a, b) => a - b)[Math.floor(all.length * part)]!

const round = (value: number): number => Math.round(value * 100) / 100
