import { describe, expect, test } from 'vitest'
import { explain, racingPlace, type ExplainInput, type InputRecording, type InputWaiting } from '../../src/report/index.ts'
import type { RecordedExecution, Waiting } from '../../src/runtime/index.ts'
import { failing, insert, orderOf, read, settle, step, thrownAt, wait, withdrawals, write } from './recorded.ts'

function told(input: ExplainInput) {
  const { kind, headline, rows, columns } = explain(input)
  const name = (ordinal: number): string => columns.find((column) => column.ordinal === ordinal)!.name
  return { kind, headline, rows: rows.map(({ process, text, note }) => `${name(process)}: ${text}${note === undefined ? '' : ` <- ${note}`}`) }
}

describe('lost update', () => {
  test('of a property, read in the first part of a call', () => {
    expect(told(withdrawals())).toEqual({
      kind: 'lost-update',
      headline: 'Lost update on account.balance: withdraw#2 wrote 20 from a value read before withdraw#1 wrote 20.',
      rows: [
        'withdraw#1: read balance -> 100',
        'withdraw#2: read balance -> 100',
        'withdraw#1: write balance = 20',
        'withdraw#2: write balance = 20 <- stale since 3',
      ],
    })
  })

  test('says what raced, and where to look', () => {
    const explanation = explain(withdrawals())
    expect(explanation.columns).toEqual([{ ordinal: 1, name: 'withdraw#1', title: 'withdraw#1' }, { ordinal: 2, name: 'withdraw#2', title: 'withdraw#2' }])
    expect(explanation.racing?.first).toMatchObject({ shown: 'account.ts:8' })
    expect(explanation.racing?.second).toMatchObject({ shown: 'account.ts:8' })
    expect(racingPlace(explanation)).toEqual({ file: '/app/src/account.ts', line: 8, column: 5, text: 'account.balance', shown: 'account.ts:8' })
    expect(explanation).toMatchObject({ switches: 0, execution: 2, executions: 2, complete: false, schedule: '0.1.2.0', failureKind: 'error' })
  })

  test('of a Map entry, between tasks', () => {
    const input = failing('a b', [
      step(0, [read('c.ts:2', 'counts.get(n)', '1')]),
      step(1, [read('c.ts:2', 'counts.get(n)', '1')]),
      step(1, [write('c.ts:4', 'counts.get(n)', '2'), settle('b')]),
      step(0, [write('c.ts:4', 'counts.get(n)', '2'), settle('a')]),
    ], { kind: 'invariant', error: new Error('the invariant returned false') })
    expect(told(input)).toEqual({
      kind: 'lost-update',
      headline: 'Lost update on counts.get(n): a wrote 2 from a value read before b wrote 2.',
      rows: ['a: read counts.get(n) -> 1', 'b: read counts.get(n) -> 1', 'b: write counts.get(n) = 2', 'a: write counts.get(n) = 2 <- stale since 3'],
    })
    // `b` ran to its end while `a` could have gone on.
    expect(explain(input).switches).toBe(1)
    expect(explain(input).failureKind).toBe('invariant')
  })

  test('a stale write outside instrumented code points to the stale read', () => {
    const input = failing('a b', [
      step(0, [read('c.ts:2', 'c.n', '0')]),
      step(1, [read('c.ts:2', 'c.n', '0'), write('c.ts:3', 'c.n', '1')]),
      step(0, [write('', 'c.n', '1')]),
    ])
    expect(racingPlace(explain(input))).toMatchObject({ shown: 'c.ts:2' })
  })

  test('a read again after the change makes no lost update', () => {
    const input = failing('a b', [
      step(0, [read('c.ts:2', 'c.n', '0')]),
      step(1, [read('c.ts:2', 'c.n', '0'), write('c.ts:3', 'c.n', '1')]),
      step(0, [read('c.ts:4', 'c.n', '1')]),
      step(0, [write('c.ts:5', 'c.n', '2')]),
    ])
    expect(explain(input).kind).not.toBe('lost-update')
  })

  test('a value that changed and changed back was not lost', () => {
    const input = failing('a b', [
      step(0, [read('c.ts:2', 'c.n', '0')]),
      step(1, [read('c.ts:2', 'c.n', '0'), write('c.ts:3', 'c.n', '1')]),
      step(1, [read('c.ts:4', 'c.n', '1'), write('c.ts:5', 'c.n', '0')]),
      step(0, [write('c.ts:5', 'c.n', '1')]),
    ])
    expect(explain(input).kind).not.toBe('lost-update')
  })

  test('calls that wait for one another lose nothing', () => {
    const input = failing('test a#1 a#2', [
      step(0, [read('c.ts:1', 'log.a', '[function a]')], { spawned: [1] }),
      step(1, [read('c.ts:2', 'c.n', '0'), write('c.ts:3', 'c.n', '1'), settle('first')]),
      step(0, [wait('first')], { spawned: [2] }),
      step(2, [read('c.ts:2', 'c.n', '1'), write('c.ts:3', 'c.n', '2'), settle('second')]),
      step(0, [wait('second'), read('c.ts:9', 'c.n', '2')]),
    ])
    expect(told(input)).toEqual({ kind: 'error', headline: 'The test threw; no race was recorded in this execution.', rows: [] })
  })

  test('of three calls, the first stale write is told', () => {
    const first = [1, 2, 3].map((of) => read('c.ts:2', 'c.n', '0', { of }))
    const input = failing('test inc#1 inc#2 inc#3', [
      step(0, first, { spawned: [1, 2, 3] }),
      ...[1, 2, 3].map((process) => step(process, [write('c.ts:4', 'c.n', '1')])),
    ])
    expect(told(input).headline).toBe('Lost update on c.n: inc#2 wrote 1 from a value read before inc#1 wrote 1.')
    expect(explain(input).rows).toHaveLength(4)
  })
})

