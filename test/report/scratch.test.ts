import { expect, test } from 'vitest'
import { storyOf } from './executed.ts'

test('what every step puts back is no cause, however many race on it', async () => {
  const { headline, alsoRacing } = await storyOf(`
    const runtime = { depth: 0, current: null, ran: 0 }
    const inAction = (name, act) => { runtime.depth++; runtime.current = name; act(); runtime.current = null; runtime.depth-- }
    const cart = { items: ['x'] }
    const checkout = async () => {
      await null
      let n
      inAction('count', () => { n = cart.items.length })
      await null
      inAction('clear', () => { cart.items = [] })
      return n
    }
    const paid = await Promise.all([checkout(), checkout()])
    if (paid[0] + paid[1] !== 1) throw new Error('paid twice')`)
  expect(headline).toMatch(/^Lost update on cart\.items: |^Check-then-act on cart\.items: /)
  expect(alsoRacing.join()).not.toMatch(/depth|current/)
})

test('a flag that somebody leaves raised is not put back', async () => {
  const { headline } = await storyOf(`
    const door = { isOpen: false }
    const open = async () => { await null; door.isOpen = true; await null; door.isOpen = false }
    const enter = async () => { await null; await null; if (!door.isOpen) throw new Error('closed') }
    await Promise.all([open(), enter()])`)
  expect(headline).toContain('door.isOpen')
})

test('what every step writes once more as it was is no cause', async () => {
  const { headline, alsoRacing } = await storyOf(`
    const scope = { active: undefined }
    const within = (act) => { const before = scope.active; try { act() } finally { scope.active = before } }
    const door = { listeners: [] }
    const waiting = async () => { await null; await new Promise((resolve) => within(() => door.listeners.push(resolve))) }
    const ring = async () => { await null; within(() => { for (const listener of door.listeners) listener() }) }
    await Promise.all([waiting(), ring()])`)
  expect(headline).toContain('listeners')
  expect([headline, ...alsoRacing].join()).not.toContain('active')
})

test('nor is what every step sets anew before it looks there', async () => {
  const { headline, alsoRacing } = await storyOf(`
    const machine = { state: undefined }
    const within = (state, act) => { machine.state = state; act(); return machine.state }
    const door = { listeners: [] }
    const waiting = async () => { await null; await new Promise((resolve) => within('waiting', () => door.listeners.push(resolve))) }
    const ring = async () => { await null; within('ringing', () => { for (const listener of door.listeners) listener() }) }
    await Promise.all([waiting(), ring()])`)
  expect(headline).toContain('listeners')
  expect([headline, ...alsoRacing].join()).not.toContain('state')
})

test('but what somebody looks at who has not set it is one', async () => {
  const { headline } = await storyOf(`
    const machine = { state: undefined }
    const begin = async (state) => { await null; machine.state = state; if (machine.state !== state) throw new Error('no state') }
    await Promise.all([begin('waiting'), begin('ringing')])
    if (machine.state !== 'ringing') throw new Error('waiting')`)
  expect(headline).toContain('machine.state')
})
