import type { FindingKind } from './kinds.ts'
import { isOfFile, isOfRows } from './accesses.ts'
import { actOf, subjectOf, type Finding } from './finding.ts'
import type { InputRecording } from './input.ts'
import { isNothing } from './values.ts'

/** Words and codes of a server. */
interface Words {
  /** A level that refuses lost updates. */
  readonly snapshot: string
  /** What it answers to a transaction that comes too late. */
  readonly late: string
  /** What lets an INSERT of a key pass that is there. */
  readonly orElse: string
  readonly duplicate: string
}

const postgres: Words = { snapshot: 'REPEATABLE READ', late: '40001', orElse: 'ON CONFLICT', duplicate: '23505' }
const mysql: Words = { snapshot: 'SERIALIZABLE', late: '1213', orElse: 'ON DUPLICATE KEY UPDATE', duplicate: '1062' }

const ofReads = {
  inTransaction: 'REPEATABLE READ; or one statement that reads all',
  alone: 'one statement that reads all; or a REPEATABLE READ transaction',
}

type Remedies = Partial<Readonly<Record<FindingKind, { readonly inTransaction: string; readonly alone: string }>>>

/** What keeps an anomaly from coming to pass, by what the database knows of: in transactions, and for statements of their own. */
function remediesIn({ snapshot, late, orElse, duplicate }: Words): Remedies {
  const again = (level: string): string => `${level}, with another try of the transaction at ${late}`
  const unique = `a unique index, and ${orElse} or an answer to ${duplicate}`
  return {
    'lost-update': {
      inTransaction: `SELECT ... FOR UPDATE in the first statement; one UPDATE that computes the value; or ${again(snapshot)}`,
      alone: 'one UPDATE that computes the value, or checks it in its WHERE; or a transaction with SELECT ... FOR UPDATE',
    },
    'phantom-read': { inTransaction: `${unique}; or ${again('SERIALIZABLE')}`, alone: unique },
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
}

const inOneStep = 'a transaction in which nothing is awaited (db.transaction of better-sqlite3)'
const uniqueInSqlite = 'a unique index, and ON CONFLICT or an answer to the error of the constraint'

/** What one connection does between two awaits nobody else comes in between of. */
const remediesOfSqlite: Remedies = globalThis.Object.fromEntries(
  globalThis.Object.entries({
    'lost-update': `one UPDATE that computes the value, or checks it in its WHERE; or ${inOneStep}`,
    'phantom-read': `${uniqueInSqlite}; or ${inOneStep}`,
    'non-repeatable-read': `one statement that reads all; or ${inOneStep}`,
    'read-skew': `one statement that reads all; or ${inOneStep}`,
    'write-cycle': inOneStep,
    'write-skew': inOneStep,
  }).map(([kind, remedy]) => [kind, { inTransaction: remedy, alone: remedy }]),
)

const remedies = { postgres: remediesIn(postgres), mysql: remediesIn(mysql), sqlite: remediesOfSqlite }

const asOne = 'a Lua script; or WATCH before the look, and MULTI with another try where EXEC gives nothing, on a connection of its own'
const once = `SET with NX, or another command that looks and writes at once; ${asOne}`

/** The same for what a store has under keys. */
const remediesOfKeys: Partial<Readonly<Record<FindingKind, string>>> = {
  'lost-update': `one command that does both (INCRBY, HINCRBY, HSET of one field, SADD); ${asOne}`,
  'check-then-act': once,
  'double-initialisation': once,
  'write-skew': asOne,
  'wrong-holder-release': 'a value of its own for each holder, and a Lua script that removes the key only where it still has that value; none is removed by who could not set it',
}

/** Where what was read has been removed. */
const asItWas = `SET with XX, or another command that makes nothing where the key is gone; ${asOne}`

const inQueue = "a queue in which each reads and writes once the one before has written, and between processes a lock file that is made with the flag 'wx'"

/** The same for what a file has in it. */
const remediesOfFiles: Partial<Readonly<Record<FindingKind, string>>> = {
  'lost-update': `${inQueue}. To write another file and rename it would not: that keeps others from reading half of it, and no more`,
  'check-then-act': `the flag 'wx', or another call that looks and acts at once, with an answer to EEXIST or ENOENT; or ${inQueue}`,
}

/** An EXEC that did nothing, as what was watched had changed. */
const triesOnce = 'another try where EXEC gives nothing, as it does once another one has changed what is watched'

/** The same for what the database says itself, by its code. */
const remediesOfErrors: Readonly<Record<string, string>> = {
  '40P01': 'locks that all take in one order, such as that of the primary keys; or another try of the transaction at 40P01',
  '40001': 'another try of the whole transaction at 40001',
  '23505': 'ON CONFLICT, or an answer to 23505',
  '42P07': 'a lock before the look, such as pg_advisory_xact_lock, so that one at a time makes what is not there; or an answer to 42P07',
  ER_LOCK_DEADLOCK: 'locks that all take in one order, such as that of the primary keys; or another try of the transaction at 1213',
  ER_DUP_ENTRY: 'ON DUPLICATE KEY UPDATE, or an answer to 1062',
}

/** What would mend a race of rows, with the isolation level in which it came to pass, or one of what a store has under keys, or a file in it. */
export function remedyOf(finding: Finding, kind: FindingKind, { steps }: InputRecording): string | undefined {
  if (subjectOf(finding).key.kind === 'stored') {
    const remedy = hasWatchedInVain(finding, steps) ? triesOnce : kind === 'lost-update' && isRemoved(finding) ? asItWas : remediesOfKeys[kind]
    return remedy && `What would mend it: ${remedy}.`
  }
  if (isOfFile(subjectOf(finding))) {
    const remedy = remediesOfFiles[kind]
    return remedy && `What would mend it: ${remedy}.`
  }
  // Nothing is written by whoever only looks again.
  const statements = [subjectOf(finding), actOf(finding)].map(({ step }) => steps[step]?.statement)
  const { [finding.pattern === 'check-then-act' && finding.how === 'use' ? 'non-repeatable-read' : kind]: remedy } = remedies[statements.find((one) => one?.dialect)?.dialect ?? 'postgres']
  if (!remedy || !isOfRows(subjectOf(finding))) return undefined
  const [levelOfLook, levelOfAct] = statements.map((one) => one?.level)
  const level = levelOfLook ?? levelOfAct
  if (levelOfLook === undefined && levelOfAct !== undefined && finding.pattern !== 'order-violation') return `What it is decided by was read by a statement of its own. What would mend it: to read it in the transaction that acts on it, and there ${remedy.inTransaction}.`
  if (level === undefined) return `Each statement was a transaction of its own. What would mend it: ${remedy.alone}.`
  return `The isolation level was ${level.toUpperCase()}. What would mend it: ${remedy.inTransaction}.`
}

const isRemoved = (finding: Finding): boolean => 'changed' in finding && isNothing(finding.changed.at(-1)!.value) && !isNothing(finding.looked.value)

/** Whether somebody has watched what it is about, and found that it had changed: an EXEC has neither read nor written anything. */
function hasWatchedInVain(finding: Finding, steps: InputRecording['steps']): boolean {
  const { location } = subjectOf(finding)
  return steps.some(({ statement, accesses }) => {
    if (statement?.command !== 'exec') return false
    const keys = accesses.filter(({ key }) => key.kind === 'stored')
    return keys.some((access) => access.location === location) && keys.every(({ kind, value }) => kind === 'read' && value.text === 'undefined')
  })
}

const codeOf = (error: unknown): unknown => (typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined)

const deadlocks = new Set<unknown>(['40P01', 'ER_LOCK_DEADLOCK'])

/** What the database says of transactions that wait for each other. */
export function deadlockAtServer(error: unknown): string | undefined {
  if (!deadlocks.has(codeOf(error))) return undefined
  const detail: unknown = Reflect.get(error as object, 'detail')
  return `Deadlock in the database: ${typeof detail === 'string' ? detail : 'transactions wait for each other'}.`
}

/** What a pool of connections says of who has waited for one for too long. */
export function exhaustedPool(error: unknown, { exhausted }: Pick<InputRecording, 'exhausted'>): string | undefined {
  const text: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, Symbol.for('vitest-dpor.pool')) : undefined
  if (typeof text === 'string') return text
  // A package has made an error of its own of it.
  return exhausted !== undefined && error instanceof Error && /time(?:d )?out|acquir/i.test(`${error.name} ${error.message}`) ? exhausted : undefined
}

/** What would mend what the test threw. */
export function remedyOfError(error: unknown): string | undefined {
  const code = codeOf(error)
  const remedy = typeof code === 'string' && Object.hasOwn(remediesOfErrors, code) ? remediesOfErrors[code] : undefined
  return remedy && `What would mend it: ${remedy}.`
}
