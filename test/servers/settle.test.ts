import { expect, test } from 'vitest'
import { settle } from './settle.ts'

test('who is let go by one that is asked for later is waited for as well', async () => {
  const first = { isWaiting: true }
  const second = { isWaiting: true }
  // The server is asked about the second one only when it is about to answer that, and with it lets the first one go.
  const isHeldUp = async (one: object): Promise<boolean> => one === first && second.isWaiting
  const pause = async (): Promise<void> => {
    const next = second.isWaiting ? second : first
    next.isWaiting = false
  }
  await settle([first, second], { isHeldUp, pause })
  expect([first, second]).toEqual([{ isWaiting: false }, { isWaiting: false }])
})

test('who is held up stays so', async () => {
  const held = { isWaiting: true }
  await settle([held, { isWaiting: false }], { isHeldUp: async () => true, pause: async () => {} })
  expect(held.isWaiting).toBe(true)
})
