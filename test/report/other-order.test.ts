import { describe, expect, test } from 'vitest'
import { accessesOf } from '../../src/report/accesses.ts'
import type { InputAccess, InputStep } from '../../src/report/index.ts'
import { otherOrder } from '../../src/report/other-order.ts'
import { assign, read, step } from './recorded.ts'

/** A promise that has no name: its number tells it apart from others of the same execution. */
const promise = (access: InputAccess, identity: number): InputAccess => ({ ...access, value: { type: 'object', text: '[Promise]', identity } })
const putAt = (line: number, identity: number): InputAccess => promise(assign(`memo.ts:${line}`, 'result', 'x'), identity)
const look = (identity: number): InputAccess => promise(read('memo.ts:6', 'result', 'x'), identity)

/** Whether the last look of the failing execution finds something else in the other one. */
function differs(failing: readonly InputStep[], other: readonly InputStep[]): boolean | undefined {
  const order = otherOrder({ steps: other, names: ['test', 'get#1', 'get#2'] }, { steps: failing }, { hasSameObjects: false })
  return order.differs(accessesOf({ steps: failing }).findLast(({ kind }) => kind === 'read')!)
}

describe('a promise without a name that is found in another execution', () => {
  test('is another one where somebody else has put it there, whatever its number is', () => {
    const failing = [step(0, [putAt(5, -1)]), step(2, [look(-1)]), step(1, [putAt(7, -2)])]
    expect(differs(failing, [step(0, [putAt(5, -2)]), step(1, [putAt(7, -1)]), step(2, [look(-1)])])).toBe(true)
  })

  test('is the same where the same one has put it there, whatever its number is', () => {
    const failing = [step(0, [putAt(5, -1)]), step(2, [look(-1)]), step(1, [putAt(7, -2)])]
    expect(differs(failing, [step(0, [putAt(5, -3)]), step(2, [look(-3)])])).toBe(false)
  })

  test('that has a name is known by that', () => {
    const failing = [step(0, [putAt(5, 3)]), step(2, [look(3)])]
    expect(differs(failing, [step(0, [putAt(5, 4)]), step(2, [look(4)])])).toBe(true)
  })
})
