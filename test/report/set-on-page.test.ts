import { expect, test } from 'vitest'
import { accessesOf } from '../../src/report/accesses.ts'
import type { Finding } from '../../src/report/finding.ts'
import { headlineOf } from '../../src/report/headline.ts'
import type { InputAccess } from '../../src/report/index.ts'
import { kindOf, titles } from '../../src/report/kinds.ts'
import { Labels } from '../../src/report/labels.ts'
import { orderOf, step } from './recorded.ts'

/** As happy-dom or jsdom are changed: one location, and what was done as text. */
const change = (doing: string): InputAccess => ({
  kind: 'write', location: 1, object: 1, owner: 'the document', key: { kind: 'state' }, place: undefined, value: { type: 'undefined', text: 'undefined' }, doing,
})

const told = (...doings: readonly [string, string]): string => {
  const steps = doings.map((doing, process) => step(process, [change(doing)]))
  const recording = { steps, names: ['show#1', 'show#2'], order: orderOf(steps) }
  const accesses = accessesOf(recording)
  const finding: Finding = { pattern: 'order-violation', first: accesses[0]!, second: accesses[1]! }
  const kind = kindOf(finding, { recording, accesses, failure: 'error', timersRace: false, isTestCode: () => false })
  return headlineOf(finding, { names: recording.names, labels: new Labels(accesses), title: titles[kind] })
}

test('two that set one thing of a page: the last one wins', () => {
  expect(told('<p#name>.textContent = "b"', '<p#name>.textContent = "a"')).toBe(
    'Last write wins on <p#name>.textContent: show#2 wrote "a" over the "b" of show#1. Nothing recorded orders the two.',
  )
})

test.each([
  ['of two nodes', '<p#name>.textContent = "b"', '<p#title>.textContent = "a"'],
  ['of nodes that have no id, and may be two', '<p>.textContent = "b"', '<p>.textContent = "a"'],
  ['of what is not set but called', '<ul#list>.append(<li>)', '<ul#list>.append(<li>)'],
])('%s nothing of the kind is said', (_, first, second) => {
  expect(told(first, second)).toBe(`Order violation on the document: show#2 did ${second} after show#1 did ${first}. Nothing recorded orders the two.`)
})
