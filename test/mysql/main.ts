import { missing, startServer } from '../explored/uninstrumented/mysql-server.ts'
import { optionsOf, runOracle } from '../servers/oracle.ts'
import { print } from '../servers/scripts.ts'
import { compare } from './compare.ts'
import { Enumeration } from './enumerate.ts'
import { generate, generateFurther, schema } from './program.ts'

if (missing !== undefined) throw new Error(missing)
const server = await startServer()
const admin = await server.mysql.createConnection(server.config)
await admin.query('create database oracle_test')
await admin.end()
const pool = server.mysql.createPool({ ...server.config, database: 'oracle_test' })
try {
  for (const text of schema) await pool.query(text)
  const enumeration = await Enumeration.open(server, 'oracle_test')
  const options = optionsOf(100)
  const programOf = options.further ? generateFurther : generate
  const agree = await runOracle({ print: (seed) => print(programOf(seed)), compare: (seed, limit) => compare(programOf(seed), { pool, enumeration, limit }) }, options)
  await enumeration.close()
  process.exitCode = agree ? 0 : 1
} finally {
  await pool.end()
  server.stop()
}
