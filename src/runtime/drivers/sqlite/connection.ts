/** A connection of `better-sqlite3` or `node:sqlite`, as far as it is used here. */
export interface SqliteConnection {
  exec(text: string): unknown
  prepare(text: string): { all(): readonly Readonly<Record<string, unknown>>[] }
  close(): void
  serialize?(): Uint8Array
  readonly open?: unknown
  readonly isOpen?: boolean
  readonly inTransaction?: boolean
  readonly isTransaction?: boolean
}

/** Nobody has closed it. By `better-sqlite3` this is `open`, which with `node:sqlite` is a method. */
export const isOpen = ({ open, isOpen: isOpenNow }: SqliteConnection): boolean => (typeof open === 'boolean' ? open : (isOpenNow ?? true))

/** Undefined where it does not say so. */
export const isInTransaction = (connection: SqliteConnection): boolean | undefined => isOpen(connection) && (connection.inTransaction ?? connection.isTransaction)

export const quotedName = (name: string): string => `"${name.replace(/"/g, '""')}"`

export const quotedText = (text: string): string => `'${text.replace(/'/g, "''")}'`

const ofSqlite = new WeakMap<object, boolean>()

/** What stands in for it has its names, and knows nothing of its statements. */
export function isOfSqlite(connection: SqliteConnection): boolean {
  let isReal = ofSqlite.get(connection)
  if (isReal === undefined) ofSqlite.set(connection, (isReal = answers(connection)))
  return isReal
}

function answers(connection: SqliteConnection): boolean {
  try {
    return connection.prepare('select sqlite_version() as version').all().length === 1
  } catch {
    return false
  }
}
