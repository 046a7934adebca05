import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** What of `mysql2/promise` the tests use. */
export interface Queryable {
  query(text: string | object, values?: unknown): Promise<[any, unknown]>
  execute(text: string, values?: readonly unknown[]): Promise<[any, unknown]>
}

export interface Connection extends Queryable {
  readonly threadId: number
  readonly connection: any
  beginTransaction(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  prepare(text: string): Promise<{ execute(values: readonly unknown[]): Promise<[any, unknown]>; close(): Promise<void> }>
  release(): void
  destroy(): void
  end(): Promise<void>
}

export interface Pool extends Queryable {
  readonly pool: any
  getConnection(): Promise<Connection>
  end(): Promise<void>
}

export interface Mysql {
  createPool(config: object): Pool
  createConnection(config: object): Promise<Connection>
}

/** A server of its own, where the machine has MariaDB and the package `mysql2` is installed. */
export interface Server {
  readonly mysql: Mysql
  /** The same, with callbacks. */
  readonly callbacks: any
  readonly config: { readonly socketPath: string; readonly user: string }
  stop(): void
}

const onPath = (name: string): boolean => (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, name)))

function packageOf(name: string): unknown {
  try {
    return createRequire(import.meta.url)(name)
  } catch {
    return undefined
  }
}

const mysql = packageOf('mysql2/promise') as Mysql | undefined

/** Why there is no server for tests; undefined where there is one. */
export const missing = !['mariadbd', 'mariadb-install-db', 'my_print_defaults'].every(onPath) ? 'no MariaDB on this machine' : mysql === undefined ? 'the package mysql2 is not installed' : undefined

/** The server does not run as root. */
function user(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (name: string, kind: '-u' | '-g'): number => Number(spawnSync('id', [kind, name], { encoding: 'utf8' }).stdout || Number.NaN)
  const name = Number.isNaN(idOf('mysql', '-u')) ? 'nobody' : 'mysql'
  return { uid: idOf(name, '-u'), gid: idOf(name, '-g') }
}

/** Tables come and go by files: in memory, where there is such a folder. */
const place = existsSync('/dev/shm') ? '/dev/shm' : realpathSync(tmpdir())

/** Starts a server that listens to nobody but this machine, by a socket in a folder of its own. */
export async function startServer(): Promise<Server> {
  const folder = mkdtempSync(path.join(place, 'vitest-dpor-my-'))
  const as = user()
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid!)
  const data = path.join(folder, 'data')
  const socketPath = path.join(folder, 'socket')
  // A server that starts removes what others have in the folder for temporary tables.
  const temporary = path.join(folder, 'temporary')
  mkdirSync(temporary)
  if (as.uid !== undefined) chownSync(temporary, as.uid, as.gid!)
  execFileSync('mariadb-install-db', ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', `--tmpdir=${temporary}`], { ...as, cwd: folder, stdio: 'ignore' })
  const server = spawn('mariadbd', ['--no-defaults', `--datadir=${data}`, `--socket=${socketPath}`, '--skip-networking', `--tmpdir=${temporary}`, '--innodb-flush-log-at-trx-commit=0', '--innodb-flush-method=nosync', `--pid-file=${path.join(folder, 'pid')}`], { ...as, cwd: folder, stdio: 'ignore' })
  const config = { socketPath, user: 'root' }
  for (let attempts = 0; ; attempts++) {
    try {
      await (await mysql!.createConnection(config)).end()
      break
    } catch (error) {
      if (attempts === 200) throw error
      await new Promise((resolve) => void setTimeout(resolve, 50))
    }
  }
  return {
    mysql: mysql!,
    callbacks: packageOf('mysql2'),
    config,
    stop() {
      server.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
