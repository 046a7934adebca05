import { expect, test } from 'vitest'
import { generateTasks, outcomesOf } from './delays.ts'
import { plainRun } from './plain-run.ts'
import { exploreBody } from './project.ts'

const head = `let ra, rb; const a = new Promise((resolve) => (ra = resolve)), b = new Promise((resolve) => (rb = resolve));`

/** The outcome of the plain run first. */
test.each<[string, string, string[]]>([
  ['as fast as the other part', `const w = Promise.race([a, b]); ra('A'); await null; rb('B'); return await w`, ['A']],
  ['two jobs away, where one await is no less', `const w = Promise.race([a.then(), b]); ra('A'); await null; rb('B'); return await w`, ['A']],
  ['two jobs away, where somebody else has listened before', `const t = a.then(() => { rb('B') }); const w = Promise.race([a.then(), b]); ra('A'); await t; return await w`, ['B', 'A']],
  ['three jobs away, where one await is less', `const w = Promise.race([a, b]); ra(Promise.resolve('A')); await null; rb('B'); return await w`, ['B', 'A']],
  ['three jobs away, where two awaits are no less', `const w = Promise.race([a, b]); ra(Promise.resolve('A')); await null; await null; rb('B'); return await w`, ['A']],
  ['three jobs away, with a part as far', `const w = Promise.race([a, b]); ra(Promise.resolve('A')); await null; rb(Promise.resolve('B')); return await w`, ['A']],
  ['three jobs away, beside another task', `const w = Promise.race([a, b]); const f = async () => { await null; ra(Promise.resolve('A')) }, g = async () => { await null; rb('B') }; await Promise.all([f(), g()]); return await w`, ['B', 'A']],
  ['later, however it comes', `const w = Promise.race([a, b]); rb('B'); await null; ra('A'); return await w`, ['B']],
  ['in a race within the race', `const w = Promise.race([Promise.race([a]), b]); ra('A'); await null; rb('B'); return await w`, ['A']],
  ['in a race within the race, one more job away', `const w = Promise.race([Promise.race([a.then()]), b]); ra('A'); await null; rb('B'); return await w`, ['B', 'A']],
  ['in any', `const w = Promise.any([a, b]); ra(Promise.resolve('A')); await null; rb('B'); return await w`, ['B', 'A']],
  ['rejected, in all', `const w = Promise.all([a, b]).catch((error) => error); ra(Promise.reject('A')); await null; rb(Promise.reject('B')); return await w`, ['A']],
  ['rejected, in all, where the other is faster', `const w = Promise.all([a, b.catch()]).catch((error) => error); ra((async () => { throw 'A' })()); await null; rb(new Promise((_, reject) => reject('B'))); return await w`, ['A']],
])('a part that is settled first decides, or what overtakes it as in Node: %s', async (_, end, [plain, ...others]) => {
  const source = `${head} ${end}`
  expect(JSON.parse(await plainRun(source))).toBe(plain)
  const { first, outcomes } = await exploreBody(source)
  expect(first).toBe(JSON.stringify(plain))
  expect(outcomes).toEqual([plain, ...others].map((outcome) => JSON.stringify(outcome)).toSorted())
})

const seeds = Array.from({ length: 40 }, (_, i) => 4_000 + i)

test.each(seeds)('who is first is what Node comes to, however long the waits take (program %i)', async (seed) => {
  const program = generateTasks(seed)
  expect((await exploreBody(program.source)).outcomes, program.source).toEqual(await outcomesOf(program, 9))
})

test.each([...seeds, 127, 140, 232, 250])('the same where races are parts of races (program %i)', async (seed) => {
  const program = generateTasks(seed, { nested: true })
  expect((await exploreBody(program.source)).outcomes, program.source).toEqual(await outcomesOf(program, 6))
})

const parts = `const settle = {}, never = new Promise(() => {})
  const [a, b, c] = ['a', 'b', 'c'].map((name) => new Promise((resolve) => { settle[name] = resolve }))
  let end; const whole = new Promise((resolve) => { end = resolve })`

test.each([
  [
    'any in race',
    `queueMicrotask(() => { end(Promise.race([Promise.any([new Promise((resolve) => resolve(a)), b]), Promise.race([Promise.any([(async () => c)()]), never])])) })
    ;(async () => { await null; settle.a('a'); await null; await null; settle.c(new Promise((resolve) => resolve('c')).then()) })()
    ;(async () => { settle.b(new Promise((resolve) => resolve('b')).then()) })()`,
  ],
  [
    'race in race',
    `;(async () => { settle.b((async () => 'b')()) })()
    ;(async () => { await null; settle.a('a'); await null; await null; settle.c('c') })()
    queueMicrotask(() => { end(Promise.race([Promise.race([(async () => a)().then(), new Promise((resolve) => resolve(b))]), Promise.race([(async () => c)(), never])])) })`,
  ],
])('so is who is first in a race that a microtask begins, though nobody knows how long what decides its parts takes (%s)', async (_, tasks) => {
  const { first, outcomes } = await exploreBody(`${parts}\n${tasks}\nreturn await whole`)
  expect(first).toBe('"b"')
  expect(outcomes).toEqual(['"a"', '"b"'])
})
