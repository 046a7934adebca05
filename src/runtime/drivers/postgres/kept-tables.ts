import type { Control } from './control.ts'

/** A table whose rows can be copied. */
export interface Table {
  readonly id: string
  /** As the server writes it. */
  readonly name: string
  /** As footprints have it. */
  readonly known: string
  /** Those that are given values, in a list. */
  readonly columns: string
  readonly referred_by: readonly string[]
  readonly has_triggers: boolean
  /** How many bytes a row has, as an expression. */
  readonly width: string
}

/** The same with what is asked for it after each execution: a text that is the same one need not be looked for letter by letter. */
export interface KeptTable extends Table {
  readonly deletion: string
  /** Of all its rows. */
  readonly insertion: string
  /** The same, and each is told. */
  readonly toldInsertion: string
}

export interface SequenceState {
  readonly name: string
  readonly value: string
  readonly is_called: boolean
}

const ours = `n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(temp|toast)'`

const allTables = `
select c.oid::text as id, format('%I.%I', n.nspname, c.relname) as name, case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname as known,
  (select string_agg(format('%I', a.attname), ', ' order by a.attnum) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
  (select string_agg(format('coalesce(pg_column_size(%I), 0)', a.attname), ' + ') from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as width,
  array(select distinct f.conrelid::text from pg_constraint f where f.contype = 'f' and f.confrelid = c.oid) as referred_by,
  exists (select from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal) as has_triggers
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and c.relpersistence <> 't' and ${ours}`

const allSequences = `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'S' and c.relpersistence <> 't' and ${ours}`

interface There {
  readonly at: string | undefined
  readonly tables: readonly KeptTable[]
  readonly sequences: readonly Pick<SequenceState, 'name'>[]
}

const there = new WeakMap<Control, There>()

/** What there is in a database whose rows may be kept. */
export async function thereIn(control: Control): Promise<There> {
  const known = there.get(control)
  if (known && known.at === control.tablesAt) return known
  const [tables, sequences] = (await control.planned([allTables, allSequences])) as [readonly Table[], readonly Pick<SequenceState, 'name'>[]]
  const found = { at: control.tablesAt, tables: tables.filter(({ columns }) => columns !== null).map((table) => withTexts(table, control)), sequences }
  there.set(control, found)
  return found
}

function withTexts(table: Table, control: Control): KeptTable {
  const { id, name, columns } = table
  const insertion = `insert into ${name} (${columns}) overriding system value select ${columns} from pg_temp.${copyOf(id)}`
  return { ...table, deletion: `delete from only ${name}`, insertion, toldInsertion: `${insertion} returning ctid, xmin, (select ${pagesOf(table, control)}) as pages` }
}

export const pagesOf = ({ name }: Table, { blockSize }: Control): string => `(pg_relation_size(${quoted(name)}::regclass) / ${blockSize})::int`

export const copyOf = (id: string): string => `vitest_dpor_${id}`

export const quoted = (name: string): string => `'${name.replace(/'/g, "''")}'`

/** Tables after those that they refer to, where that is possible. */
export function parentsFirst(tables: readonly KeptTable[]): readonly KeptTable[] {
  const ordered: KeptTable[] = []
  const left = new Set(tables)
  while (left.size > 0) {
    const isFree = (table: KeptTable): boolean => [...left].every((other) => other === table || !other.referred_by.includes(table.id))
    const next = [...left].find(isFree) ?? [...left][0]!
    left.delete(next)
    ordered.push(next)
  }
  return ordered
}
