import { spawn, type ChildProcess } from 'node:child_process'
import { afterAll, beforeAll } from 'vitest'

/** Runs a script for the tests of a block or a file, which writes the port of its server. */
export function inAnotherProcess(source: string): { readonly port: number } {
  const other = { port: 0 }
  let server: ChildProcess
  beforeAll(async () => {
    server = spawn(process.execPath, ['-e', source])
    other.port = await new Promise((resolve) => server.stdout!.once('data', (data) => resolve(Number(data))))
  })
  afterAll(() => void server.kill())
  return other
}
