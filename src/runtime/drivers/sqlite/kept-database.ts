import { Number, Reflect } from '../../../engine/intrinsics.ts'
import { isInTransaction, isOpen, quotedText, type SqliteConnection } from './connection.ts'
import { copyRows } from './rows.ts'

// As they were before anybody has put something in their place.
const fs = { ...globalThis.process?.getBuiltinModule?.('node:fs') } as typeof import('node:fs')

/** Bytes of a database that are kept at most: a larger one stays as it was left. */
const mostBytes = 2 ** 26

/** A copy is attached by this name, which nobody else has. */
const copyName = 'vitest_dpor'

let folder: string | undefined
let count = 0

/** Copies of databases of this process, which go with it. */
function folderOfCopies(): string {
  if (folder !== undefined) return folder
  const made = (folder = fs.mkdtempSync(`${globalThis.process.getBuiltinModule('node:os').tmpdir()}/vitest-dpor-sqlite-`))
  globalThis.process.on('exit', () => fs.rmSync(made, { recursive: true, force: true }))
  return made
}

/** One database of SQLite as an exploration has found it. */
export class KeptDatabase {
  readonly #file: string | null
  /** The file that the copy is in; undefined where there is none. */
  #copy: string | undefined
  /** Why there is none. */
  #whyNot: string | undefined
  /** What has used it, the last one that is open is asked. */
  readonly #connections = new Set<SqliteConnection>()

  /** @param file `null`: it is in the memory of the connection */
  constructor(connection: SqliteConnection, file: string | null) {
    this.#file = file
    try {
      this.#keep(connection)
    } catch (error) {
      this.#whyNot = String((error as Error).message)
    }
  }

  #keep(connection: SqliteConnection): void {
    const [size] = connection.prepare('select page_count * page_size as bytes from pragma_page_count, pragma_page_size').all()
    if (Number.isFinite(size!['bytes']) && (size!['bytes'] as number) > mostBytes) throw new Error(`it has more than ${mostBytes / 2 ** 20} MB`)
    const copy = `${folderOfCopies()}/${++count}.db`
    if (connection.serialize) fs.writeFileSync(copy, withoutLog(connection.serialize()))
    else if (isInTransaction(connection)) throw new Error('a transaction had begun before the test changed anything')
    else connection.exec(`vacuum into ${quotedText(copy)}`)
    this.#copy = copy
  }

  usedBy(connection: SqliteConnection): void {
    this.#connections.add(connection)
  }

  /** What executions have left open is rolled back, and all rows are as they were. Returns why they are not. */
  putBack(): string | undefined {
    const connections = [...this.#connections].filter(isOpen)
    this.#connections.clear()
    for (const connection of connections) if (isInTransaction(connection) !== false) quietly(() => connection.exec('rollback'))
    if (this.#copy === undefined) return this.#whyNot
    const [first] = connections
    // Nobody sees any more what was in the memory of one that is closed.
    if (this.#file === null) return first && whyNot(() => this.#fill(first))
    const [any] = [...connections, ...made]
    if (!any) return 'no connection is open that could do that'
    return whyNot(() => {
      const own = Reflect.construct(any.constructor as new (file: string) => SqliteConnection, [this.#file!])
      try {
        this.#fill(own)
      } finally {
        own.close()
      }
    })
  }

  #fill(connection: SqliteConnection): void {
    const [{ foreign_keys: checked }] = connection.prepare('pragma foreign_keys').all() as [{ foreign_keys: unknown }]
    connection.exec(`attach ${quotedText(this.#copy!)} as ${copyName}`)
    try {
      connection.exec('pragma foreign_keys = off')
      connection.exec('begin immediate')
      try {
        copyRows(connection, copyName)
        connection.exec('commit')
      } catch (error) {
        quietly(() => connection.exec('rollback'))
        throw error
      }
    } finally {
      connection.exec(`detach ${copyName}`)
      connection.exec(`pragma foreign_keys = ${String(checked)}`)
    }
  }
}

/** Connections that are open, the last one of each class: another one to a file is made by it. */
const made = new Set<SqliteConnection>()

export function noteConnection(connection: SqliteConnection): void {
  for (const one of made) if (one.constructor === connection.constructor) made.delete(one)
  made.add(connection)
}

/** A copy has no log beside it, whatever the database has. */
function withoutLog(bytes: Uint8Array): Uint8Array {
  if (bytes.length > 19) bytes.fill(1, 18, 20)
  return bytes
}

function whyNot(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return String((error as Error).message)
  }
}

const quietly = (work: () => void): void => void whyNot(work)
