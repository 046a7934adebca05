import { createRequire } from 'node:module'
import { rememberDriver } from '../../src/runtime/execution/loaded-drivers.ts'
import { missing, type Pool } from '../explored/uninstrumented/mysql-server.ts'
import { compareWith, type Comparison } from '../servers/comparison.ts'
import type { Program } from '../servers/scripts.ts'
import type { Enumeration } from './enumerate.ts'
import { contents } from './program.ts'

const require = createRequire(import.meta.url)
// What loads packages does so elsewhere.
const files = ['lib/base/connection.js', 'lib/base/pool.js', 'lib/pool_connection.js', 'lib/promise/connection.js', 'lib/promise/pool_connection.js', 'lib/promise/pool.js']
const folder = missing === undefined ? require.resolve('mysql2').replace(/index\.js$/, '') : ''
if (missing === undefined) for (const file of files) rememberDriver(`mysql2/${file}`, require(`${folder}${file}`))

const source = (program: Program): string => `
const answerText = (result) => JSON.stringify(Array.isArray(result) ? result : [result.affectedRows, result.insertId])
const run = async ({ level, steps }) => {
  const connection = await pool.getConnection()
  const log = []
  let last = 0
  try {
    if (level) {
      await connection.query('set transaction isolation level ' + level)
      await connection.query('begin')
    }
    for (const { text, values } of steps) {
      try {
        const [result] = await connection.query(text, values.map((value) => (value === '$last' ? last : value)))
        log.push(answerText(result))
        last = result[0]?.v ?? last
      } catch (error) {
        log.push(error.errno)
        if (level && error.errno === 1213) return log
      }
    }
    try {
      if (level) log.push(answerText((await connection.query('commit'))[0]))
    } catch (error) {
      log.push(error.errno)
    }
    return log
  } finally {
    if (level) await connection.query('rollback')
    connection.release()
  }
}
const logs = await Promise.all([${program.map((script) => `run(${JSON.stringify(script)})`).join(', ')}])
const found = []
for (const text of contents) found.push((await pool.query(text))[0])
return JSON.stringify([logs, found])`

/** Explores a program, and compares how it can end with all orders of its statements. Undefined where there are too many. */
export async function compare(program: Program, { pool, enumeration, limit }: { pool: Pool; enumeration: Enumeration; limit: number }): Promise<Comparison | undefined> {
  return enumeration.whileNothingIsClearedAway(async () => {
    const reference = await enumeration.outcomes(program, limit)
    return reference && compareWith(reference, source(program), { scope: { pool, contents }, limit })
  })
}
