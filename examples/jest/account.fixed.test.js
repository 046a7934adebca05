const { dporTest } = require('vitest-dpor/jest')
const { Account } = require('./account.fixed')

dporTest('two withdrawals never overdraw', async () => {
  const account = new Account(100)
  const paid = await Promise.all([account.withdraw(80), account.withdraw(80)])
  expect(paid[0] + paid[1]).toBeLessThanOrEqual(100)
})
