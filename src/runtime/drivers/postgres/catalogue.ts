import type { Catalogue, Table } from '../sql/catalogue.ts'

interface Row {
  readonly schema: string
  readonly name: string
  readonly key: readonly string[] | null
  readonly key_type: string | null
  readonly checked: readonly string[]
  readonly has_other_unique: boolean
  readonly refers_to: readonly string[]
  readonly is_referred_to: boolean
  readonly counted: readonly string[]
  readonly runs_code: boolean
  readonly columns: readonly string[]
}

/** Ordinary tables alone: what is behind views, partitions and the like only the server knows. */
export const tablesOfDatabase = `
select n.nspname as schema, c.relname as name,
  (select array_agg(a.attname::text) from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey) where i.indrelid = c.oid and i.indisprimary) as key,
  (select min(case when exists (select from pg_collation o where o.oid = a.attcollation and not o.collisdeterministic) then 'other' else t.typname::text end) from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey) join pg_type t on t.oid = a.atttypid where i.indrelid = c.oid and i.indisprimary) as key_type,
  array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and (
    exists (select from pg_index i where i.indrelid = c.oid and (i.indisunique or i.indisexclusion) and not i.indisprimary and (a.attnum = any(i.indkey) or i.indexprs is not null or i.indpred is not null))
    or exists (select from pg_constraint f where f.contype = 'f' and ((f.conrelid = c.oid and a.attnum = any(f.conkey)) or (f.confrelid = c.oid and a.attnum = any(f.confkey)))))) as checked,
  exists (select from pg_index i where i.indrelid = c.oid and (i.indisunique or i.indisexclusion) and not i.indisprimary) as has_other_unique,
  array(select case pn.nspname when 'public' then '' else pn.nspname || '.' end || p.relname from pg_constraint f join pg_class p on p.oid = f.confrelid join pg_namespace pn on pn.oid = p.relnamespace where f.contype = 'f' and f.conrelid = c.oid) as refers_to,
  exists (select from pg_constraint f where f.contype = 'f' and f.confrelid = c.oid) as is_referred_to,
  array(select a.attname::text from pg_attribute a left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum where a.attrelid = c.oid and a.attnum > 0
    and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%')) as counted,
  c.relrowsecurity or c.relhasrules or exists (select from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal)
    or exists (select from pg_attrdef d where d.adrelid = c.oid and pg_get_expr(d.adbin, d.adrelid) ~ '[(]'
      and pg_get_expr(d.adbin, d.adrelid) !~ '^(nextval[(].*[)]|now[(][)]|gen_random_uuid[(][)]|[(]?''[^'']*''::.*)$')
    or exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and pg_get_constraintdef(k.oid) ~ '[a-z_]+[(]') as runs_code,
  array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as columns
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(temp|toast)'
  and not exists (select from pg_inherits h where c.oid in (h.inhrelid, h.inhparent))
`

/** What of the catalogues of the server is about tables that somebody has made, and by which column they are found there. */
const parts = { pg_class: 'oid', pg_attribute: 'attrelid', pg_attrdef: 'adrelid', pg_constraint: 'conrelid', pg_index: 'indrelid', pg_inherits: 'inhrelid', pg_trigger: 'tgrelid' }
/** The numbers of all that the server has not made itself. */
const firstOfUsers = 16_384

/** Another text once any table has become another one. It takes the server a fraction of what it takes to tell what they are. */
export const stateOfCatalogue = `select ${[...globalThis.Object.entries(parts).map(([name, column]) => `${name} where ${column} >= ${firstOfUsers}`), 'pg_namespace']
  .map((rows) => `(select count(*) || ' ' || coalesce(sum(hashtext(ctid::text || xmin::text)::bigint), 0) from ${rows})`)
  .join(` || ' ' || `)} as state`

const integers = new Set(['int2', 'int4', 'int8'])
/** Types whose values are equal where their texts are. */
const texts = new Set(['text', 'varchar'])

/** By name, and by schema and name. */
export function catalogueOf(rows: readonly unknown[]): Catalogue {
  const tables = new Map<string, Table>()
  const twice = new Set<string>()
  for (const row of rows as readonly Row[]) {
    const table = tableOf(row)
    tables.set(`${row.schema}.${row.name}`, table)
    if (tables.has(row.name)) twice.add(row.name)
    tables.set(row.name, table)
  }
  for (const name of twice) tables.delete(name)
  return tables
}

function tableOf({ schema, name, key, key_type: keyType, checked, has_other_unique: hasOtherUnique, refers_to: refersTo, is_referred_to: isReferredTo, counted, runs_code: runsCode, columns }: Row): Table {
  const isComparable = key?.length === 1 && keyType !== null && (integers.has(keyType) || texts.has(keyType))
  return {
    name: schema === 'public' ? name : `${schema}.${name}`,
    key: isComparable ? key[0] : undefined,
    hasIntegerKey: keyType !== null && integers.has(keyType),
    checked: new Set(checked),
    hasOtherUnique,
    refersTo,
    isReferredTo,
    counted: new Set(counted),
    runsCode,
    columns,
  }
}
