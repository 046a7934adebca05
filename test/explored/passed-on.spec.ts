/* oxlint-disable unicorn/no-single-promise-in-promise-methods */
import { expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

/** What comes of a promise by another one comes behind the reactions of the first that were registered before: no engine has it otherwise. */

const ways: Record<string, (p: Promise<unknown>) => Promise<unknown>> = {
  'p': (p) => p,
  'resolve': (p) => Promise.resolve(p),
  'new': (p) => new Promise((r) => r(p)),
  'then()': (p) => p.then(),
  'then(undefined, f)': (p) => p.then(undefined, () => 0),
  'catch': (p) => p.catch(() => {}),
  'finally': (p) => p.finally(() => {}),
  'return': (p) => (async () => p)(),
  'return await': (p) => (async () => await p)(),
  'all': (p) => Promise.all([p]),
  'all 2': (p) => Promise.all([p, null]),
  'allSettled': (p) => Promise.allSettled([p]),
  'race': (p) => Promise.race([p, new Promise(() => {})]),
  'any': (p) => Promise.any([p]),
  'all of all': (p) => Promise.all([Promise.all([p])]),
  'all of new': (p) => Promise.all([new Promise((r) => r(p))]),
  'new of all': (p) => new Promise((r) => r(Promise.all([p]))),
  'for await': async (p) => { for await (const x of [p]) void x },
  'yield': async (p) => { for await (const x of (async function* () { yield p })()) void x },
  'withResolvers': (p) => { let r!: (v: unknown) => void; const q = new Promise((rr) => (r = rr)); r(p); return q },
  'subclass': (p) => (class extends Promise<unknown> {}).resolve(p),
  // oxlint-disable-next-line no-thenable
  'thenable': (p) => Promise.resolve({ then: (fulfilled: () => void, rejected: () => void) => void p.then(fulfilled, rejected) }),
  'then returns': (p) => Promise.resolve().then(() => p),
}
const makes: Record<string, () => Promise<unknown>> = {
  async: async () => { await null; return 1 },
  deferred: () => { let r!: (v: unknown) => void; const p = new Promise((rr) => (r = rr)); void (async () => { await null; r(1) })(); return p },
  timer: () => new Promise((r) => setTimeout(r, 1)),
  settled: () => Promise.resolve(1),
  rejecting: async () => { await null; throw 1 },
}
const cases = Object.entries(makes).flatMap(([made, make]) => Object.entries(ways).map(([name, way]) => ({ made, make, name, way })))

test.each(cases)('a reaction comes before what is awaited by $name, of a promise that is $made', async ({ make, way }) => {
  const found = await outcomes(async () => {
    let hasReacted = false
    let count = 0
    const other = (async () => {
      await null
      await null
      count++
    })()
    const promise = make()
    const react = () => {
      hasReacted = true
    }
    void promise.then(react, react)
    await way(promise).catch(() => {})
    const result = hasReacted
    await other
    return [result, count]
  }, { interleave: 'await' })
  expect(found).toMatchObject({ seen: ['[true,1]'], verdict: 'holds' })
})

test('parts that have not decided are waited for by nobody', async () => {
  const { seen, verdict } = await outcomes(async () => {
    let reactions = 0
    const never = new Promise(() => {})
    const late = new Promise((resolve) => setTimeout(resolve, 10))
    for (const promise of [never, late]) void promise.then(() => reactions++)
    const ends = [await Promise.race([never, late, Promise.resolve('first')]), await Promise.all([late, Promise.reject(new Error('no'))]).catch(() => 'rejected')]
    return [ends, reactions]
  }, { interleave: 'await' })
  expect({ seen, verdict }).toEqual({ seen: ['[["first","rejected"],0]'], verdict: 'holds' })
})

test('a reaction that is registered later may come later', async () => {
  const { seen } = await outcomes(async () => {
    let hasReacted = false
    const promise = (async () => void (await null))()
    const all = Promise.all([promise])
    void promise.then(() => {
      hasReacted = true
    })
    await all
    return hasReacted
  }, { interleave: 'await' })
  expect(seen).toContain('true')
})
