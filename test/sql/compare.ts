import { createRequire } from 'node:module'
import { rememberDriver } from '../../src/runtime/execution/loaded-drivers.ts'
import { missing, type Pool } from '../explored/uninstrumented/postgres-server.ts'
import { compareWith, type Comparison } from '../servers/comparison.ts'
import type { Program } from '../servers/scripts.ts'
import type { Enumeration } from './enumerate.ts'
import { contents, reset } from './program.ts'

const require = createRequire(import.meta.url)
// What loads packages does so elsewhere.
if (missing === undefined) {
  rememberDriver('pg/lib/client.js', require('pg/lib/client.js'))
  rememberDriver('pg-pool/index.js', require('pg-pool'))
}

export const source = (program: Program): string => `
const answerText = ({ rows, rowCount }) => JSON.stringify(rows.length > 0 ? rows : rowCount)
const run = async ({ level, steps }) => {
  const client = await pool.connect()
  const log = []
  let last = 0
  try {
    if (level) await client.query('begin isolation level ' + level)
    for (let i = 0; i < steps.length; i++) {
      const { text, values } = steps[i]
      try {
        const result = await client.query(text, values.map((value) => (value === '$last' ? last : value)))
        log.push(answerText(result))
        last = result.rows[0]?.v ?? last
      } catch (error) {
        log.push(error.code)
        if (level) {
          // What goes back to a savepoint goes on.
          const next = steps.findIndex(({ text }, at) => at > i && text.startsWith('rollback to'))
          if (next < 0) return log
          i = next - 1
        }
      }
    }
    try {
      if (level) log.push(answerText(await client.query('commit')))
    } catch (error) {
      log.push(error.code)
    }
    return log
  } finally {
    if (level) await client.query('rollback')
    client.release()
  }
}
await pool.query(reset)
const logs = await Promise.all([${program.map((script) => `run(${JSON.stringify(script)})`).join(', ')}])
return JSON.stringify([logs, (await pool.query(contents)).rows[0]])`

/** Explores a program, and compares how it can end with all orders of its statements. Undefined where there are too many. */
export async function compare(program: Program, { pool, enumeration, limit }: { pool: Pool; enumeration: Enumeration; limit: number }): Promise<Comparison | undefined> {
  const reference = await enumeration.outcomes(program, limit)
  return reference && compareWith(reference, source(program), { scope: { pool, reset, contents }, limit })
}
