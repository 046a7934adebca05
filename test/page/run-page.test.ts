import { expect, test } from 'vitest'
import { renderRunPage, type RunRow } from '../../src/page/index.ts'

const row = (name: string, more: Partial<RunRow> = {}): RunRow => ({ name, verdict: 'holds', tone: 'good', remarks: [], ...more })

test('what is to be looked at comes first', () => {
  const page = renderRunPage({ title: 'shop', totals: '3 explored tests', lines: [], rows: [row('one'), row('two', { verdict: 'inconclusive', tone: 'open' }), row('three', { verdict: 'race', tone: 'bad' })] })
  expect([...page.matchAll(/<\/td><td>(\w+)</g)].map(([, name]) => name)).toEqual(['three', 'two', 'one'])
})

test('names and remarks are text, and a failure leads to its page', () => {
  const page = renderRunPage({ title: '<shop>', totals: '1 & only', lines: [], rows: [row('<b>', { remarks: ['a < b'], counts: '2 executions', page: '../a b/failure.html' })] })
  expect(page).not.toContain('<b>')
  expect(page).toContain('<a href="../a%20b/failure.html">&#60;b&#62;</a><p class="dim">a &#60; b</p>')
  expect(page).toContain('<td>2 executions</td>')
  expect(page).not.toMatch(/https?:/)
})

test('lines that race come with the orders in which they were seen', () => {
  const line = (number: number) => ({ place: `src/account.ts:${number}`, text: 'this.<balance>' })
  const page = renderRunPage({ title: 'shop', totals: '1 explored test', rows: [], lines: [{ first: line(6), second: line(8), seen: 'one', tests: 2 }, { first: line(8), second: line(8), seen: 'both', tests: 1 }] })
  expect(page).toContain('<h2>2 pairs of lines where two calls access the same</h2>')
  expect(page).toContain('<li>1 in one order only: the other was not run</li><li>1 in both orders</li>')
  expect(page).toContain('<tr><td class="open">one order</td><td>src/account.ts:6<br><code>this.&#60;balance&#62;</code></td><td>src/account.ts:8<br>')
})
