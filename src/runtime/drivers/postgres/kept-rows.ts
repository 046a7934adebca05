import { Math, Number } from '../../../engine/intrinsics.ts'
import { noop } from '../../execution/native.ts'
import { KeptState } from '../kept-state.ts'
import type { Footprint } from '../sql/footprint.ts'
import type { Control } from './control.ts'
import { copyOf, pagesOf, parentsFirst, quoted, thereIn, type KeptTable, type SequenceState, type Table } from './kept-tables.ts'

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

/** What there is in a table. */
interface Contents {
  /** It is another one once any row has another version, or stands elsewhere. */
  readonly version: string
  readonly rows: number
  readonly pages: number
  /** Which place of its page the last row has, and how many bytes the longest one. Of several pages it says nothing. */
  readonly places: number
  readonly width: number
}

/** What a copy was made of. */
interface Original extends Pick<Contents, 'version' | 'rows' | 'width'> {
  /** Rows may be deleted and inserted anew where they are: all that was there since the table was emptied stands in the first half of its first page. */
  readonly hasRoom: boolean
}

/** By control: what its copies, which are temporary tables of its own, were made of. A table whose versions of rows are the same is the same. */
const originals = new WeakMap<Control, Map<string, Original>>()

/** The rows of a database as one exploration has found them: each table is copied before an execution changes it for the first time, and what an execution has changed is put back after it. */
export class KeptRows extends KeptState {
  readonly #control: Control
  readonly #database: string
  /** By `id`. */
  readonly #originals: Map<string, Original>
  #tables: readonly KeptTable[] = []
  #sequences: readonly SequenceState[] | undefined
  /** Tables of which there is a copy, by `id`. */
  readonly #kept = new Set<string>()
  /** What the running execution may have changed. */
  readonly #touched = new Set<KeptTable>()
  readonly #created = new Set<string>()

