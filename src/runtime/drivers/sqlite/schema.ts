import type { Catalogue, Table } from '../sql/catalogue.ts'
import { quotedText, type SqliteConnection } from './connection.ts'

/** What there is in a database, as one of its connections finds it. */
export interface Schema {
  readonly catalogue: Catalogue
  /** Names stand for what they stand for in the main database: there are no temporary tables, and no other database is attached. */
  readonly isPlain: boolean
}

/** By connection: it is asked again once SQLite has counted a change. */
let known = new WeakMap<object, { readonly version: number; readonly schema: Schema }>()

/** As it was when it was last asked for. */
export const knownSchemaOf = (connection: SqliteConnection): Schema | undefined => known.get(connection)?.schema

/** Undefined where the connection does not say. */
export function schemaOf(connection: SqliteConnection): Schema | undefined {
  try {
    const version = Number(first(connection, 'pragma schema_version')?.['schema_version'])
    const before = known.get(connection)
    if (before?.version === version) return before.schema
    const schema = { catalogue: catalogueOf(connection), isPlain: isPlain(connection) }
    known.set(connection, { version, schema })
    return schema
  } catch {
    return undefined
  }
}

/** Something was done that SQLite may not count. */
export const forgetSchema = (connection: SqliteConnection): void => void known.delete(connection)

export function forgetSchemas(): void {
  known = new WeakMap()
}

type Row = Readonly<Record<string, unknown>>

const rowsOf = (connection: SqliteConnection, text: string): readonly Row[] => connection.prepare(text).all()
const first = (connection: SqliteConnection, text: string): Row | undefined => rowsOf(connection, text)[0]

function isPlain(connection: SqliteConnection): boolean {
  if (rowsOf(connection, 'pragma database_list').some(({ name }) => name !== 'main' && name !== 'temp')) return false
  return Number(first(connection, 'select count(*) as n from sqlite_temp_master')?.['n']) === 0
}

const isSame = (one: unknown, other: unknown): boolean => String(one).toLowerCase() === String(other).toLowerCase()

/** By `main.table`, in small letters. */
function catalogueOf(connection: SqliteConnection): Catalogue {
  const entries = rowsOf(connection, "select type, name, tbl_name, sql from main.sqlite_master where name not like 'sqlite\\_%' escape '\\'")
  const tables = entries.filter(({ type, sql }) => type === 'table' && !/^\s*create\s+virtual\b/i.test(String(sql)))
  const references = tables.flatMap(({ name }) => rowsOf(connection, `select "table" as other, "from" as col, "to" as other_col from pragma_foreign_key_list(${quotedText(String(name))})`).map((row): Row => ({ ...row, name })))
  return new Map(
    tables.map(({ name, sql }): [string, Table] => {
      const table = String(name)
      const columns = rowsOf(connection, `select name, type, pk, hidden from pragma_table_xinfo(${quotedText(table)})`)
      const keys = columns.filter(({ pk }) => Number(pk) > 0)
      const [key] = keys.length === 1 ? keys : []
      const isInteger = key !== undefined && /int/i.test(String(key['type']))
      const unique = rowsOf(connection, `select origin, partial, info.name as col from pragma_index_list(${quotedText(table)}) as list, pragma_index_info(list.name) as info where list."unique"`)
      const others = unique.filter(({ origin }) => origin !== 'pk')
      const isGenerated = (col: unknown): boolean => columns.some((column) => isSame(column['name'], col) && Number(column['hidden']) > 1)
      // What they are computed from, or hold for, stands in their text alone.
      const areAllChecked = others.some(({ col, partial }) => col === null || Number(partial) !== 0 || isGenerated(col))
      const refers = references.filter((one) => one['name'] === name)
      const referred = references.filter(({ other }) => isSame(other, table))
      const rowid = isInteger && isSame(key['type'], 'integer') && !/\bwithout\s+rowid\b/i.test(String(sql))
      return [`main.${table.toLowerCase()}`, {
        name: table,
        key: isInteger ? String(key['name']) : undefined,
        hasIntegerKey: isInteger,
        checked: new Set([...(areAllChecked ? columns.map(({ name: col }) => ({ col })) : others), ...refers].map(({ col }) => String(col)).concat(referred.map(({ other_col: col }) => String(col ?? key?.['name'])))),
        hasOtherUnique: others.length > 0,
        refersTo: [...new Set(refers.map(({ other }) => String(tables.find((one) => isSame(one['name'], other))?.['name'] ?? other)))],
        isReferredTo: referred.length > 0,
        counted: new Set(rowid ? [String(key['name'])] : []),
        runsCode: entries.some(({ type, tbl_name: of }) => type === 'trigger' && isSame(of, table)),
        columns: columns.filter(({ hidden }) => Number(hidden) === 0).map((column) => String(column['name'])),
      }]
    }),
  )
}
