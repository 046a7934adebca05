import assert from 'node:assert/strict'
import { dporTest } from 'vitest-dpor/node-test'
import { Account } from './account.js'

dporTest('two withdrawals never overdraw', async () => {
  const account = new Account(100)
  const paid = await Promise.all([account.withdraw(80), account.withdraw(80)])
  assert.ok(paid[0] + paid[1] <= 100)
})
