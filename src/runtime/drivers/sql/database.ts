import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import type { ObjectId } from '../../execution/identity.ts'
import { resourceKey, STATE } from '../../execution/keys.ts'
import type { TableAccess } from './footprint.ts'

const everything = resourceKey(undefined)
const serializable = resourceKey('(serializable)')

/** By execution and location: how often what commutes was done to it. */
const counts = new WeakMap<Execution, Map<string, number>>()

/**
 * Tells of one database in a step. Its locations: all that there is; each table, which changes where it is not known what of it does; each row that
 * is known by its primary key; of each table and of all together how often a part of it was changed, which whoever looks at all of it looks at.
 */
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
    this.#object = execution.identities.named(`database ${key}`)
    execution.recorder?.owners.tell(this.#object, () => name)
  }

  access({ table, kind, row, inOrder = false }: TableAccess, text: string): void {
    const { accesses } = this.#execution
    accesses.look(this.#object, everything)
    if (kind === 'write' && row === undefined) return accesses.write(this.#object, resourceKey(table), this.#site, text)
    accesses.look(this.#object, resourceKey(table))
    const key = resourceKey(row === undefined ? undefined : `${table} ${row}`)
    if (kind === 'lock') return accesses.write(this.#object, key, this.#site, text)
    if (kind === 'write') {
      accesses.write(this.#object, key, this.#site, text)
      this.#increase(`${table} *`)
      accesses.append(this.#object, resourceKey(`${table} in order`), this.#site, row)
    } else if (row === undefined) {
      accesses.read(this.#object, resourceKey(`${table} *`), this.#site, text)
      if (inOrder) accesses.look(this.#object, resourceKey(`${table} in order`))
    } else accesses.read(this.#object, key, this.#site, text)
  }

  changeEverything(text: string): void {
    this.#execution.accesses.write(this.#object, everything, this.#site, text)
  }

  /** Something has changed that others see from now on. */
  commits(): void {
    this.#execution.accesses.look(this.#object, everything)
    this.#increase('')
  }

  /** From now on somebody sees what is there now, whatever others change. */
  takesSnapshot(): void {
    const { accesses } = this.#execution
    accesses.look(this.#object, everything)
    accesses.look(this.#object, STATE)
  }

  /** The server compares what serializable transactions do: which of two comes first may decide which of them fails. */
  isCompared(): void {
    const { accesses } = this.#execution
    accesses.look(this.#object, everything)
    accesses.write(this.#object, serializable, this.#site, undefined)
  }

  #increase(part: string): void {
    let ofExecution = counts.get(this.#execution)
    if (!ofExecution) counts.set(this.#execution, (ofExecution = new Map()))
    const name = `${this.#key} ${part}`
    const found = ofExecution.get(name) ?? 0
    ofExecution.set(name, found + 1)
    this.#execution.accesses.increase(this.#object, part === '' ? STATE : resourceKey(part), this.#site, { found, amount: 1 })
  }
}
