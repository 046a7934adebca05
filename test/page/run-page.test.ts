import { expect, test } from 'vitest'
import { renderRunPage, type RunRow } from '../../src/page/index.ts'

const row = (name: string, more: Partial<RunRow> = {}): RunRow => ({ name, verdict: 'holds', tone: 'good', remarks: [], ...more })

test('what is to be looked at comes first', () => {
  const page = renderRunPage({ title: 'shop', totals: '3 explored tests', rows: [row('one'), row('two', { verdict: 'inconclusive', tone: 'open' }), row('three', { verdict: 'race', tone: 'bad' })] })
  expect([...page.matchAll(/<\/td><td>(\w+)</g)].map(([, name]) => name)).toEqual(['three', 'two', 'one'])
})

test('names and remarks are text, and a failure leads to its page', () => {
  const page = renderRunPage({ title: '<shop>', totals: '1 & only', rows: [row('<b>', { remarks: ['a < b'], counts: '2 executions', page: '../a b/failure.html' })] })
  expect(page).not.toContain('<b>')
  expect(page).toContain('<a href="../a%20b/failure.html">&#60;b&#62;</a><p class="dim">a &#60; b</p>')
  expect(page).toContain('<td>2 executions</td>')
  expect(page).not.toMatch(/https?:/)
})