describe('check-then-act', () => {
  test('two callers miss a cache and both fill it', () => {
    const input = failing('test get#1 get#2', [
      step(0, [read('cache.ts:4', 'cache.get(a)', 'undefined', { of: 1 }), read('cache.ts:4', 'cache.get(a)', 'undefined', { of: 2 })], { spawned: [1, 2] }),
      step(1, [write('cache.ts:7', 'cache.get(a)', '{"v":1}')]),
      step(2, [write('cache.ts:7', 'cache.get(a)', '{"v":2}')]),
    ])
    expect(told(input)).toEqual({
      kind: 'double-initialisation',
      headline: 'Double initialisation on cache.get(a): get#2 read undefined, then get#1 wrote {"v":1}, then get#2 still wrote {"v":2}.',
      rows: [
        'get#1: read cache.get(a) -> undefined',
        'get#2: read cache.get(a) -> undefined',
        'get#1: write cache.get(a) = {"v":1}',
        'get#2: write cache.get(a) = {"v":2} <- checked in 2, written in 3',
      ],
    })
    expect(racingPlace(explain(input))).toMatchObject({ shown: 'cache.ts:7' })
  })

  test('a counter is compared with its limit, and raised after an await', () => {
    const input = failing('test run#1 run#2', [
      step(0, [read('pool.ts:2', 'pool.active', '0', { of: 1 }), read('pool.ts:2', 'pool.active', '0', { of: 2 })], { spawned: [1, 2] }),
      step(1, [read('pool.ts:4', 'pool.active', '0'), write('pool.ts:4', 'pool.active', '1'), read('pool.ts:5', 'pool.active', '1')]),
      step(2, [read('pool.ts:4', 'pool.active', '1'), write('pool.ts:4', 'pool.active', '2'), read('pool.ts:5', 'pool.active', '2')]),
    ])
    expect(told(input)).toEqual({
      kind: 'check-then-act',
      headline: 'Check-then-act on pool.active: run#2 read 0, then run#1 wrote 1, then run#2 changed it to 2.',
      rows: ['run#2: read active -> 0', 'run#1: update active 0 -> 1', 'run#2: update active 1 -> 2 <- checked in 1, written in 2'],
    })
  })

  test('what was there is gone when it is used', () => {
    const input = failing('test send logout', [
      step(0, [read('s.ts:2', 'session.user', '{"id":1}', { of: 1 })], { spawned: [1, 2] }),
      step(2, [write('s.ts:9', 'session.user', 'null')]),
      step(1, [read('s.ts:4', 'session.user', 'null')]),
    ], { error: thrownAt('s.ts:4', "Cannot read properties of null (reading 'id')") })
    expect(told(input)).toEqual({
      kind: 'check-then-act',
      headline: 'Check-then-act on session.user: send read {"id":1}, then logout wrote null, then send found null.',
      rows: ['send: read user -> {"id":1}', 'logout: write user = null', 'send: read user -> null <- checked in 1, written in 2'],
    })
  })

  test('the act may be at another location', () => {
    const input = failing('test memo#1 memo#2', [
      step(0, [read('m.ts:3', 'cache.get(k)', 'undefined', { of: 1 }), read('m.ts:3', 'cache.get(k)', 'undefined', { of: 2 })], { spawned: [1, 2] }),
      step(1, [write('m.ts:5', 'cache.get(k)', '1'), read('m.ts:6', 'calls.length', '0'), write('m.ts:6', 'calls.length', '1')]),
      step(2, [read('m.ts:6', 'calls.length', '1'), write('m.ts:6', 'calls.length', '2')]),
      step(0, [read('m.spec.ts:9', 'calls.length', '2')]),
    ])
    expect(told(input)).toEqual({
      kind: 'check-then-act',
      headline: 'Check-then-act on cache.get(k): memo#2 read undefined, then memo#1 wrote 1, then memo#2 still wrote calls.length = 2.',
      rows: [
        'memo#1: read cache.get(k) -> undefined',
        'memo#2: read cache.get(k) -> undefined',
        'memo#1: write cache.get(k) = 1',
        'memo#2: update calls.length 1 -> 2 <- checked in 2, written in 3',
      ],
    })
  })

  test('a flag that is set twice is no lost update', () => {
    const input = failing('test init#1 init#2', [
      step(0, [read('i.ts:2', 'db.ready', 'false', { of: 1 }), read('i.ts:2', 'db.ready', 'false', { of: 2 })], { spawned: [1, 2] }),
      step(1, [write('i.ts:4', 'db.ready', 'true')]),
      step(2, [write('i.ts:4', 'db.ready', 'true')]),
    ])
    expect(explain(input).kind).toBe('check-then-act')
  })
})

