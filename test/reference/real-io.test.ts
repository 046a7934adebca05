import { expect, test } from 'vitest'
import { exploreBody } from './project.ts'
import { scope } from './scope.ts'

/** What real I/O brings comes in outside any step: the reference does not do it. */
const increase = (row: string, by: number): string => `(async () => { await null; const row = ${row}; const { stock } = row; await null; row.stock = stock + ${by} })()`

test('a row that comes by real I/O and is reached otherwise too: every outcome', async () => {
  const { outcomes } = await exploreBody(`await Promise.all([${increase('await opaque.readRow(1)', 1)}, ${increase('opaque.row(1)', 10)}]); return opaque.row(1).stock`, { scope })
  expect(outcomes).toEqual(['11', '12', '2'])
})

test('a row that comes by real I/O twice: both outcomes', async () => {
  const { outcomes } = await exploreBody(`await Promise.all([${increase('await opaque.readRow(1)', 1)}, ${increase('await opaque.readRow(1)', 1)}]); return opaque.row(1).stock`, { scope })
  expect(outcomes).toEqual(['2', '3'])
})
