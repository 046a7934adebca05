import { levelNamed, type Footprint } from './footprint.ts'
import { constantOf, fieldsOf, treesIn, typeOf, type Tree } from './tree.ts'

/** What a statement does that is about the transaction or the session only. */
export function ofSession(statement: Tree): Footprint | undefined {
  const [type, fields] = typeOf(statement)
  if (type === 'VariableShowStmt') return { kind: 'nothing' }
  if (type === 'VariableSetStmt') {
    if (fields['name'] === 'TRANSACTION') return { kind: 'level', level: levelIn(fields['args']) }
    return harmless.has(String(fields['name'])) ? { kind: 'nothing' } : undefined
  }
  if (type !== 'TransactionStmt') return undefined
  switch (fields['kind']) {
    case 'TRANS_STMT_BEGIN':
    case 'TRANS_STMT_START': {
      const level = levelIn(fields['options'])
      return { kind: 'begins', ...(level !== undefined && { level }) }
    }
    case 'TRANS_STMT_COMMIT':
    case 'TRANS_STMT_ROLLBACK':
      return { kind: 'ends' }
    case 'TRANS_STMT_ROLLBACK_TO':
      return { kind: 'ends in part' }
    case 'TRANS_STMT_SAVEPOINT':
      return { kind: 'nothing', saves: true }
    case 'TRANS_STMT_RELEASE':
      return { kind: 'nothing' }
    default:
      return undefined
  }
}

/** Settings that change nothing of what statements access. */
const harmless = new Set(['application_name', 'idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout', 'synchronous_commit', 'timezone'])

function levelIn(options: unknown) {
  const option = treesIn(options).map((node) => fieldsOf(node, 'DefElem')).find((element) => element?.['defname'] === 'transaction_isolation')
  const name = option && constantOf(option['arg'], [])
  return name === undefined ? undefined : levelNamed(name)
}
