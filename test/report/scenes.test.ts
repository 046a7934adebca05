import { expect, test } from 'vitest'
import type { Access } from '../../src/report/accesses.ts'
import { toScenes } from '../../src/report/story.ts'

const access = (index: number, kind: Access['kind'], step = 0): Access => ({
  index, step, process: 0, kind, location: 1, object: 1, owner: '', key: { kind: 'variable', name: 'used' }, value: { type: 'number', text: String(index) }, look: 'value', member: undefined, found: undefined, as: undefined, within: undefined,
  isOfCall: false, place: undefined, command: undefined, transaction: undefined, isGone: false, doing: undefined, isOfAssignment: false, isOfOpaque: false,
})

test('the look and the write of one step are one line', () => {
  const [look, write] = [access(0, 'read'), access(1, 'write')]
  expect(toScenes([look, write], [look, write])).toEqual([{ access: write, from: look }])
})

test('but a look by which another one acts has a line of its own, whatever its own step makes of it', () => {
  const [look, write] = [access(0, 'read'), access(1, 'write')]
  expect(toScenes([look, write], [look, write], look)).toEqual([{ access: look }, { access: write, from: look }])
})
