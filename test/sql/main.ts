import { validity } from '../../src/engine/validity.ts'
import { missing, startServer } from '../explored/uninstrumented/postgres-server.ts'
import type { Comparison } from '../servers/comparison.ts'
import { optionsOf, runOracle } from '../servers/oracle.ts'
import { print } from '../servers/scripts.ts'
import { compare } from './compare.ts'
import { Enumeration } from './enumerate.ts'
import { Locks } from './locks.ts'
import { generate, generateAlone, generateFurther, schema } from './program.ts'

if (missing !== undefined) throw new Error(missing)
// What a statement finds decides what it does: what is told of it has to tell that.
validity.checked = validity.decided = true
const server = startServer()
const pool = new server.pg.Pool({ ...server.config, max: 10 })
try {
  await pool.query(schema)
  const enumeration = await Enumeration.open(server)
  const locks = await Locks.open(server)
  const options = optionsOf(300)
  const programOf = options.further ? generateFurther : generate
  const compareAll = async (seed: number, limit: number): Promise<Comparison | undefined> => {
    const unseen = await locks.unseenOf(generateAlone(seed))
    const comparison = await compare(programOf(seed), { pool, enumeration, limit })
    return comparison ? { ...comparison, unseen } : unseen.length > 0 ? { lost: [], invented: [], executions: 0, orders: 0, verdict: 'too large', unseen } : undefined
  }
  const agree = await runOracle({ print: (seed) => print(programOf(seed)), compare: compareAll }, options)
  await enumeration.close()
  await locks.close()
  process.exitCode = agree ? 0 : 1
} finally {
  await pool.end()
  server.stop()
}
