import { Redis } from 'ioredis'
import { missingRedis, startRedis } from '../explored/uninstrumented/redis-server.ts'
import { optionsOf, runOracle } from '../servers/oracle.ts'
import { compare } from './compare.ts'
import { Enumeration } from './enumerate.ts'
import { generate, print } from './program.ts'

if (missingRedis !== undefined) throw new Error(missingRedis)
const server = await startRedis()
const clients = [1, 2, 3].map(() => new Redis(server.socket))
let agree = false
try {
  const enumeration = new Enumeration(clients)
  agree = await runOracle({ print: (seed) => print(generate(seed)), compare: (seed, limit) => compare(generate(seed), { clients, enumeration, limit }) }, optionsOf(100))
} finally {
  for (const client of clients) client.disconnect()
  await server.stop()
}
process.exit(agree ? 0 : 1)
