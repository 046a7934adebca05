/** All that says which tables there are, and how they are made: what changes that counts as a change of everything. */
export const definitions = 'information_schema'

/** What a statement looks at or changes of one table: all of it, or the row with this primary key. */
export interface TableAccess {
  readonly table: string
  /** `lock`: of a row that stays as it is. `check`: whether a foreign key leads to a row, which nobody else may change until the transaction ends. */
  readonly kind: 'read' | 'write' | 'lock' | 'check'
  readonly row?: string
  /** A look at all rows in the order in which they happen to be. */
  readonly inOrder?: boolean
  /** What becomes of the rows that are written; undefined where they are locked. */
  readonly change?: 'insert' | 'update' | 'delete'
  /** What is written, by columns, as far as the text tells; undefined where rows go. */
  readonly written?: Readonly<Record<string, unknown>> | undefined
}

export type IsolationLevel = 'read committed' | 'repeatable read' | 'serializable'

/**
 * What a statement accesses, as far as its text and the catalogue of its database tell. `everything`: it may look at and change whatever there is.
 * `begins`, `ends`: a transaction; what one has changed others see from its end on.
 */
export type Footprint =
  /** `saves`: a savepoint, from which the transaction may go on after something has failed. */
  | { readonly kind: 'nothing'; readonly saves?: true }
  /** `keepsTables`: but no table comes, goes, or becomes another. `creates`: tables, by the names that the text has for them. `names`: what it seems to change, for a reader. */
  | { readonly kind: 'everything'; readonly keepsTables?: boolean; readonly creates?: readonly string[]; readonly names?: readonly TableAccess[] }
  | { readonly kind: 'begins'; readonly level?: IsolationLevel }
  | { readonly kind: 'ends' }
  /** Back to a savepoint: what has come since is free. */
  | { readonly kind: 'ends in part' }
  /** Of the running transaction; or from the next one on: of that alone, or of all later ones. */
  | { readonly kind: 'level'; readonly level: IsolationLevel | undefined; readonly from?: 'next' | 'later' }
  | { readonly kind: 'tables'; readonly accesses: readonly TableAccess[] }

const beginning = /^\s*(?:begin|start\s+transaction)(?:\s+transaction|\s+work)?(?:\s+isolation\s+level\s+(read\s+uncommitted|read\s+committed|repeatable\s+read|serializable))?\s*;?\s*$/i
const ending = /^\s*(?:commit|end|rollback|abort)(?:\s+transaction|\s+work)?\s*;?\s*$/i

/** Of what begins and ends transactions, which needs no parser. Undefined of any other statement. */
export function ofTransaction(text: string): Footprint | undefined {
  const begins = beginning.exec(text)
  if (begins) return { kind: 'begins', ...(begins[1] !== undefined && { level: levelNamed(begins[1]) }) }
  return ending.test(text) ? { kind: 'ends' } : undefined
}

/** PostgreSQL takes READ UNCOMMITTED for READ COMMITTED. */
export function levelNamed(name: string): IsolationLevel {
  if (/^read/i.test(name)) return 'read committed'
  return /^repeatable/i.test(name) ? 'repeatable read' : 'serializable'
}

/** Whether two statements may be in each other's way, where both wait for a third one. */
export function mayMeet(one: Footprint, other: Footprint): boolean {
  if (one.kind !== 'tables' || other.kind !== 'tables') return true
  return one.accesses.some((first) =>
    other.accesses.some((second) => first.table === second.table && (first.kind === 'write' || second.kind === 'write') && (first.row === undefined || second.row === undefined || first.row === second.row)),
  )
}

/** Whether it inserts rows that are given in full, or changes or locks one row, and looks at nothing but what is there when it gets to it. */
export function looksAtItsRowsOnly(footprint: Footprint): boolean {
  if (footprint.kind !== 'tables') return false
  const { accesses } = footprint
  if (accesses.length === 1 && accesses[0]!.row !== undefined && ['write', 'lock'].includes(accesses[0]!.kind)) return true
  return accesses.length > 0 && accesses.every(({ kind, row, change }) => kind === 'check' || (row !== undefined && change === 'insert'))
}

/** Whether others see from now on what it changes, where it is a transaction of its own. */
export const changesAnything = (footprint: Footprint): boolean => footprint.kind === 'everything' || footprint.kind === 'ends' || (footprint.kind === 'tables' && footprint.accesses.some(({ kind }) => kind === 'write'))

/** Whether what other transactions have changed or locked may be in its way. */
export const mayBeKeptOut = (footprint: Footprint): boolean => footprint.kind === 'everything' || (footprint.kind === 'tables' && footprint.accesses.some(({ kind }) => kind !== 'read'))
