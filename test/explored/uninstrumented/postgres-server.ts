import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** What of `pg` the tests use. */
export interface Queryable {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly any[]; readonly rowCount: number }>
}

export interface Client extends Queryable {
  release(error?: unknown): void
  on(event: string, listener: (error: unknown) => void): void
  off(event: string, listener: (error: unknown) => void): void
  connect(): Promise<void>
  end(): Promise<void>
}

export interface Pool extends Queryable {
  connect(): Promise<Client>
  connect(callback: (error: unknown, client: any, release: () => void) => void): void
  on(event: string, listener: (error: unknown) => void): void
  end(): Promise<void>
}

export interface Pg {
  readonly Pool: new (config: object) => Pool
  readonly Client: new (config: object) => Client
}

/** A server of its own, where the machine has PostgreSQL and the package `pg` is installed. */
export interface Server {
  readonly pg: Pg
  readonly config: { readonly host: string; readonly user: string; readonly database: string }
  /** Nobody answers, and all connections are lost, until it is started again. */
  halt(): void
  startAgain(): void
  /** All connections are lost. */
  readonly restart: () => void
  stop(): void
}

const folders = (): string[] => {
  const versions = '/usr/lib/postgresql'
  const installed = existsSync(versions) ? readdirSync(versions).map((version) => path.join(versions, version, 'bin')) : []
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, 'postgres')).filter((file) => existsSync(file))
  return [...onPath.map((file) => path.dirname(realpathSync(file))), ...installed]
}

/** Where `initdb` and `pg_ctl` are as well. */
const programs = folders().find((folder) => ['initdb', 'pg_ctl', 'postgres'].every((name) => existsSync(path.join(folder, name))))

function packageOf(name: string): unknown {
  try {
    return createRequire(import.meta.url)(name)
  } catch {
    return undefined
  }
}

const pg = packageOf('pg') as Pg | undefined

/** Why there is no server for tests; undefined where there is one. */
export const missing = programs === undefined ? 'no PostgreSQL on this machine' : pg === undefined ? 'the package pg is not installed' : undefined

/** The server does not run as root. */
function user(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (name: string, kind: '-u' | '-g'): number => Number(spawnSync('id', [kind, name], { encoding: 'utf8' }).stdout || Number.NaN)
  const name = Number.isNaN(idOf('postgres', '-u')) ? 'nobody' : 'postgres'
  return { uid: idOf(name, '-u'), gid: idOf(name, '-g') }
}

/** Starts a server that listens to nobody but this machine, by a socket in a folder of its own. */
export function startServer(): Server {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'vitest-dpor-pg-'))
  const as = user()
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid!)
  const data = path.join(folder, 'data')
  const run = (name: string, ...args: string[]): void => void execFileSync(path.join(programs!, name), args, { ...as, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, LC_ALL: 'C' } })
  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-N')
  // Circles of transactions are ended by what explores them.
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off', 'deadlock_timeout=10min']
  const startAgain = (): void => run('pg_ctl', '-D', data, '-w', '-s', '-l', path.join(folder, 'log'), '-o', settings.map((setting) => `-c ${setting}`).join(' '), 'start')
  const halt = (): void => run('pg_ctl', '-D', data, '-m', 'immediate', '-s', 'stop')
  startAgain()
  return {
    pg: pg!,
    config: { host: folder, user: 'postgres', database: 'postgres' },
    halt,
    startAgain,
    restart() {
      halt()
      startAgain()
    },
    stop() {
      halt()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
