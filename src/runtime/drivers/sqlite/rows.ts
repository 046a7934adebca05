import { quotedName, quotedText, type SqliteConnection } from './connection.ts'

/** What there is in a database, as `sqlite_master` has it. */
interface Entry {
  readonly type: 'table' | 'index' | 'view' | 'trigger'
  readonly name: string
  readonly tbl_name: string
  readonly sql: string
}

/** Makes a database what an attached copy of it is: tables and what belongs to them, and all rows, with the numbers that SQLite has for them. In a transaction that is open. */
export function copyRows(connection: SqliteConnection, copy: string): void {
  const [now, before] = [entriesOf(connection, 'main'), entriesOf(connection, copy)]
  const isAmong = (entries: readonly Entry[], { type, name, sql }: Entry): boolean => entries.some((other) => other.type === type && other.name === name && other.sql === sql)
  const isTrigger = ({ type }: Entry): boolean => type === 'trigger'
  // No trigger runs meanwhile.
  const gone = new Set<Entry>([...now.filter(isTrigger), ...now.filter((entry) => !isAmong(before, entry))])
  for (const type of ['trigger', 'view', 'index', 'table'] as const) for (const entry of gone) if (entry.type === type) connection.exec(`drop ${type} if exists main.${quotedName(entry.name)}`)
  const missing = before.filter((entry) => !isAmong(now, entry) || isTrigger(entry) || (entry.type === 'index' && [...gone].some(({ type, name }) => type === 'table' && name === entry.tbl_name)))
  for (const { type, sql } of missing) if (type === 'table') connection.exec(sql)
  for (const table of before) if (table.type === 'table' && !/^\s*create\s+virtual\b/i.test(table.sql)) fill(connection, copy, table)
  for (const type of ['index', 'view', 'trigger'] as const) for (const entry of missing) if (entry.type === type) connection.exec(entry.sql)
  fillCounts(connection, copy)
  const [{ user_version: version }] = connection.prepare(`pragma ${copy}.user_version`).all() as [{ user_version: unknown }]
  connection.exec(`pragma main.user_version = ${String(version)}`)
}

const entriesOf = (connection: SqliteConnection, schema: string): readonly Entry[] =>
  connection.prepare(`select type, name, tbl_name, sql from ${schema}.sqlite_master where sql is not null and name not like 'sqlite\\_%' escape '\\'`).all() as unknown as readonly Entry[]

function fill(connection: SqliteConnection, copy: string, { name, sql }: Entry): void {
  const table = quotedName(name)
  // Those that are computed nobody can insert.
  const columns = (connection.prepare(`pragma main.table_xinfo(${quotedText(name)})`).all() as readonly { name: string; hidden: number; type: string; pk: number }[]).filter(({ hidden }) => hidden === 0)
  const keys = columns.filter(({ pk }) => pk > 0)
  const isNumberedByKey = keys.length === 1 && /^integer$/i.test(keys[0]!.type)
  const number = isNumberedByKey || /\bwithout\s+rowid\b/i.test(sql) ? undefined : ['rowid', '_rowid_', 'oid'].find((one) => !columns.some((column) => column.name.toLowerCase() === one))
  const list = [...(number ? [number] : []), ...columns.map((column) => quotedName(column.name))].join(', ')
  connection.exec(`delete from main.${table}; insert into main.${table} (${list}) select ${list} from ${copy}.${table}`)
}

/** What AUTOINCREMENT has counted. */
function fillCounts(connection: SqliteConnection, copy: string): void {
  const counts = (schema: string): boolean => connection.prepare(`select 1 from ${schema}.sqlite_master where name = 'sqlite_sequence'`).all().length > 0
  if (!counts('main')) return
  connection.exec('delete from main.sqlite_sequence')
  if (counts(copy)) connection.exec(`insert into main.sqlite_sequence select * from ${copy}.sqlite_sequence`)
}
