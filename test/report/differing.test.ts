import { expect, test } from 'vitest'
import { differingText } from '../../src/report/differing.ts'
import type { InputValue } from '../../src/report/index.ts'
import { recordedValue } from '../../src/runtime/execution/values.ts'
import { toldOf } from './executed.ts'

const shown = (value: unknown, ...others: unknown[]): string => {
  const recorded = (one: unknown): InputValue => recordedValue(one, undefined)
  return differingText(recorded(value), others.map(recorded))
}

test('a long value is cut at its end', () => {
  expect(shown('x'.repeat(60))).toBe(`"${'x'.repeat(38)}…`)
  expect(shown('a'.repeat(60), 'b'.repeat(60))).toBe(`"${'a'.repeat(38)}…`)
  expect(shown('x'.repeat(60), 'x'.repeat(60))).toBe(`"${'x'.repeat(38)}…`)
})

test('unless another one there differs in parts of it alone: then those are left', () => {
  const order = (status: string): object => ({ id: 17, title: 'a book about trees', status, address: 'Elm Street 5' })
  expect(shown(order('paid'), order('sent'))).toBe('{…"status":"paid"…}')
  expect(shown(order('sent'), order('paid'))).toBe('{…"status":"sent"…}')
  const settings = (columns: number, volume: number): object => ({ theme: 'light', mail: { push: true, digest: 'weekly' }, layout: { side: 'left', columns }, recent: ['a'], volume })
  expect(shown(settings(4, 5), settings(3, 5), settings(3, 8))).toBe('{…"layout":{…"columns":4}…"volume":5}')
  // What is no whole object, or would be as long.
  expect(shown(settings(4, 5), 'none')).toBe('{"theme":"light","mail":{"push":true,"d…')
  expect(shown({ ...order('paid'), status: 'paid '.repeat(20) }, order('sent'))).toBe('{"id":17…"status":"paid paid paid paid …')
})

test('of several parts that would be too much together the shortest are left, which are the same for all of them', () => {
  const page = (open: boolean, ...items: string[]): object => ({ query: 'a', items: items.map((label) => ({ label, url: `https://example.org/items/${label}` })), open })
  expect(shown(page(true, 'first', 'second'), page(false))).toBe('{…"open":true}')
  const long = (open: boolean, ...items: string[]): object => ({ ...page(open, ...items), text: 'a text that is the same' })
  expect(shown(long(false), long(true, 'first', 'second'))).toBe('{…"open":false…}')
})

test('what is cut off is no difference', () => {
  const long = { id: 17, title: 'a book about trees', lines: Array.from({ length: 40 }, (_, i) => ({ name: `line ${i}` })), text: 'x'.repeat(1000) }
  expect(shown({ ...long, end: 1 }, { ...long, end: 2 })).toBe('{"id":17,"title":"a book about trees","…')
})

test('or it begins as another one does there: then what is left is where they differ', () => {
  expect(shown(`${'x'.repeat(60)}1`, `${'x'.repeat(60)}2`, 'y')).toBe(`"xxxxxxx…${'x'.repeat(16)}1"`)
})

test('so are lists of which only the length would be shown', () => {
  expect(shown(['first item', 'second item', 'a'], ['first item', 'second item', 'b'])).toBe('["first …item","a"]')
  expect(shown(['first item', 'second item', 'a'])).toBe('[3 items]')
  const todo = (id: number, isDone: boolean): object => ({ id, title: `number ${id} of those`, isDone })
  expect(shown([todo(1, false), todo(2, true)], [todo(1, false), todo(2, false)])).toBe('[…{…"isDone":true}]')
  expect(shown([todo(1, false), todo(2, false), todo(3, false)], [todo(1, false)])).toBe('[3 items]')
})

test('in a story', async () => {
  expect(await toldOf(`
    let page = ''
    const text = 'The text of the page that was loaded for '
    const load = async (id) => { await null; page = text + id }
    await Promise.all([load('a'), load('ab')])
    if (page !== text + 'ab') throw new Error('another one')`)).toEqual([
    'Last write wins on page: load#1 wrote "The tex…for a" over the "The tex…for ab" of load#2. Nothing recorded orders the two.',
    'load#2: write page = "The tex…for ab"',
    'load#1: write page = "The tex…for a" <- overwrites 1',
  ])
})
