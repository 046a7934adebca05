import type { TestProject } from 'vitest/node'
import { missing, startServer } from '../../test/explored/uninstrumented/postgres-server.ts'

/** A PostgreSQL server for the examples, where the machine has one: `initdb`, `pg_ctl` and `postgres`. */
export default async function start(project: TestProject): Promise<(() => void) | undefined> {
  if (missing !== undefined) {
    console.log(`Skipped, as there is ${missing}: examples with PostgreSQL.`)
    return undefined
  }
  const server = startServer()
  const admin = new server.pg.Client(server.config)
  await admin.connect()
  await admin.query('create database buggy_shop_test')
  await admin.query('create database fixed_shop_test')
  await admin.end()
  project.provide('postgres' as never, { host: server.config.host, user: server.config.user } as never)
  return () => server.stop()
}
