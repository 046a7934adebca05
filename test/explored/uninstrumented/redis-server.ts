import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A server of its own, where the machine has Redis. */
export interface RedisServer {
  /** The path of its socket. */
  readonly socket: string
  readonly process: ChildProcess
  stop(): Promise<void>
}

const program = (process.env['PATH'] ?? '')
  .split(path.delimiter)
  .flatMap((folder) => ['redis-server', 'valkey-server'].map((name) => path.join(folder, name)))
  .find((file) => existsSync(file))

/** Why there is no server for tests; undefined where there is one. */
export const missingRedis = program === undefined ? 'no Redis on this machine' : undefined

/** Starts a server that listens to nobody but this machine, by a socket in a folder of its own, and keeps nothing on disk. */
export async function startRedis(): Promise<RedisServer> {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'vitest-dpor-redis-'))
  const socket = path.join(folder, 'socket')
  const server = spawn(program!, ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no', '--dir', folder], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => void server.once('exit', () => resolve()))
  while (!(await answers(socket))) await new Promise((resolve) => void setTimeout(resolve, 5))
  return {
    socket,
    process: server,
    async stop() {
      server.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const answers = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const connection = createConnection(socket, () => resolve(true))
    connection.once('error', () => resolve(false))
    connection.once('connect', () => connection.destroy())
  })
