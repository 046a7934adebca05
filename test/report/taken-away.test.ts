import { describe, expect, test } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

const testFile = '/app/taken-away.spec.cjs'

/** Answers are fetched once, as long as that goes well. */
const cache = (forget: string): unknown =>
  madeOf(
    `return () => {
      const kept = new Map()
      return {
        get(key, fetch) {
          if (!kept.has(key)) {
            const answer = fetch()
            answer.catch(() => ${forget})
            kept.set(key, answer)
          }
          return kept.get(key)
        },
        invalidate(key) { kept.delete(key) },
      }
    }`,
    '/app/cache.cjs',
  )

const refetched = `
  const rooms = cache()
  let fetched = 0
  const fetch = async () => { const isFirst = ++fetched === 1; await null; if (isFirst) throw new Error('502'); return ['A'] }
  const before = rooms.get('rooms', fetch).catch(() => [])
  rooms.invalidate('rooms')
  await rooms.get('rooms', fetch)
  await before
  await rooms.get('rooms', fetch)
  if (fetched !== 2) throw new Error('fetched ' + fetched)`

/** Requests under way are asked for once. */
const lookup = (end: string): unknown =>
  madeOf(
    `return (render) => {
      const inFlight = new Map()
      return {
        async load(key) {
          const there = inFlight.get(key)
          if (there) return await there
          const pending = render(key).finally(() => { ${end} })
          inFlight.set(key, pending)
          return await pending
        },
        invalidate(key) { inFlight.delete(key) },
      }
    }`,
    '/app/lookup.cjs',
  )

const rendered = `
  let running = 0, most = 0, version = 1
  const render = async (key) => { const mine = version; if (mine === 2) most = Math.max(most, ++running); await null; await null; if (mine === 2) running--; return key + mine }
  const own = lookup(render)
  const first = own.load('card')
  version = 2
  own.invalidate('card')
  const second = own.load('card')
  await first
  const third = own.load('card')
  await Promise.all([second, third])
  if (most !== 1) throw new Error('rendered twice at once')`

const search = (end: string): unknown =>
  madeOf(
    `return (query) => {
      const own = { shown: [], controller: undefined }
      own.run = async (term) => {
        const controller = { aborted: false, abort() { this.aborted = true } }
        own.controller = controller
        try { const found = await query(term); if (!controller.aborted) own.shown.push(found) } finally { ${end} }
      }
      own.cancel = () => own.controller?.abort()
      return own
    }`,
    '/app/search.cjs',
  )

const searched = `
  const own = search(async (term) => { await null; if (term === 'b') await new Promise((done) => setTimeout(done, 100)); return term })
  const first = own.run('a')
  const second = own.run('b')
  await first
  own.cancel()
  await second
  if (own.shown.includes('b')) throw new Error('not cancelled')`

describe('what one call takes away of another one', () => {
  test.each(['await', 'event-loop'] as const)('as what it has begun fails, though what was there had given way to that of another one: by %s', async (interleave) => {
    const text = await headlineOf(refetched, { given: { cache: cache('kept.delete(key)') }, testFile, interleave })
    expect(text).toMatch(/^Wrong-holder release on kept\.get\("rooms"\): (?:fetch\.)?then#\d, which had held another one, removed the \[Promise\] of test, which then read false\./)
  })

  test('as it ends, so that a third one begins what the test counts', async () => {
    const text = await headlineOf(rendered, { given: { lookup: lookup('inFlight.delete(key)') }, testFile })
    expect(text).toMatch(/^Wrong-holder release on inFlight\.get\("card"\): \S+, which had held another one, removed the \[Promise\] of \S+/)
  })

  test('where no other order helps, is no more than a guess', async () => {
    const text = await headlineOf(searched, { given: { search: search('own.controller = undefined') }, testFile })
    expect(text).toMatch(/^The test threw; no race decides it: .* Perhaps: Wrong-holder release on own\.controller: test, which had held another one, wrote undefined over the .* of own\.run#1 for test, which then read undefined\./)
  })

  test('and who takes away its own alone is not told of', async () => {
    const ended = 'if (own.controller === controller) own.controller = undefined'
    const text = await headlineOf(searched.replace("own.cancel()", "first.then(() => own.cancel()); await second; throw new Error('other')"), { given: { search: search(ended) }, testFile })
    expect(text).not.toContain('Wrong-holder')
  })
})
