import { levelNamed, ofTransaction, type Footprint } from '../sql/footprint.ts'
import type { Transaction } from '../sql/transaction.ts'

/** `set transaction isolation level serializable`: of the next transaction, or of all that the connection begins from now on. */
const setting = /^\s*set\s+(session\s+|local\s+)?transaction\s+isolation\s+level\s+(read\s+uncommitted|read\s+committed|repeatable\s+read|serializable)\s*;?\s*$/i

/** What a statement accesses. */
export function footprintOf(text: string, { isOpen }: Transaction): Footprint {
  const level = setting.exec(text)
  if (level) return { kind: 'level', level: levelNamed(level[2]!), from: level[1] === undefined ? 'next' : 'later' }
  const footprint = ofTransaction(text)
  // What begins a transaction ends the one that is open.
  return footprint && !(footprint.kind === 'begins' && isOpen) ? footprint : { kind: 'everything' }
}
