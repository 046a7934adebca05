import type { Footprint } from '../sql/footprint.ts'
import type { Control } from './control.ts'

/** A table whose rows can be copied. */
interface Table {
  readonly id: string
  /** As the server writes it. */
  readonly name: string
  /** As footprints have it. */
  readonly known: string
  /** Those that are given values, in a list. */
  readonly columns: string
  readonly referred_by: readonly string[]
  readonly has_triggers: boolean
}

interface SequenceState {
  readonly name: string
  readonly value: string
  readonly is_called: boolean
}

const ours = `n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(temp|toast)'`

const allTables = `
select c.oid::text as id, format('%I.%I', n.nspname, c.relname) as name, case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname as known,
  (select string_agg(format('%I', a.attname), ', ' order by a.attnum) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
  array(select distinct f.conrelid::text from pg_constraint f where f.contype = 'f' and f.confrelid = c.oid) as referred_by,
  exists (select from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal) as has_triggers
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and c.relpersistence <> 't' and ${ours}`

const allSequences = `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'S' and c.relpersistence <> 't' and ${ours}`

/** What a statement may change of tables. */
export interface Changes {
  readonly tables: readonly string[] | 'all'
  readonly creates: readonly string[]
}

export function changesOf(footprint: Footprint): Changes | undefined {
  if (footprint.kind === 'everything') return { tables: 'all', creates: footprint.creates ?? [] }
  if (footprint.kind !== 'tables') return undefined
  const tables = footprint.accesses.filter(({ kind }) => kind === 'write').map(({ table }) => table)
  return tables.length > 0 ? { tables, creates: [] } : undefined
}

/** By control: what its copies, which are temporary tables of its own, were made of. A table whose versions of rows are the same is the same. */
const copies = new WeakMap<Control, Map<string, string>>()

/** The rows of a database as one exploration has found them: each table is copied before an execution changes it for the first time, and what an execution has changed is put back after it. */
export class KeptRows {
  readonly #control: Control
  readonly #database: string
  readonly #copies: Map<string, string>
  #tables: readonly Table[] = []
  #sequences: readonly SequenceState[] | undefined
  /** Tables of which there is a copy, by `id`. */
  readonly #kept = new Set<string>()
  /** What the running execution may have changed. */
  readonly #touched = new Set<Table>()
  readonly #created = new Set<string>()

  constructor(control: Control, database: string) {
    this.#control = control
    this.#database = database
    let made = copies.get(control)
    if (!made) copies.set(control, (made = new Map()))
    this.#copies = made
  }

