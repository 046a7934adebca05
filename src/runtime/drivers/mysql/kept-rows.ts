import { Array } from '../../../engine/intrinsics.ts'
import { KeptState } from '../kept-state.ts'
import type { Footprint } from '../sql/footprint.ts'
import type { Control } from './control.ts'
import type { Effects } from '../sqlparser/statements.ts'

/** A table whose rows can be copied. */
interface Table {
  /** As the server writes it. */
  readonly name: string
  /** As footprints have it. */
  readonly known: string
  readonly copy: string
  /** Those that are given values, in a list. */
  readonly columns: string
  /** Its rows have an order that is part of them. */
  readonly hasKey: boolean
  readonly hasTrigger: boolean
}

/** What tells whether a table has changed. */
interface TableState {
  readonly checksum: string
  /** The next number that it gives a row; null where it gives none. */
  readonly next: string | null
}

const quoted = (name: unknown): string => `\`${String(name).replace(/`/g, '``')}\``

/** A quoted name as a text. */
const literal = (name: string): string => `'${name.slice(1, -1).replace(/``/g, '`').replace(/'/g, "''")}'`

/** The name of a table that a statement makes. */
const creation = /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?((?:`(?:[^`]|``)+`|[\w$]+)(?:\s*\.\s*(?:`(?:[^`]|``)+`|[\w$]+))?)/gi

/** What a statement may change of tables. */
export interface Changes {
  readonly tables: readonly string[] | 'all'
  readonly creates: readonly string[]
}

export function changesOf(plan: Footprint | Effects, text: string): Changes | undefined {
  if (!('kind' in plan)) {
    const tables = plan.writes.filter(({ kind }) => kind === 'write').map(({ table }) => table)
    return tables.length > 0 ? { tables, creates: [] } : undefined
  }
  return plan.kind === 'everything' ? { tables: 'all', creates: Array.from(text.matchAll(creation), ([, name]) => name!) } : undefined
}

/** The rows of a database as one exploration has found them: the tables are copied before an execution changes one for the first time, and what an execution has changed is put back after it. */
export class KeptRows extends KeptState {
  readonly #control: Control
  readonly #database: string
  #tables: readonly Table[] | undefined
  readonly #states = new Map<Table, TableState>()
  /** What the running execution may have changed. */
  #touched: readonly string[] | 'all' = []
  readonly #created = new Set<string>()

  constructor(control: Control, database: string) {
    super()
    this.#control = control
    this.#database = database
  }

  /** Something may be going to be changed. Returns whether there are copies of all of it. */
  touch({ tables, creates }: Changes): boolean {
    this.#touched = tables === 'all' || this.#touched === 'all' ? 'all' : [...this.#touched, ...tables]
    for (const name of creates) this.#created.add(name)
    return this.#tables !== undefined
  }

  /** Makes the copies. */
  async keep(): Promise<void> {
    if (this.#tables !== undefined) return
    const tables = await this.#find()
    for (const { name, copy, columns } of tables) {
      await this.#control.rows(`drop temporary table if exists ${copy}`)
      await this.#control.rows(`create temporary table ${copy} as select ${columns} from ${name}`)
    }
    for (const [i, state] of (await this.#statesOf(tables)).entries()) this.#states.set(tables[i]!, state)
    this.#tables = tables
  }

  async #find(): Promise<readonly Table[]> {
    const rows = await this.#control.rows(`
      select t.table_name as name,
        (select group_concat(concat('\`', replace(c.column_name, '\`', '\`\`'), '\`') order by c.ordinal_position) from information_schema.columns c
          where c.table_schema = t.table_schema and c.table_name = t.table_name and coalesce(c.generation_expression, '') = '') as columns,
        exists (select 1 from information_schema.table_constraints k where k.table_schema = t.table_schema and k.table_name = t.table_name and k.constraint_type = 'PRIMARY KEY') as has_key,
        exists (select 1 from information_schema.triggers g where g.event_object_schema = t.table_schema and g.event_object_table = t.table_name) as has_trigger
      from information_schema.tables t where t.table_schema = database() and t.table_type = 'BASE TABLE' order by t.table_name`)
    return rows.map(({ name, columns, has_key: hasKey, has_trigger: hasTrigger }, i) => ({
      name: quoted(name),
      known: String(name),
      copy: quoted(`vitest_dpor_${i}`),
      columns: String(columns),
      hasKey: Number(hasKey) === 1,
      hasTrigger: Number(hasTrigger) === 1,
    }))
  }

  async #statesOf(tables: readonly Table[]): Promise<readonly TableState[]> {
    if (tables.length === 0) return []
    const sums = await this.#control.rows(`checksum table ${tables.map(({ name }) => name).join(', ')}`)
    const status = new Map((await this.#control.rows('show table status')).map(({ Name: name, Auto_increment: next }) => [quoted(name), next as string | null]))
    return tables.map(({ name }, i) => ({ checksum: String(sums[i]!['Checksum']), next: status.get(name) ?? null }))
  }

  protected get shown(): string {
    return `rows of the database ${this.#database}`
  }

  protected restoring(): (() => Promise<void>) | undefined {
    const created = [...this.#created]
    this.#created.clear()
    const touched = this.#touched
    this.#touched = []
    if (touched.length === 0) return undefined
    return async () => {
      await this.#drop(created)
      await this.#restore((this.#tables ?? []).filter(({ known }) => touched === 'all' || touched.includes(known)))
    }
  }

  protected greet(): Promise<unknown> {
    return this.#control.rows('select 1')
  }

  /** Tables that were not there. */
  async #drop(names: readonly string[]): Promise<void> {
    const old = new Set(this.#tables?.map(({ name }) => name))
    const isNew = (name: string): boolean => !old.has(name.startsWith('`') ? name : quoted(name))
    for (const name of names.filter(isNew)) await this.#control.rows(`drop table if exists ${name}`)
  }

  async #restore(tables: readonly Table[]): Promise<void> {
    const now = await this.#statesOf(tables)
    for (const [i, table] of tables.entries()) {
      const { checksum, next } = this.#states.get(table)!
      const isNumbered = now[i]!.next === next
      if (now[i]!.checksum === checksum && table.hasKey && isNumbered) continue
      if (table.hasTrigger) throw new Error(`${table.name} has triggers, which nobody can keep from running`)
      if (isNumbered && !(await this.#hasMore(table))) await this.#refill(table)
      else await this.#makeAnew(table, next)
    }
  }

  /** Whether rows have come. Those that are deleted again stay in the way of locks for a while. */
  async #hasMore({ name, copy }: Table): Promise<boolean> {
    const [counts] = await this.#control.rows(`select (select count(*) from ${name}) > (select count(*) from ${copy}) as has_more`)
    return Number(counts!['has_more']) === 1
  }

  async #refill({ name, copy, columns }: Table): Promise<void> {
    await this.#control.rows('start transaction')
    try {
      await this.#control.rows(`delete from ${name}`)
      await this.#control.rows(`insert into ${name} (${columns}) select ${columns} from ${copy}`)
    } finally {
      await this.#control.rows('commit')
    }
  }

  async #makeAnew({ name, copy, columns }: Table, next: string | null): Promise<void> {
    await this.#control.rows(`truncate table ${name}`)
    await this.#control.rows(`insert into ${name} (${columns}) select ${columns} from ${copy}`)
    if (next === null) return
    // Numbers that were given to rows which are gone.
    const [status] = await this.#control.rows(`show table status where name = ${literal(name)}`)
    if (status?.['Auto_increment'] !== next) await this.#control.rows(`alter table ${name} auto_increment = ${next}`)
  }
}
