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
