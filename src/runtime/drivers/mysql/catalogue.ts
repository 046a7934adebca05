import type { Catalogue, Table } from '../sql/catalogue.ts'

type Row = Readonly<Record<string, unknown>>

const own = `table_schema not in ('mysql', 'information_schema', 'performance_schema', 'sys')`

/** What has to be asked for a catalogue: ordinary tables of InnoDB alone, in all databases. */
export const questions = {
  tables: `select table_schema as db, table_name as name from information_schema.tables where table_type = 'BASE TABLE' and engine = 'InnoDB' and coalesce(create_options, '') not like '%partitioned%' and ${own}`,
  columns: `select table_schema as db, table_name as name, column_name as col, data_type as type, extra from information_schema.columns where ${own} order by ordinal_position`,
  unique: `select table_schema as db, table_name as name, index_name as idx, column_name as col from information_schema.statistics where non_unique = 0 and ${own}`,
  references: `select table_schema as db, table_name as name, column_name as col, referenced_table_schema as other_db, referenced_table_name as other, referenced_column_name as other_col
    from information_schema.key_column_usage where referenced_table_name is not null and ${own}`,
  triggers: `select event_object_schema as db, event_object_table as name from information_schema.triggers`,
}

const integers = new Set(['tinyint', 'smallint', 'mediumint', 'int', 'bigint'])

/**
 * By `database.table`.
 * @param shown the database whose tables a reader knows without its name
 */
export function catalogueOf(answers: Readonly<Record<keyof typeof questions, readonly Row[]>>, shown: string): Catalogue {
  const keyOf = ({ db, name }: Row): string => `${String(db)}.${String(name)}`
  const shownName = (db: unknown, name: unknown): string => (db === shown ? String(name) : `${String(db)}.${String(name)}`)
  const catalogue = new Map<string, Table>()
  for (const row of answers.tables) {
    const key = keyOf(row)
    const isOfIt = (one: Row): boolean => keyOf(one) === key
    const columns = answers.columns.filter(isOfIt)
    const unique = answers.unique.filter(isOfIt)
    const primary = unique.filter(({ idx }) => idx === 'PRIMARY')
    const refers = answers.references.filter(isOfIt)
    const referred = answers.references.filter(({ other_db: db, other }) => `${String(db)}.${String(other)}` === key)
    const [only] = primary.length === 1 ? primary : []
    const hasIntegerKey = only !== undefined && integers.has(String(columns.find(({ col }) => col === only['col'])?.['type']))
    const others = unique.filter(({ idx }) => idx !== 'PRIMARY')
    // What such an index is computed from stands in its text alone.
    const areAllChecked = others.some(({ col }) => col === null || columns.some((column) => column['col'] === col && /generated/i.test(String(column['extra']))))
    catalogue.set(key, {
      name: shownName(row['db'], row['name']),
      key: hasIntegerKey ? String(only['col']) : undefined,
      hasIntegerKey,
      checked: new Set([...(areAllChecked ? columns : others), ...primary, ...refers].map(({ col }) => String(col)).concat(referred.map(({ other_col: col }) => String(col)))),
      hasOtherUnique: others.length > 0,
      refersTo: refers.map(({ other_db: db, other }) => shownName(db, other)),
      isReferredTo: referred.length > 0,
      counted: new Set(columns.filter(({ extra }) => String(extra).includes('auto_increment')).map(({ col }) => String(col))),
      runsCode: answers.triggers.some(isOfIt),
      columns: columns.filter(({ extra }) => !/invisible/i.test(String(extra))).map(({ col }) => String(col)),
    })
  }
  return catalogue
}