  /** Something is going to be changed. Returns whether there are copies of all of it. */
  touch(changes: Changes): boolean {
    if (!this.#sequences) return false
    const tables = this.#with(this.#tables.filter(({ known }) => changes.tables === 'all' || changes.tables.includes(known)))
    for (const table of tables) this.#touched.add(table)
    for (const name of changes.creates) this.#created.add(name)
    return tables.every(({ id }) => this.#kept.has(id))
  }

  /** Makes those copies that are missing. */
  async keep(changes: Changes): Promise<void> {
    if (!this.#sequences) {
      this.#tables = ((await this.#control.rows(allTables)) as readonly Table[]).filter(({ columns }) => columns !== null)
      this.#sequences = await this.#states((await this.#control.rows(allSequences)) as readonly SequenceState[])
    }
    if (this.touch(changes)) return
    const missing = [...this.#touched].filter(({ id }) => !this.#kept.has(id))
    const versions = await this.#versions(missing)
    const texts: string[] = []
    for (const [i, { id, name, columns }] of missing.entries()) {
      this.#kept.add(id)
      const version = `${versions[i]!} ${columns}`
      if (this.#copies.get(id) === version) continue
      this.#copies.set(id, version)
      texts.push(`drop table if exists pg_temp.${copyOf(id)}; create temp table ${copyOf(id)} as select ${columns} from only ${name}`)
    }
    if (texts.length > 0) await this.#control.run(texts.join('; '))
  }

  /** Nothing of the execution is open any more. Returns what could not be put back. */
  readonly putBack = async (): Promise<readonly string[]> => {
    const touched = [...this.#touched]
    const created = [...this.#created]
    this.#touched.clear()
    this.#created.clear()
    if (touched.length + created.length === 0) return []
    try {
      await this.#drop(created)
      await this.#restore(touched)
      return []
    } catch (error) {
      await this.#control.run('rollback').catch(() => {})
      return [`rows of the database ${this.#database} (${String((error as Error).message)})`]
    }
  }

  /** Tables that were not there. */
  async #drop(names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    const found = (await this.#control.rows('select name, to_regclass(name)::oid::text as id from unnest($1::text[]) as name', [names])) as readonly { readonly name: string; readonly id: string | null }[]
    const isNew = ({ id }: { readonly id: string | null }): boolean => id !== null && this.#tables.every((table) => table.id !== id)
    const texts = found.filter(isNew).map(({ name }) => `drop table ${name} cascade`)
    if (texts.length > 0) await this.#control.run(`begin; ${patience}; ${texts.join('; ')}; commit`)
    this.#control.forgets()
  }

  async #restore(touched: readonly Table[]): Promise<void> {
    const versions = await this.#versions(touched)
    const changed = this.#with(touched.filter(({ id, columns }, i) => this.#copies.get(id) !== `${versions[i]!} ${columns}`))
    const states = await this.#states(this.#sequences!)
    const sequences = this.#sequences!.filter(({ value, is_called: isCalled }, i) => states[i]!.value !== value || states[i]!.is_called !== isCalled)
    const sets = sequences.map(({ name, value, is_called: isCalled }) => `select setval(${quoted(name)}::regclass, ${value}, ${String(isCalled)})`)
    if (changed.length === 0) return sets.length > 0 ? this.#control.run(sets.join('; ')) : undefined
    const { isSuperuser } = this.#control
    const withTriggers = changed.find((table) => table.has_triggers)
    if (withTriggers && !isSuperuser) throw new Error(`${withTriggers.name} has triggers, which only a superuser may keep from running`)
    await this.#control.run([
      'begin',
      patience,
      // Neither triggers nor the order of tables.
      ...(isSuperuser ? ['set local session_replication_role = replica'] : []),
      `truncate ${changed.map(({ name }) => name).join(', ')}`,
      ...parentsFirst(changed).map(({ id, name, columns }) => `insert into ${name} (${columns}) overriding system value select ${columns} from pg_temp.${copyOf(id)}`),
      'commit',
      ...sets,
    ].join('; '))
    const now = await this.#versions(changed)
    for (const [i, { id, columns }] of changed.entries()) this.#copies.set(id, `${now[i]!} ${columns}`)
  }

  /** Those, and all that refer to them, without which they cannot be emptied. */
  #with(tables: readonly Table[]): readonly Table[] {
    const all = new Set(tables)
    for (const table of all) for (const other of this.#tables) if (table.referred_by.includes(other.id)) all.add(other)
    return [...all]
  }

  /** What is different once any row has another version, or stands elsewhere. */
  async #versions(tables: readonly Table[]): Promise<readonly string[]> {
    if (tables.length === 0) return []
    const [row] = await this.#control.rows(`select array[${tables.map(({ name }) => `(select md5(coalesce(string_agg(ctid::text || xmin::text, ' '), '')) from only ${name})`).join(', ')}] as versions`)
    return (row as { readonly versions: readonly string[] }).versions
  }

  async #states(sequences: readonly Pick<SequenceState, 'name'>[]): Promise<readonly SequenceState[]> {
    if (sequences.length === 0) return []
    const rows = await this.#control.rows(sequences.map(({ name }, i) => `select ${i} as i, ${quoted(name)} as name, last_value::text as value, is_called from ${name}`).join(' union all ') + ' order by i')
    return rows as readonly SequenceState[]
  }
}

/** Whoever holds a lock that nobody gives back is not waited for. */
const patience = "set local lock_timeout = '2s'"

const copyOf = (id: string): string => `vitest_dpor_${id}`

const quoted = (name: string): string => `'${name.replace(/'/g, "''")}'`

/** Tables after those that they refer to, where that is possible. */
function parentsFirst(tables: readonly Table[]): readonly Table[] {
  const ordered: Table[] = []
  const left = new Set(tables)
  while (left.size > 0) {
    const isFree = (table: Table): boolean => [...left].every((other) => other === table || !other.referred_by.includes(table.id))
    const next = [...left].find(isFree) ?? [...left][0]!
    left.delete(next)
    ordered.push(next)
  }
  return ordered
}
