import { Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import type { ObjectId } from '../../execution/identity.ts'
import type { MemberChange } from '../../execution/accesses.ts'
import { partKey, resourceKey, ROWS, type Key } from '../../execution/keys.ts'
import { namedObject } from '../../execution/named-objects.ts'
import { definitions, type Footprint, type TableAccess } from './footprint.ts'
import { tellDone } from '../../accesses/counted.ts'

/** All that there is of a database, or of a table. */
const whole = resourceKey(undefined)
/** How often something was committed. */
const changes = partKey(0)
/** In which order rows of a table were changed that share nothing: in that order they may come where nobody asks for one. */
const order = partKey(1)
/** How often a row was locked that stays as it is. */
const locks = partKey(3)
/** How often somebody has seen to it that rows stay as long as others refer to them. */
const checks = partKey(5)
/** How often something was changed or locked. */
const touched = partKey(4)
/** The server compares what serializable transactions do. */
const compared = partKey(2)

/** Tells of one database in a step. Its locations: all that there is; each table, all of it and each row that is known by its primary key. */
export class Database {
  readonly #execution: Execution
  readonly #key: string
  readonly #site: SiteId
  readonly #object: ObjectId

  /** @param name what a reader calls it */
  constructor(execution: Execution, { key, name }: { readonly key: string; readonly name: string }, site: SiteId) {
    this.#execution = execution
    this.#key = key
    this.#site = site
    this.#object = namedObject(execution, `database ${key}`, name)
  }

  /** @param rows what was found, where that is known */
  access(access: TableAccess, rows: unknown): void {
    const { table: name, kind, row, inOrder = false, written } = access
    const { accesses } = this.#execution
    if (name === definitions) return accesses.read(this.#object, whole, this.#site, rows)
    const table = this.#table(name)
    accesses.look(this.#object, whole)
    if (kind !== 'read') this.#increase(this.#object, touched)
    if (kind === 'write' && row === undefined) {
      // What was done to single rows decides what it finds, or whether it waits.
      for (const part of [ROWS, locks, checks, order]) accesses.look(table, part)
      accesses.change(table, whole)
      if (access.change) this.#increase(table, ROWS, changeOf(access))
      return
    }
    accesses.look(table, whole)
    const key = row === undefined ? ROWS : keyOf(row)
    switch (kind) {
      case 'lock':
        accesses.look(table, checks)
        accesses.write(table, key, this.#site, rows)
        return this.#increase(table, locks)
      case 'write':
        accesses.write(table, key, this.#site, written)
        this.#increase(table, ROWS, changeOf(access))
        return accesses.append(table, order, this.#site, row)
      case 'check':
        accesses.look(table, ROWS)
        accesses.look(table, locks)
        return this.#increase(table, checks)
      case 'read':
        accesses.read(table, key, this.#site, rows)
        if (inOrder) accesses.look(table, order)
        return
      default:
        kind satisfies never
    }
  }

  /** @param names what is known to be among it */
  changeEverything(text: string, names: readonly TableAccess[] = [], rows?: unknown): void {
    const { accesses } = this.#execution
    // Whatever was done decides what it finds, or whether it waits.
    accesses.look(this.#object, touched)
    for (const access of names) this.access(access, rows)
    accesses.write(this.#object, whole, this.#site, text)
  }

  /** What has been done to all that somebody is to access who waits decides for whom they wait. */
  looksFor(footprint: Footprint): void {
    const { accesses } = this.#execution
    accesses.look(this.#object, whole)
    if (footprint.kind !== 'tables') return accesses.look(this.#object, touched)
    for (const { table: name, row } of footprint.accesses) {
      if (name === definitions) continue
      const table = this.#table(name)
      for (const part of [whole, locks, checks, row === undefined ? ROWS : keyOf(row)]) accesses.look(table, part)
    }
  }

  #table(name: string): ObjectId {
    return namedObject(this.#execution, `table ${name} of ${this.#key}`, name)
  }

  /** Something has changed that others see from now on. */
  commits(): void {
    this.#execution.accesses.look(this.#object, whole)
    this.#increase(this.#object, changes)
  }

  /** From now on somebody sees what is there now, whatever others change. */
  takesSnapshot(): void {
    const { accesses } = this.#execution
    accesses.look(this.#object, whole)
    accesses.look(this.#object, changes)
  }

  /** Which of two statements comes first may decide which transaction fails. */
  isCompared(): void {
    const { accesses } = this.#execution
    accesses.look(this.#object, whole)
    accesses.write(this.#object, compared, this.#site, undefined)
  }

  #increase(object: ObjectId, part: Key, change?: MemberChange): void {
    tellDone(this.#execution, object, part, this.#site, change)
  }
}

const keyOf = (row: string): Key => resourceKey(/^-?\d{1,15}$/.test(row) ? Number(row) : row)

/** `{"id":1,"balance":102}`, as far as that is known. */
function changeOf({ change, row, written }: TableAccess): MemberChange {
  const shown = { ...(row !== undefined && { row }), ...written }
  switch (change) {
    case 'insert':
      return { kind: 'insert', member: Reflect.ownKeys(shown).length === 0 ? 'rows' : shown }
    case 'delete':
      return { kind: 'remove', member: row === undefined ? 'rows' : shown }
    default:
      return { kind: 'write', value: shown }
  }
}
