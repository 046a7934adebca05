import { Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import type { ObjectId } from '../../execution/identity.ts'
import type { MemberChange } from '../../execution/accesses.ts'
import { partKey, resourceKey, ROWS, type Key } from '../../execution/keys.ts'
import { namedObject } from '../../execution/named-objects.ts'
import { definitions, type TableAccess } from './footprint.ts'
import { tellDone } from '../../accesses/counted.ts'

/** All that there is of a database, or of a table. */
const whole = resourceKey(undefined)
/** How often something was committed. */
const changes = partKey(0)
/** In which order rows of a table were changed that share nothing: in that order they may come where nobody asks for one. */
const order = partKey(1)
/** How often a row was locked that stays as it is. */
const locks = partKey(3)
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
    const table = namedObject(this.#execution, `table ${name} of ${this.#key}`, name)
    accesses.look(this.#object, whole)
    if (kind === 'write' && row === undefined) {
      accesses.change(table, whole)
      if (access.change) this.#increase(table, ROWS, changeOf(access))
      return
    }
    accesses.look(table, whole)
    const key: Key = row === undefined ? ROWS : resourceKey(/^-?\d{1,15}$/.test(row) ? Number(row) : row)
    switch (kind) {
      case 'lock':
        accesses.write(table, key, this.#site, rows)
        return this.#increase(table, locks)
      case 'write':
        accesses.write(table, key, this.#site, written)
        this.#increase(table, ROWS, changeOf(access))
        return accesses.append(table, order, this.#site, row)
      case 'check':
        accesses.look(table, ROWS)
        return accesses.look(table, locks)
      case 'read':
        accesses.read(table, key, this.#site, rows)
        if (inOrder) accesses.look(table, order)
        return
      default:
        kind satisfies never
    }
  }

  changeEverything(text: string): void {
    this.#execution.accesses.write(this.#object, whole, this.#site, text)
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
