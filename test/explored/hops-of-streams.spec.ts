import { expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { bodies, logOf } from './instrumented/hops-of-streams.ts'

test.each(Object.keys(bodies))('%s goes on after as many microtasks as without exploring', async (name) => {
  const plain = await logOf(bodies[name]!)
  const found = await explore(async () => expect(await logOf(bodies[name]!)).toBe(plain), { interleave: 'event-loop' })
  expect(found.verdict).toBe('holds')
})
