import { describe, expect, test } from 'vitest'
import { explain, renderText } from '../../src/report/index.ts'
import { endOfTitle } from '../../src/report/sentences.ts'
import { errorNamed, failing, read, step, withdrawals, write } from './recorded.ts'

describe('a failure as text', () => {
  test('two columns, the stale write and how to replay it', () => {
    expect(`\n${renderText(explain(withdrawals()), { color: false, indent: 2 })}\n`).toBe(`
  Lost update on account.balance: withdraw#2 wrote 20 from a value read before
  withdraw#1 wrote 20.                                         execution 2 of 2+

     withdraw#1                            withdraw#2
  1  account.ts:6   read balance -> 100
  2                                        account.ts:6   read balance -> 100
  3  account.ts:8   write balance = 20
  4                                        account.ts:8   write balance = 20   <- stale since 3

  AssertionError: expected 160 to be less than or equal to 100
  Replay: dporTest(name, { replay: '0.1.2.0' }, ...)  or  -- --dpor.replay=0.1.2.0
`)
  })

  test.each([
    ['Lost update on all.get("lock:report"): add#1 wrote 1', 'Lost update on all.get("lock:report")'],
    ['Lost update on session:1: add#1 wrote "a: b"', 'Lost update on session:1'],
    ['Lost update on all.get("a: b \\" c"):', 'Lost update on all.get("a: b \\" c")'],
    ['Lost update on all.get("a: b', ''],
  ])('what sort of failure it is stands before a colon that is not within a name: %s', (headline, title) => {
    expect(headline.slice(0, Math.max(endOfTitle(headline), 0))).toBe(title)
  })

  test('the order of a plain run', () => {
    const text = renderText(explain({ ...withdrawals(), isPlain: true }), { color: false })
    expect(text).toContain(' execution 2 of 2+, the plain order\n')
  })

  test.each([[true, 'Every order fails; the'], [false, 'Every order that was tried fails; the']])('whether those that fail are all orders: %s', (areAll, said) => {
    const text = renderText({ ...explain(withdrawals()), failing: { executions: 4, areAll, sequentially: 'passes' } }, { color: false })
    expect(text).toContain(`${said} test passes when its calls run one after the other.`)
  })

  test('one column on a narrow terminal', () => {
    expect(`\n${renderText(explain(withdrawals()), { color: false, width: 60 })}\n`).toBe(`
Lost update on account.balance: withdraw#2 wrote 20 from a
value read before withdraw#1 wrote 20.     execution 2 of 2+

1  withdraw#1   account.ts:6   read balance -> 100
2  withdraw#2   account.ts:6   read balance -> 100
3  withdraw#1   account.ts:8   write balance = 20
4  withdraw#2   account.ts:8   write balance = 20   <- stale since 3

AssertionError: expected 160 to be less than or equal to 100
Replay: dporTest(name, { replay: '0.1.2.0' }, ...)  or  -- --dpor.replay=0.1.2.0
`)
  })

  test('colour changes nothing but colour', () => {
    const colored = renderText(explain(withdrawals()), { color: true })
    const escape = String.fromCodePoint(27)
    expect(colored).toContain(`${escape}[`)
    expect(colored.replaceAll(new RegExp(`${escape}\\[\\d+m`, 'g'), '')).toBe(renderText(explain(withdrawals()), { color: false }))
  })

  test('a plain error: the message and the schedule', () => {
    const input = failing('test', [step(0, [])], { error: new Error('boom'), complete: true })
    expect(renderText(explain(input), { color: false })).toBe(
      [
        'The test threw; no race was recorded in this execution.'.padEnd(62) + 'execution 2 of 2',
        '',
        'Error: boom',
        "Replay: dporTest(name, { replay: '0' }, ...)  or  -- --dpor.replay=0",
      ].join('\n'),
    )
  })

  test('files of one name are told apart by their path below the root', () => {
    const at = (file: string) => ({ file, line: 3, column: 1, text: '' })
    const [first, second] = [write('x.ts:1', 'box.n', '1'), read('x.ts:1', 'box.n', '1')]
    const input = failing('test a b', [
      step(0, [], { spawned: [1, 2] }),
      step(1, [{ ...first, place: at('/app/one/index.ts') }]),
      step(2, [{ ...second, place: at('/app/two/index.ts') }]),
    ])
    const text = renderText(explain(input), { color: false })
    expect(text).toContain('one/index.ts:3   write n = 1')
    expect(text).toContain('two/index.ts:3   read n -> 1')
  })

  test('of a message only its beginning, without colours', () => {
    const escape = String.fromCodePoint(27)
    const error = errorNamed('AssertionError', `${escape}[31mexpected 1${escape}[39m\nto be 2\n\n- Expected\n+ Received`)
    expect(explain(failing('test', [], { error })).message).toBe('AssertionError: expected 1\nto be 2')
    const ofNode = errorNamed('AssertionError', 'Expected values to be strictly equal:\n\n40 !== 20\n')
    expect(explain(failing('test', [], { error: ofNode })).message).toBe('AssertionError: Expected values to be strictly equal: 40 !== 20')
  })

  test.each([
    ['a string', 'no', 'thrown: no'],
    ['nothing', undefined, 'thrown: undefined'],
    ['data', { code: 7 }, 'thrown: {"code":7}'],
  ])('%s that was thrown', (_, error, message) => {
    const input = failing('test', [])
    expect(explain({ ...input, failure: { ...input.failure, error } }).message).toBe(message)
  })
})