describe('order violation', () => {
  test('a value is read before it is there', () => {
    const input = failing('test init request', [
      step(0, [], { spawned: [1, 2] }),
      step(2, [read('s.ts:9', 'service.ready', 'null')]),
      step(1, [write('s.ts:5', 'service.ready', '{"url":"x"}')]),
    ])
    expect(told(input)).toEqual({
      kind: 'order-violation',
      headline: 'Order violation on service.ready: request read null before init wrote {"url":"x"}. Nothing recorded orders the two.',
      rows: ['request: read ready -> null <- before 2 wrote it', 'init: write ready = {"url":"x"}'],
    })
    expect(racingPlace(explain(input))).toMatchObject({ shown: 's.ts:9' })
  })

  test('a value is read after it has been taken away', () => {
    const input = failing('test close send', [
      step(0, [], { spawned: [1, 2] }),
      step(1, [write('b.ts:5', 'box.open', 'false')]),
      step(2, [read('b.ts:9', 'box.open', 'false')]),
    ], { kind: 'unhandled-rejection', error: new Error('closed') })
    expect(told(input)).toEqual({
      kind: 'order-violation',
      headline: 'Order violation on box.open: send read false after close wrote false. Nothing recorded orders the two.',
      rows: ['close: write open = false', 'send: read open -> false <- sees what 1 wrote'],
    })
    expect(explain(input).message).toBe('Unhandled rejection: Error: closed')
  })

  test('of two texts that grow it is their order', () => {
    const input = failing('test load#1 load#2', [
      step(0, [], { spawned: [1, 2] }),
      step(2, [write('z.ts:5', 'store.state', '"b"')]),
      step(1, [write('z.ts:5', 'store.state', '"ba"'), settle('loaded')]),
      step(0, [wait('loaded'), read('z.spec.ts:9', 'store.state', '"ba"')]),
    ])
    expect(told(input)).toMatchObject({ kind: 'order-violation' })
  })

  test('of two writes the later one wins', () => {
    const input = failing('test load#1 load#2', [
      step(0, [], { spawned: [1, 2] }),
      step(2, [write('z.ts:5', 'store.state', '"new"')]),
      step(1, [write('z.ts:5', 'store.state', '"old"'), settle('loaded')]),
      step(0, [wait('loaded'), read('z.spec.ts:9', 'store.state', '"old"')]),
    ])
    expect(told(input)).toEqual({
      kind: 'last-write-wins',
      headline: 'Last write wins on store.state: load#1 wrote "old" over the "new" of load#2. Nothing recorded orders the two.',
      rows: ['load#2: write state = "new"', 'load#1: write state = "old" <- overwrites 1'],
    })
  })

  test('keys that are added commute; looking at them does not', () => {
    const steps = [
      step(0, [], { spawned: [1, 2] }),
      step(1, [insert('k.ts:2', 'jobs', '"a"')]),
      step(2, [insert('k.ts:2', 'jobs', '"b"')]),
    ]
    expect(explain(failing('test add#1 add#2', steps)).kind).toBe('error')
    const looks = failing('test add#1 count', [steps[0]!, steps[1]!, step(2, [read('k.ts:7', 'keys of jobs', '1')])])
    expect(told(looks).rows).toEqual(['add#1: add "a" to jobs', 'count: read keys of jobs -> 1 <- sees 1'])
  })
})

