import { driveDatabases, whenDatabaseChanges } from '../../accesses/sqlite-files.ts'
import type { Execution } from '../../execution/execution.ts'
import { besideSteps } from '../../execution/running.ts'
import { serversOf, type PutBack } from '../servers.ts'
import { runCall, tellOther } from './calls.ts'
import { isOfSqlite, type SqliteConnection } from './connection.ts'
import { KeptDatabase, noteConnection } from './kept-database.ts'

/** What statements of SQLite do is known by their texts. Its databases are put back after each execution, as files are: they are in the process, or on the machine. */
export function driveBySqlite(): void {
  driveDatabases({ runCall, otherCall: tellOther })
  whenDatabaseChanges((execution, { connection, file }) => besideSteps(() => isAboutToChange(execution, connection as SqliteConnection, file)))
}

interface Kept {
  readonly database: KeptDatabase
  readonly putBack: PutBack
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
