import { parseArgs } from 'node:util'
import { missing, startServer } from '../explored/uninstrumented/mysql-server.ts'
import { compare } from './compare.ts'
import { Enumeration } from './enumerate.ts'
import { generate, print, schema } from './program.ts'

const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    /** Orders above which a program is passed over. */
    limit: { type: 'string', default: '100' },
    show: { type: 'string', default: '3' },
  },
})

if (missing !== undefined) throw new Error(missing)
const server = await startServer()
const admin = await server.mysql.createConnection(server.config)
await admin.query('create database oracle_test')
await admin.end()
const pool = server.mysql.createPool({ ...server.config, database: 'oracle_test' })
const total = { agree: 0, lost: 0, invented: 0, 'no verdict': 0, 'too large': 0 }
const counts = { executions: 0, orders: 0 }
let shown = 0
try {
  for (const text of schema) await pool.query(text)
  const enumeration = await Enumeration.open(server, 'oracle_test')
  const first = Number(values.seed)
  for (let seed = first; seed < first + Number(values.programs); seed++) {
    const program = generate(seed)
    let problem: string | undefined
    try {
      const comparison = await compare(program, { pool, enumeration, limit: Number(values.limit) })
      if (!comparison) {
        total['too large']++
        continue
      }
      counts.executions += comparison.executions
      counts.orders += comparison.orders
      const kind = comparison.lost.length > 0 ? 'lost' : comparison.invented.length > 0 ? 'invented' : comparison.verdict === 'holds' ? 'agree' : 'no verdict'
      total[kind]++
      if (kind !== 'agree') problem = `${kind} (${comparison.verdict}, ${comparison.executions} executions of ${comparison.orders} orders)\nlost: ${comparison.lost.slice(0, 2).join('\n')}\ninvented: ${comparison.invented.slice(0, 2).join('\n')}`
    } catch (error) {
      total['no verdict']++
      problem = String(error)
    }
    if (problem !== undefined && shown++ < Number(values.show)) console.log(`seed ${seed}\n${print(program)}\n${problem}\n`)
  }
  await enumeration.close()
} finally {
  await pool.end()
  server.stop()
}
console.log({ ...total, ...counts })
process.exitCode = total.lost + total.invented + total['no verdict'] > 0 ? 1 : 0
