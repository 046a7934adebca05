import { expect, test } from 'vitest'
import type { Execution } from '../../src/runtime/execution/execution.ts'
import type { Footprint, TableAccess } from '../../src/runtime/drivers/sql/footprint.ts'
import { historyOf } from '../../src/runtime/drivers/sql/history.ts'

const writes = (change: NonNullable<TableAccess['change']>, row?: string): Footprint => ({ kind: 'tables', accesses: [{ table: 't', kind: 'write', change, ...(row !== undefined && { row }) }] })

const ofRow = writes('update', '1')

/** Whether the row may be another one after these changes, and how often others have seen changes. */
function after(...changes: readonly Footprint[]): { readonly isReplaced: boolean; readonly commits: number } {
  const history = historyOf.of({ belongings: [] as unknown[] } as Execution)
  const since = history.now
  for (const change of changes) history.answered(change, { text: 'text', isOver: true })
  return { isReplaced: history.mayBeReplaced(ofRow, since), commits: history.commits }
}

test('a row that has gone and come again is another one', () => {
  expect(after(writes('delete', '1'), writes('insert', '1')).isReplaced).toBe(true)
  expect(after(writes('update'), writes('insert', '1')).isReplaced).toBe(true)
  expect(after({ kind: 'everything' }).isReplaced).toBe(true)
})

test('one that has changed, has come or has gone is not', () => {
  expect(after(writes('update', '1'), writes('insert', '1')).isReplaced).toBe(false)
  expect(after(writes('insert', '1'), writes('delete', '1')).isReplaced).toBe(false)
})

test('others see what is changed, and nothing of what is read or rolled back', () => {
  expect(after(writes('update', '1'), { kind: 'ends' }, { kind: 'nothing' }, { kind: 'tables', accesses: [{ table: 't', kind: 'read' }] }).commits).toBe(2)
  const history = historyOf.of({ belongings: [] as unknown[] } as Execution)
  history.answered({ kind: 'ends' }, { text: 'rollback', isOver: true })
  history.answered(ofRow, { text: 'text', isOver: false })
  expect(history.commits).toBe(0)
})
