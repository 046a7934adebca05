import { expect, test } from 'vitest'
import { run } from '../report/executed.ts'

/** Not instrumented. */
const given = { look: (order: { state: string }) => order.state }

/** How often the failing execution of a body tells of reading the property `state`. */
async function readsOfState(code: string): Promise<number> {
  const { recording } = await run(`const order = { state: 'new' }; await null; ${code}; throw new Error('told')`, { given })
  return recording!.steps.flatMap(({ accesses }) => accesses).filter(({ kind, key }) => kind === 'read' && key.kind === 'property' && key.name === 'state').length
}

test.each([
  ['one call', 'look(order)', 1],
  ['many calls in one step', 'for (let i = 0; i < 10; i++) look(order)', 1],
  ['it is changed between two calls', "look(order); order.state = 'changed'; look(order); look(order)", 2],
  ['two steps', 'look(order); await null; look(order)', 2],
])('what code that is not instrumented gets again and again in one step is told once: %s', async (_, code, reads) => {
  expect(await readsOfState(code)).toBe(reads)
})
