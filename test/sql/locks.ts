import { catalogueOf, tablesOfDatabase } from '../../src/runtime/drivers/postgres/catalogue.ts'
import { loadParser } from '../../src/runtime/drivers/postgres/parser.ts'
import type { Catalogue } from '../../src/runtime/drivers/sql/catalogue.ts'
import type { TableAccess } from '../../src/runtime/drivers/sql/footprint.ts'
import { footprintOf } from '../../src/runtime/drivers/sql/statements.ts'
import type { Parse } from '../../src/runtime/drivers/sql/tree.ts'
import type { Client, Server } from '../explored/uninstrumented/postgres-server.ts'
import { valuesOf, type Script } from '../servers/scripts.ts'
import { reset } from './program.ts'

/** A lock that an open transaction holds, as the server shows it: on a table, or on a row of one. */
interface Held {
  readonly table: string
  readonly row?: string
  /** What is there is to be another, or is locked as if it were. */
  readonly changes: boolean
}

const ofTables = `select case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname as table, bool_or(l.mode not in ('AccessShareLock', 'RowShareLock', 'SIReadLock')) as changes
  from pg_locks l join pg_class c on c.oid = l.relation join pg_namespace n on n.oid = c.relnamespace
  where l.pid = $1 and c.relkind = 'r' and n.nspname !~ '^pg_|^information_schema' group by 1`

const tables = ['t', 'u', 'c']

/** What the server locks for the statements of an open transaction, against what is said that they access: that has to contain it. */
export class Locks {
  readonly #client: Client & { readonly processID: number }
  readonly #other: Client
  readonly #parse: Parse
  readonly #catalogue: Catalogue

  private constructor({ client, other, parse, catalogue }: { client: Client; other: Client; parse: Parse; catalogue: Catalogue }) {
    this.#client = client as Client & { readonly processID: number }
    this.#other = other
    this.#parse = parse
    this.#catalogue = catalogue
  }

  static async open({ pg, config }: Server): Promise<Locks> {
    const [client, other] = [new pg.Client(config), new pg.Client(config)]
    for (const one of [client, other]) await one.connect()
    return new Locks({ client, other, parse: (await loadParser())!, catalogue: catalogueOf((await other.query(tablesOfDatabase)).rows) })
  }

  async close(): Promise<void> {
    for (const one of [this.#client, this.#other]) await one.end()
  }

  /** Takes the statements one after the other in one transaction. Returns what is locked after each that none so far accesses. */
  async unseenOf({ level, steps }: Script, footprintOfText = footprintOf): Promise<readonly string[]> {
    await this.#other.query(reset)
    const accesses: TableAccess[] = []
    const unseen: string[] = []
    let last = 0
    await this.#client.query(`begin isolation level ${level ?? 'read committed'}`)
    try {
      for (const step of steps) {
        const values = valuesOf(step, last)
        const footprint = footprintOfText(step.text, values, { parse: this.#parse, catalogue: this.#catalogue })
        if (footprint.kind === 'everything') break
        if (footprint.kind === 'tables') accesses.push(...footprint.accesses)
        const { rows } = await this.#client.query(step.text, values)
        last = (rows[0] as { readonly v?: number } | undefined)?.v ?? last
        for (const held of await this.#held()) if (!accesses.some((access) => contains(access, held))) unseen.push(`${step.text} ${JSON.stringify(values)} locks ${held.table} ${held.row ?? ''}${held.changes ? ' for a change' : ''}`)
      }
    } catch {
      // The transaction has failed, and holds nothing.
    } finally {
      await this.#client.query('rollback')
    }
    return unseen
  }

  async #held(): Promise<readonly Held[]> {
    const all = (await this.#other.query(ofTables, [this.#client.processID])).rows as Held[]
    const rows: Held[] = []
    for (const table of tables) {
      const there = await idsIn(this.#other, table)
      const free = await idsIn(this.#other, table, 'for update skip locked')
      rows.push(...without(there, free).map((row) => ({ table, row, changes: false })))
      // To look there is a lock as well.
      if (!all.some((held) => held.table === table)) continue
      const changed = await idsIn(this.#client, table, 'where xmin::text = pg_current_xact_id_if_assigned()::xid::text')
      const gone = without(there, await idsIn(this.#client, table))
      rows.push(...[...changed, ...gone].map((row) => ({ table, row, changes: true })))
    }
    return [...all, ...rows]
  }
}

async function idsIn(client: Client, table: string, condition = ''): Promise<readonly string[]> {
  const { rows } = await client.query(`select id::text from ${table} ${condition}`)
  return rows.map(({ id }: { readonly id: string }) => id)
}

const without = (ids: readonly string[], others: readonly string[]): readonly string[] => ids.filter((id) => !others.includes(id))

function contains({ table, kind, row }: TableAccess, held: Held): boolean {
  if (table !== held.table || (held.changes && kind !== 'write')) return false
  if (held.row === undefined) return true
  // A check is of any row that a foreign key may lead to.
  return kind !== 'read' && (row === undefined || row === held.row)
}
