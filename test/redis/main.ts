import { Redis } from 'ioredis'
import { missingRedis, startRedis } from '../explored/uninstrumented/redis-server.ts'
import { optionsOf, runOracle } from '../servers/oracle.ts'
import { compare } from './compare.ts'
import { Enumeration } from './enumerate.ts'
import { generate, generateFurther, print } from './program.ts'

if (missingRedis !== undefined) throw new Error(missingRedis)
const server = await startRedis()
const clients = [1, 2, 3].map(() => new Redis(server.socket))
let agree = false
try {
  const enumeration = new Enumeration(clients)
  const options = optionsOf(100)
  const programOf = options.further ? generateFurther : generate
  agree = await runOracle({ print: (seed) => print(programOf(seed)), compare: (seed, limit) => compare(programOf(seed), { clients, enumeration, limit }) }, options)
} finally {
  for (const client of clients) client.disconnect()
  await server.stop()
}
process.exit(agree ? 0 : 1)
