import { expect, test } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

test('what two make because both have looked too early is told by that look, also where the one finds what it has made before the other one puts its own there', async () => {
  const clients = madeOf(
    `return (open) => {
      const own = {
        kept: null,
        load: () => new Promise((done) => open((text) => { own.kept = { text }; done() })),
        get: async () => { if (!own.kept) await own.load(); return own.kept },
      }
      return own
    }`,
    '/app/clients.cjs',
  )
  const text = await headlineOf(
    `const waiting = []
    const own = clients((done) => waiting.push(done))
    const answer = async () => { await null; waiting.shift()('client') }
    const asked = [own.get(), own.get()]
    const [one, other] = await Promise.all([...asked, answer(), answer()])
    if (one !== other) throw new Error('two clients')`,
    { given: { clients }, testFile: '/app/clients.spec.cjs' },
  )
  expect(text).toMatch(/^Double initialisation on own\.kept: /)
})

test('what is counted on from nothing by both is no thing that is made twice', async () => {
  const text = await headlineOf(`
    const buckets = new Map(), answer = async () => {}
    const get = async (id) => { await answer(); return buckets.get(id) }
    const allows = async (id) => {
      const { tokens } = (await get(id)) ?? { tokens: 1 }
      if (tokens < 1) return false
      await answer()
      buckets.set(id, { tokens: tokens - 1 })
      return true
    }
    const all = await Promise.all([allows('ann'), allows('ann')])
    if (all[0] && all[1]) throw new Error('both')`)
  expect(text).toMatch(/^(?:Check-then-act|Lost update) on buckets\.get\("ann"\): /)
})
