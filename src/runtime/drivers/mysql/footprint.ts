import { Math } from '../../../engine/intrinsics.ts'
import type { Catalogue } from '../sql/catalogue.ts'
import { levelNamed, ofTransaction, type Footprint, type TableAccess } from '../sql/footprint.ts'
import type { Transaction } from '../sql/transaction.ts'
import { missesParser } from '../missing-parsers.ts'
import { mysql } from '../sqlparser/dialects.ts'
import { parserName, type Parse } from '../sqlparser/parser.ts'
import { effectsOf, type Effects } from '../sqlparser/statements.ts'

/** `set transaction isolation level serializable`: of the next transaction, or of all that the connection begins from now on. */
const setting = /^\s*set\s+(session\s+|local\s+)?transaction\s+isolation\s+level\s+(read\s+uncommitted|read\s+committed|repeatable\s+read|serializable)\s*;?\s*$/i
/** Of the session alone, and of nothing that decides what statements do. */
const harmless = /^\s*(?:savepoint\s+\w+|release\s+savepoint\s+\w+|set\s+names\s+\w+|do\s+\d+|select\s+\d+)\s*;?\s*$/i
/** What may change tables as such, and not only their rows. */
const changesTables = /\b(?:create|alter|drop|rename|call|execute|begin|truncate)\b/i

export interface Known {
  readonly transaction: Transaction
  readonly autocommits: boolean
  readonly database: string
  readonly parse: Parse | undefined
  readonly catalogue: Catalogue
}

/** What a statement does, as far as that is known before it is answered. */
export function planOf(text: string, values: readonly unknown[], { transaction, autocommits, database, parse, catalogue }: Known): Footprint | Effects {
  const level = setting.exec(text)
  if (level) return { kind: 'level', level: levelNamed(level[2]!), from: level[1] === undefined ? 'next' : 'later' }
  if (harmless.test(text)) return { kind: 'nothing' }
  const footprint = ofTransaction(text)
  // What begins a transaction ends the one that is open.
  if (footprint && !(footprint.kind === 'begins' && transaction.isOpen)) return footprint
  if (!parse) missesParser(parserName)
  const trees = autocommits ? parse?.(text) : undefined
  const effects = trees?.length === 1 ? effectsOf(trees[0]!, () => values, { catalogue, database, dialect: mysql }) : undefined
  return effects ?? { kind: 'everything', keepsTables: !changesTables.test(text) }
}

/** How a statement was answered: with so many rows, or not as it was meant. */
export type Outcome = { readonly rows: number } | 'kept waiting' | 'failed'

/**
 * What it accesses. Where rows are missing, or it fails, gaps between rows may be locked: that is the whole table. One that waits does so for its rows, and what became of them
 * meanwhile its answer says.
 */
export function footprintOf(plan: Footprint | Effects, outcome: Outcome, { isOpen, level }: Transaction): Footprint {
  if ('kind' in plan) return plan
  const locksReads = isOpen && level === 'serializable'
  const writes = locksReads ? [...plan.reads.map(lockOf), ...plan.writes] : plan.writes
  const wanted = locksReads ? Math.max(plan.rows ?? 0, plan.reads.length) : (plan.rows ?? 0)
  const locksGaps = isOpen && level !== 'read committed'
  const isNarrow = outcome === 'kept waiting' || (outcome !== 'failed' && (!locksGaps || outcome.rows >= wanted))
  return { kind: 'tables', accesses: [...plan.reads, ...writes, ...(isNarrow ? [] : writes.map(wide))] }
}

const lockOf = ({ table, row }: TableAccess): TableAccess => (row === undefined ? { table, kind: 'write' } : { table, kind: 'lock', row })

const wide = ({ table }: TableAccess): TableAccess => ({ table, kind: 'write' })
