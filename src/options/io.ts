import type { Check } from '../engine/checks.ts'
import { filePattern, type FilePattern } from './files.ts'

/** What is done about a PostgreSQL server. */
export interface PostgresOptions {
  /**
   * Rows that executions have changed are put back after each, and sequences set: of a database whose name says that it is for tests, of the one that is named here, or, where this is `false`, of none.
   * With `true` another database is refused. Default: those for tests.
   */
  readonly reset?: boolean | string | undefined
}

/** What is done about a MySQL or MariaDB server. */
export interface MysqlOptions {
  /** As for PostgreSQL: `AUTO_INCREMENT` is set as sequences are. */
  readonly reset?: boolean | string | undefined
}

/** What is done about a Redis server. */
export interface RedisOptions {
  /**
   * Keys that executions have changed are put back after each: of databases that are on this machine or have another number than 0, of the one that is named here (`'redis.example.com:6379/0'`) as well, or, where this is `false`, of none.
   * With `true` another database is refused.
   */
  readonly reset?: boolean | string | undefined
}

/** What there is outside. */
export interface IoOptions {
  /** Files that stand for I/O, with `interleave: 'event-loop'`. */
  readonly files?: FilePattern | undefined
  readonly postgres?: PostgresOptions | undefined
  readonly mysql?: MysqlOptions | undefined
  readonly redis?: RedisOptions | undefined
}

export const filesOrIo: Check<FilePattern | IoOptions> = {
  accepts: (value): value is FilePattern | IoOptions => filePattern.accepts(value) || isIo(value),
  words: 'a glob, a regular expression or an array of these, or { files, postgres: { reset }, mysql: { reset }, redis: { reset } } with true, false or the name of a database',
}

/** The same with all in its place. */
export const ioOf = (io: FilePattern | IoOptions | undefined): IoOptions => (io === undefined || filePattern.accepts(io) ? { files: io } : (io as IoOptions))

function isIo(value: unknown): boolean {
  if (!hasOnly(value, ['files', 'postgres', 'mysql', 'redis'])) return false
  const { files, postgres, mysql, redis } = value
  return (files === undefined || filePattern.accepts(files)) && [postgres, mysql, redis].every((server) => server === undefined || isReset(server))
}

const isReset = (value: unknown): boolean => hasOnly(value, ['reset']) && ['undefined', 'boolean', 'string'].includes(typeof value['reset'])

function hasOnly(value: unknown, names: readonly string[]): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).every((name) => names.includes(name))
}
