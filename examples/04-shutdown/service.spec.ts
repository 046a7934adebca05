import { dporTest } from 'vitest-dpor'
import { expect } from 'vitest'
import { Service } from './service.ts'

// Run once, the flush has both locks before the shutdown asks for the first.
dporTest('a shutdown beside a flush books every order', async () => {
  const service = new Service()
  await service.order('tea')
  const lastOrders = async () => {
    await service.order('milk')
    await service.order('cake')
    await service.shutdown()
  }
  await Promise.all([lastOrders(), service.flush()])

  expect(service.booked).toEqual(['tea', 'milk', 'cake', 'closed'])
})
