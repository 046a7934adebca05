import { whenDatabaseChanges } from '../../accesses/sqlite-files.ts'
import type { Execution } from '../../execution/execution.ts'
import { besideSteps } from '../../execution/running.ts'
import { serversOf, type PutBack } from '../servers.ts'
import type { SqliteConnection } from './connection.ts'
import { KeptDatabase, noteConnection } from './kept-database.ts'

/** Databases of SQLite are put back after each execution, as files are: they are in the process, or on the machine. */
export function driveBySqlite(): void {
  whenDatabaseChanges((execution, { connection, file }) => besideSteps(() => isAboutToChange(execution, connection as SqliteConnection, file)))
}

interface Kept {
  readonly database: KeptDatabase
  readonly putBack: PutBack
}

const ofSqlite = new WeakMap<object, boolean>()

/** What stands in for it has its names, and knows nothing of its statements. */
function isOfSqlite(connection: SqliteConnection): boolean {
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

/** Of each exploration, which all its executions share: by file, or by connection. */
const explorations = new WeakMap<object, Map<string | object, Kept>>()

function isAboutToChange(execution: Execution, connection: SqliteConnection, file: string | null): void {
  if (!isOfSqlite(connection)) return
  noteConnection(connection)
  const { database, putBack } = keptIn(execution, connection, file)
  database.usedBy(connection)
  serversOf(execution).whenAllOver(putBack)
}

function keptIn({ identities }: Execution, connection: SqliteConnection, file: string | null): Kept {
  let all = explorations.get(identities)
  if (!all) explorations.set(identities, (all = new Map()))
  const key = file ?? connection
  let kept = all.get(key)
  if (!kept) {
    const database = new KeptDatabase(connection, file)
    const putBack = async (): Promise<readonly string[]> => {
      const why = database.putBack()
      return why === undefined ? [] : [`rows of the database ${file ?? 'in memory'} (${why})`]
    }
    all.set(key, (kept = { database, putBack }))
  }
  return kept
}