describe('which race explains the failure', () => {
  const shared = [
    step(0, [], { spawned: [1, 2] }),
    step(1, [write('a.ts:1', 'box.ready', 'true'), write('a.ts:2', 'box.url', '"x"')]),
    step(2, [read('b.ts:1', 'box.ready', 'true'), read('b.ts:2', 'box.url', '"x"')]),
  ]

  test('the one that the throwing line looks at', () => {
    const at = (short: string): string => explain(failing('test a b', shared, { error: thrownAt(short, 'bad') })).headline
    expect(at('b.ts:1')).toContain('on box.ready')
    expect(at('b.ts:2')).toContain('on box.url')
  })

  test('the others are named', () => {
    expect(explain(failing('test a b', shared, { error: thrownAt('b.ts:2', 'bad') })).alsoRacing).toEqual(['box.ready'])
  })

  test('a race that changes nothing explains nothing', () => {
    const input = failing('test a b', [
      step(0, [], { spawned: [1, 2] }),
      step(1, [write('a.ts:1', 'box.seen', 'true')]),
      step(2, [write('a.ts:1', 'box.seen', 'true')]),
    ])
    expect(explain(input)).toMatchObject({
      kind: 'error', rows: [], headline: 'The test threw; no race in this execution is known to explain it.', alsoRacing: ['box.seen'],
    })
  })

  test('what comes before and after a moment of time does not race', () => {
    const input = failing('test a b', [
      step(0, [], { spawned: [1, 2] }),
      step(1, [write('a.ts:1', 'box.value', '1')]),
      step(2, [read('b.ts:1', 'box.value', '1')], { time: 10 }),
    ])
    expect(explain(input)).toMatchObject({ kind: 'error', rows: [] })
  })
})

describe('failures without a race', () => {
  const steps = [step(0, []), step(0, [])]

  test.each([
    ['error', 'The test threw; no race was recorded in this execution.'],
    ['invariant', 'The invariant does not hold; no race was recorded in this execution.'],
    ['unhandled-rejection', 'A promise was rejected and nothing handled it; no race was recorded in this execution.'],
    ['livelock', 'Livelock: nothing can run any more but loops that wait by asking again; no race was recorded in this execution.'],
  ] as const)('%s', (kind, headline) => {
    const explanation = explain(failing('test', steps, { kind }))
    expect(explanation).toMatchObject({ kind, headline, rows: [], columns: [], switches: 0 })
    expect(racingPlace(explanation)).toBeUndefined()
  })

  test('an empty recording', () => {
    expect(explain(failing('test', [])).rows).toEqual([])
  })
})

test('what the runtime records is what an explanation takes', () => {
  const takes = (recording: RecordedExecution, waiting: Waiting[]): [InputRecording, InputWaiting[]] => [recording, waiting]
  const recording = { steps: [], names: [], begunAt: [], begunWith: [], calledBy: [], calls: [], callOf: [], begunBy: [], order: orderOf([]) }
  expect(takes(recording, [])).toEqual([recording, []])
})

test('an explanation is plain data', () => {
  const explanation = explain(withdrawals())
  expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation)
})

test('a long execution is explained in little time', { timeout: 20_000 }, () => {
  const steps = Array.from({ length: 6000 }, (_, index) => {
    const process = 1 + (index % 2)
    return step(process, [read('c.ts:2', 'c.n', `${index}`), write('c.ts:3', 'c.n', `${index + 1}`)])
  })
  const input = failing('test a#1 a#2', [step(0, [], { spawned: [1, 2] }), ...steps])
  expect(explain(input).headline).toContain('c.n')
})
