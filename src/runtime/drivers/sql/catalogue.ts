/** What has to be known of a table for what statements do to it. */
export interface Table {
  readonly name: string
  /** Of its primary key, if it has one that is compared by its text. */
  readonly key: string | undefined
  /** Numbers are written in several ways. */
  readonly hasIntegerKey: boolean
  /** Columns of other unique indexes, of foreign keys, and those that others refer to. What changes them may fail for other rows. */
  readonly checked: ReadonlySet<string>
  /** There are unique indexes besides that of the primary key. */
  readonly hasOtherUnique: boolean
  /** Tables in which it looks for what its foreign keys refer to. */
  readonly refersTo: readonly string[]
  /** Others refer to it. */
  readonly isReferredTo: boolean
  /** Columns that a sequence gives values, if the statement does not. */
  readonly counted: ReadonlySet<string>
  /** To change it runs code of its own: triggers, rules, policies, defaults that call functions. */
  readonly runsCode: boolean
  /** Those that an INSERT gives values which names none. */
  readonly columns: readonly string[]
}

/** The tables of a database by name; one name in two schemas is none. */
export type Catalogue = ReadonlyMap<string, Table>