  constructor(control: Control, database: string) {
    super()
    this.#control = control
    this.#database = database
    let known = originals.get(control)
    if (!known) originals.set(control, (known = new Map()))
    this.#originals = known
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
      const { tables, sequences } = await thereIn(this.#control)
      this.#tables = tables
      this.#sequences = (await this.#look([], sequences)).states
    }
    if (this.touch(changes)) return
    const missing = [...this.#touched].filter(({ id }) => !this.#kept.has(id))
    // Until there are copies of them nothing can be put back.
    for (const table of missing) this.#touched.delete(table)
    const { contents } = await this.#look(missing)
    const copied = missing.flatMap((table, i) => (this.#isOriginal(table, contents[i]!) ? [] : [{ table, contents: contents[i]! }]))
    // What has failed half-way leaves no copy that anybody takes for one.
    for (const { table } of copied) this.#originals.delete(table.id)
    const texts = copied.map(({ table: { id, name, columns } }) => `drop table if exists pg_temp.${copyOf(id)}; create temp table ${copyOf(id)} as select ${columns} from only ${name}`)
    if (texts.length > 0) await this.#control.run(texts.join('; '))
    for (const { table, contents: found } of copied) this.#originals.set(table.id, { ...found, version: versionOf(table, found), hasRoom: false })
    for (const table of missing) {
      this.#kept.add(table.id)
      this.#touched.add(table)
    }
  }

  protected get shown(): string {
    return `rows of the database ${this.#database}`
  }

  protected restoring(): (() => Promise<void>) | undefined {
    const touched = [...this.#touched]
    const created = [...this.#created]
    this.#touched.clear()
    this.#created.clear()
    if (touched.length + created.length === 0) return undefined
    return async () => {
      await this.#drop(created)
      await this.#restore(touched)
    }
  }

  protected greet(): Promise<unknown> {
    return this.#control.rows('select 1')
  }

  protected override async giveUp(): Promise<void> {
    await this.#control.run('rollback').catch(() => {})
  }

  /** Tables that were not there. */
  async #drop(names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    const found = (await this.#control.rows('select name, to_regclass(name)::oid::text as id from unnest($1::text[]) as name', [names])) as readonly { readonly name: string; readonly id: string | null }[]
    const isNew = ({ id }: { readonly id: string | null }): boolean => id !== null && this.#tables.every((table) => table.id !== id)
    const texts = found.filter(isNew).map(({ name }) => `drop table ${name} cascade`)
    if (texts.length > 0) await this.#control.run(texts.join('; '))
    this.#control.forgets()
  }

  async #restore(touched: readonly KeptTable[]): Promise<void> {
    const haveRoom = (tables: readonly KeptTable[]): boolean => tables.every((table) => this.#hasRoom(table))
    // Of a few rows it would take as long to find out whether they have changed.
    const found = touched.length <= 4 && haveRoom(touched) ? undefined : await this.#look(touched, this.#sequences)
    const changed = found ? touched.filter((table, i) => !this.#isOriginal(table, found.contents[i]!)) : touched
    const { states } = found && changed.length === 0 ? found : await (haveRoom(changed) ? this.#replace(changed) : this.#empty(changed))
    const sets = this.#sequences!.filter(({ value, is_called: isCalled }, i) => states[i]!.value !== value || states[i]!.is_called !== isCalled)
    if (sets.length > 0) await this.#control.run(sets.map(({ name, value, is_called: isCalled }) => `select setval(${quoted(name)}::regclass, ${value}, ${String(isCalled)})`).join('; '))
  }

  /** Rows are deleted and inserted anew. */
  async #replace(tables: readonly KeptTable[]): Promise<Found> {
    const isCrowded = (table: Table): boolean => !this.#hasRoom(table)
    const found = await this.#refill(tables, { changes: deletionsOf(tables) })
    const crowded = tables.filter(isCrowded)
    if (crowded.length === 0) return found
    // The server takes away what rows have left that are gone, unless somebody may still look at them: there is room before those that are there.
    for (const { name } of crowded) await this.#control.run(`vacuum (truncate off) ${name}`).catch(noop)
    await this.#refill(crowded, { changes: deletionsOf(crowded) })
    const others = crowded.filter(isCrowded)
    if (others.length > 0) await this.#empty(others)
    return found
  }

  /** Tables, and those that refer to them, begin anew, each with its first page: it takes the server several times as long as to delete a few rows. */
  #empty(changed: readonly KeptTable[]): Promise<Found> {
    const tables = this.#with(changed)
    const withTriggers = tables.find((table) => table.has_triggers)
    if (withTriggers && !this.#control.runsNoTriggers) throw new Error(`${withTriggers.name} has triggers, which only a superuser may keep from running`)
    return this.#refill(tables, { statements: [`truncate ${tables.map(({ name }) => name).join(', ')}`] })
  }

  /** Puts back the rows of tables, once those that they have are removed. All of it is one text, and so one transaction. */
  async #refill(tables: readonly KeptTable[], { statements = [], changes = [] }: Partial<Before>): Promise<Found> {
    const ordered = parentsFirst(tables)
    const [few, others] = [ordered.filter((table) => this.#hasFew(table)), ordered.filter((table) => !this.#hasFew(table))]
    const texts = [...others.map(({ insertion }) => insertion), ...few.map(({ toldInsertion }) => toldInsertion)]
    const { inserted, contents, states } = await this.#look(others, this.#sequences, { statements, changes: [...changes, ...texts], inserts: few.length })
    for (const [i, table] of few.entries()) this.#isNow(table, contentsAfter(inserted[i]!, this.#originals.get(table.id)!))
    for (const [i, table] of others.entries()) this.#isNow(table, contents[i]!)
    return { contents, states }
  }

  #isNow(table: Table, contents: Contents): void {
    this.#originals.set(table.id, { ...contents, version: versionOf(table, contents), hasRoom: hasRoom(contents) })
  }

  /** Each of its rows is told of when it is inserted. To look for all of them afterwards would take the server as long as to put them back. */
  #hasFew({ id }: Table): boolean {
    const { rows } = this.#originals.get(id)!
    return rows > 0 && rows <= most
  }

  #hasRoom({ id, has_triggers: hasTriggers }: Table): boolean {
    return this.#control.runsNoTriggers && !hasTriggers && this.#originals.get(id)!.hasRoom
  }

  #isOriginal(table: Table, contents: Contents): boolean {
    return this.#originals.get(table.id)?.version === versionOf(table, contents)
  }

  /** Those, and all that refer to them, without which they cannot be emptied. */
  #with(tables: readonly KeptTable[]): readonly KeptTable[] {
    const all = new Set(tables)
    for (const table of all) for (const other of this.#tables) if (table.referred_by.includes(other.id)) all.add(other)
    return [...all]
  }

  /** What there is in tables, and how far sequences are, after what comes before. */
  async #look(tables: readonly Table[], sequences: readonly Pick<SequenceState, 'name'>[] = [], { statements = [], changes = [], inserts = 0 }: Partial<Before> = {}): Promise<Found & { readonly inserted: readonly (readonly Inserted[])[] }> {
    const texts = [...(tables.length > 0 ? [contentsOf(tables, this.#control)] : []), ...(sequences.length > 0 ? [statesOf(sequences)] : [])]
    const results = changes.length + texts.length > 0 ? await this.#control.planned([...changes, ...texts], statements) : []
    return {
      inserted: results.slice(0, inserts) as readonly (readonly Inserted[])[],
      contents: tables.length > 0 ? (results[inserts] as readonly Contents[]) : [],
      states: sequences.length > 0 ? (results.at(-1) as readonly SequenceState[]) : [],
    }
  }
}

/** What comes first, and what the server is to plan once. Nothing of it has rows, but for insertions, which come last. */
interface Before {
  readonly statements: readonly string[]
  readonly changes: readonly string[]
  readonly inserts: number
}

/** A row that was inserted. */
interface Inserted {
  /** `(0,7)` */
  readonly ctid: string
  readonly xmin: string | number
  readonly pages: number
}

interface Found {
  readonly contents: readonly Contents[]
  readonly states: readonly SequenceState[]
}

const deletionsOf = (tables: readonly KeptTable[]): readonly string[] => tables.map(({ deletion }) => deletion)

/** Rows of which all are told. */
const most = 40

const contentsOf = (tables: readonly Table[], control: Control): string =>
  tables.map((table, i) => `select ${i} as i, case when count(*) <= ${most} then coalesce(string_agg(${versionOfRow}, ' '), '') else md5(string_agg(${versionOfRow}, ' ')) end as version, count(*)::int as rows, ${pagesOf(table, control)} as pages,
  coalesce(max((ctid::text::point)[1]) filter (where ctid < '(1,0)'), 0)::int as places, coalesce(max(${table.width}) filter (where ctid < '(1,0)'), 0)::int as width from only ${table.name}`).join(' union all ') + ' order by i'

/** Of a row. */
const versionOfRow = 'ctid::text || xmin::text'

/** The same, where these are all of its rows. */
function contentsAfter(inserted: readonly Inserted[], { width }: Original): Contents {
  const places = inserted.map(({ ctid }) => ctid.slice(1, -1).split(',').map((text) => Number.parseInt(text, 10))) as [page: number, place: number][]
  return {
    version: inserted.map(({ ctid, xmin }) => `${ctid}${xmin}`).join(' '),
    rows: inserted.length,
    pages: Math.max(inserted[0]!.pages, ...places.map(([page]) => page + 1)),
    places: Math.max(0, ...places.filter(([page]) => page === 0).map(([, place]) => place)),
    width,
  }
}

const statesOf = (sequences: readonly Pick<SequenceState, 'name'>[]): string =>
  sequences.map(({ name }, i) => `select ${i} as i, ${quoted(name)} as name, last_value::text as value, is_called from ${name}`).join(' union all ') + ' order by i'

/** What tells one state of a table from another. */
const versionOf = ({ columns }: Table, { version }: Contents): string => `${version} ${columns}`

/** Less than what the server tidies up by itself, whether while somebody reads a page that is nearly full, or once there are more than 50 rows that are gone: rows would come in another order then. */
const hasRoom = ({ pages, places, width }: Contents): boolean => pages <= 1 && places <= most && places * (width + bytesOfRow) <= bytesOfPage / 2
/** Besides its columns. */
const bytesOfRow = 48
const bytesOfPage = 8192
