import { dporTest } from '../../src/index.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SlowServer } from './uninstrumented/slow-server.ts'

describe.each(['await', 'event-loop'] as const)("what is cut short, interleave: '%s'", (interleave) => {
  const server = new SlowServer()
  let url: string

  beforeAll(async () => {
    url = await server.listen()
  })
  afterEach(async () => {
    await fetch(url, { method: 'DELETE' })
  })
  afterAll(() => server.close())

  dporTest('has its hooks as well', { interleave, maxTime: 1000, onInconclusive: 'pass' }, async () => {
    await fetch(`${url}first`, { method: 'PUT' })
    await fetch(`${url}second`, { method: 'PUT' })
    await fetch(`${url}third`, { method: 'PUT' })
  })

  test('so that nothing is left of it', () => {
    expect(server.stored).toEqual([])
  })
})
