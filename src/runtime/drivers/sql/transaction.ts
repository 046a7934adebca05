import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import { Database } from './database.ts'
import type { Footprint, IsolationLevel, TableAccess } from './footprint.ts'

/** How a connection is to the server after a statement: in no transaction, in one, or in one that has failed. */
export type Status = 'idle' | 'open' | 'failed'

/** What a connection has done since its transaction began, and tells of at its end: others see it from then on, and what it holds is free. */
export class Transaction {
  readonly #database: { readonly key: string; readonly name: string }
  readonly #dialect: 'mysql' | undefined
  #writes: TableAccess[] = []
  #hasChangedEverything = false
  #hasSnapshot = false
  #hasSavepoint = false
  #isOpen = false
  /** Stands for the one that is open. */
  #itself = {}
  #level: IsolationLevel
  #usual: IsolationLevel
  /** Of the next transaction, if that is another. */
  #next: IsolationLevel | undefined

  /**
   * @param level that of a transaction that names none
   * @param isOpen one has begun of which nothing is known
   */
  constructor(database: { readonly key: string; readonly name: string }, { level, isOpen, dialect }: { readonly level: IsolationLevel; readonly isOpen: boolean; readonly dialect?: 'mysql' }) {
    this.#database = database
    this.#dialect = dialect
    this.#usual = level
    this.#level = isOpen ? 'serializable' : level
    this.#isOpen = this.#hasChangedEverything = isOpen
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** What serializable transactions read they lock, and a snapshot is taken by the first look without a lock. */
  get #locksReads(): boolean {
    return this.#dialect === 'mysql'
  }

  /** Of the one that is open. */
  get level(): IsolationLevel {
    return this.#level
  }

  /** Where something in it has failed, it may go on from what it was before: what it has done until then it still holds. */
  get mayGoOn(): boolean {
    return this.#hasSavepoint || this.#hasChangedEverything
  }

  /** Others may have to wait for its end. */
  get holdsAnything(): boolean {
    return this.#hasChangedEverything || this.#writes.length > 0
  }

  /** Tells what a statement accesses, in the step that sends it or ends it. */
  tell(execution: Execution, footprint: Footprint, { text, shown, site, rows }: { readonly text: string; readonly shown: string; readonly site: SiteId; readonly rows: unknown }): void {
    const database = new Database(execution, this.#database, site)
    execution.recorder?.statement({ level: this.#isOpen ? this.#level : undefined, text: shown, ...(this.#dialect && { dialect: this.#dialect }) }, this.#isOpen ? this.#itself : undefined)
    if (footprint.kind === 'begins') this.#level = footprint.level ?? this.#next ?? this.#usual
    if (footprint.kind === 'level') this.#sets(footprint)
    if (footprint.kind === 'nothing' || footprint.kind === 'begins' || footprint.kind === 'level') return
    if (this.#level === 'serializable' && !this.#locksReads) database.isCompared()
    if (footprint.kind === 'ends' || footprint.kind === 'ends in part') return this.#tellEnd(database, text)
    if (this.#isOpen && !this.#hasSnapshot && this.#level !== 'read committed') {
      this.#hasSnapshot = !this.#locksReads || (footprint.kind === 'tables' && footprint.accesses.length > 0 && footprint.accesses.every(({ kind }) => kind === 'read'))
      database.takesSnapshot()
    }
    if (footprint.kind === 'everything') return database.changeEverything(text, footprint.names, rows)
    for (const access of footprint.accesses) database.access(access, rows)
    if (!this.#isOpen && footprint.accesses.some(({ kind }) => kind === 'write')) database.commits()
  }

  /** A statement that has been told goes on waiting, perhaps for others than before. */
  tellWaiting(execution: Execution, footprint: Footprint, site: SiteId): void {
    new Database(execution, this.#database, site).looksFor(footprint)
  }

  #sets({ level = this.#level, from }: Footprint & { readonly kind: 'level' }): void {
    if (from === 'next') this.#next = level
    else if (from === 'later') this.#usual = level
    else this.#level = level
  }

  /** A statement has been answered. */
  answered(execution: Execution, footprint: Footprint, { status, text, site }: { readonly status: Status; readonly text: string; readonly site: SiteId }): void {
    // It may be about the level of all that is still to come: the strictest is never wrong.
    if (footprint.kind === 'everything' && /isolation/i.test(text)) this.#usual = this.#level = 'serializable'
    if (status === 'open') {
      this.#isOpen = true
      if (footprint.kind === 'everything') this.#hasChangedEverything = true
      if (footprint.kind === 'nothing' && footprint.saves) this.#hasSavepoint = true
      if (footprint.kind === 'tables') this.#writes.push(...footprint.accesses.filter(({ kind }) => kind !== 'read'))
      return
    }
    // A statement that fails ends what its transaction holds.
    if ((status === 'failed' || footprint.kind === 'tables') && this.#isOpen) this.#tellEnd(new Database(execution, this.#database, site), text)
    this.#isOpen = status === 'failed'
    if (footprint.kind === 'everything' && /savepoint/i.test(text)) this.#hasSavepoint = true
    if (this.#isOpen && this.mayGoOn) return
    this.#itself = {}
    this.#writes = []
    this.#hasChangedEverything = false
    this.#hasSnapshot = false
    this.#hasSavepoint = false
    if (status === 'idle') this.#level = this.#usual
    if (footprint.kind !== 'level') this.#next = undefined
  }

  #tellEnd(database: Database, text: string): void {
    if (this.#hasChangedEverything) return database.changeEverything(text)
    if (this.#writes.length === 0) return
    for (const access of this.#writes) database.access(access, undefined)
    if (this.#writes.some(({ kind }) => kind === 'write')) database.commits()
  }
}
