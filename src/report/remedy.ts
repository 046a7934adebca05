import type { FindingKind } from './kinds.ts'
import { isOfRows } from './accesses.ts'
import { actOf, subjectOf, type Finding } from './finding.ts'
import type { InputRecording } from './input.ts'

const again = (level: string): string => `${level}, with another try of the transaction at 40001`

const ofReads = {
  inTransaction: 'REPEATABLE READ; or one statement that reads all',
  alone: 'one statement that reads all; or a REPEATABLE READ transaction',
}

/** What keeps an anomaly from coming to pass, by what the database knows of: in transactions, and for statements of their own. */
const remedies: Partial<Readonly<Record<FindingKind, { readonly inTransaction: string; readonly alone: string }>>> = {
  'lost-update': {
    inTransaction: `SELECT ... FOR UPDATE in the first statement; one UPDATE that computes the value; or ${again('REPEATABLE READ')}`,
    alone: 'one UPDATE that computes the value, or checks it in its WHERE; or a transaction with SELECT ... FOR UPDATE',
  },
  'phantom-read': {
    inTransaction: `a unique index, and ON CONFLICT or an answer to 23505; or ${again('SERIALIZABLE')}`,
    alone: 'a unique index, and ON CONFLICT or an answer to 23505',
  },
  'non-repeatable-read': ofReads,
  'read-skew': ofReads,
  'write-cycle': {
    inTransaction: 'one order in which all write the rows',
    alone: 'a transaction for the writes that belong together, in one order of the rows',
  },
  'write-skew': {
    inTransaction: `${again('SERIALIZABLE')}; or SELECT ... FOR UPDATE of all that is decided by`,
    alone: `a transaction: ${again('SERIALIZABLE')}; or with SELECT ... FOR UPDATE of all that is decided by`,
  },
}

const asOne = 'a Lua script; or WATCH before the look, and MULTI with another try where EXEC gives nothing, on a connection of its own'
const once = `SET with NX, or another command that looks and writes at once; ${asOne}`

/** The same for what a store has under keys. */
const remediesOfKeys: Partial<Readonly<Record<FindingKind, string>>> = {
  'lost-update': `one command that does both (INCRBY, HINCRBY, HSET of one field, SADD); ${asOne}`,
  'check-then-act': once,
  'double-initialisation': once,
  'write-skew': asOne,
}

/** The same for what the database says itself, by its code. */
const remediesOfErrors: Readonly<Record<string, string>> = {
  '40P01': 'locks that all take in one order, such as that of the primary keys; or another try of the transaction at 40P01',
  '40001': 'another try of the whole transaction at 40001',
  '23505': 'ON CONFLICT, or an answer to 23505',
}

/** What would mend a race of rows, with the isolation level in which it came to pass, or one of what a store has under keys. */
export function remedyOf(finding: Finding, kind: FindingKind, { steps }: InputRecording): string | undefined {
  if (subjectOf(finding).key.kind === 'stored') return remediesOfKeys[kind] && `What would mend it: ${remediesOfKeys[kind]}.`
  // Nothing is written by whoever only looks again.
  const remedy = remedies[finding.pattern === 'check-then-act' && finding.how === 'use' ? 'non-repeatable-read' : kind]
  if (!remedy || !isOfRows(subjectOf(finding))) return undefined
  const level = [subjectOf(finding), actOf(finding)].map(({ step }) => steps[step]?.statement?.level).find((one) => one !== undefined)
  if (level === undefined) return `Each statement was a transaction of its own. What would mend it: ${remedy.alone}.`
  return `The isolation level was ${level.toUpperCase()}. What would mend it: ${remedy.inTransaction}.`
}

const codeOf = (error: unknown): unknown => (typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined)

/** What the database says of transactions that wait for each other. */
export function deadlockAtServer(error: unknown): string | undefined {
  if (codeOf(error) !== '40P01') return undefined
  const detail: unknown = Reflect.get(error as object, 'detail')
  return `Deadlock in the database: ${typeof detail === 'string' ? detail : 'transactions wait for each other'}.`
}

/** What would mend what the test threw. */
export function remedyOfError(error: unknown): string | undefined {
  const code = codeOf(error)
  const remedy = typeof code === 'string' && Object.hasOwn(remediesOfErrors, code) ? remediesOfErrors[code] : undefined
  return remedy && `What would mend it: ${remedy}.`
}
