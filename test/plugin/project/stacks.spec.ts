import { expect, test } from 'vitest'
import { Account } from './account.ts'

test('an error in another file', async () => {
  const account = new Account(1)
  await account.withdraw(1)
  account.fail({ code: 3 })
})

test('a failing assertion', async () => {
  const [first] = [await new Account(5).withdraw(4)]
  const o = { a: { b: first } }
  expect(o.a.b, 'it').toBe(5)
})

test('a missing method', async () => {
  const services: any = { mail: {} }
  await services.mail.send({ to: 'x' })
})
