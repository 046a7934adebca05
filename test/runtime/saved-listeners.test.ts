import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { changesOutside, replaceListeners, saveEmitter, saveListeners, type NodeEmitter } from '../../src/runtime/execution/saved-listeners.ts'
import type { Undo } from '../../src/runtime/execution/undo.ts'

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => Object.defineProperty(() => {}, 'name', { value: name })) as [() => void, () => void, () => void, () => void]
const asNode = (emitter: EventEmitter): NodeEmitter => emitter as unknown as NodeEmitter

function outside(emitter: EventEmitter, change: () => void): void {
  const after = changesOutside(asNode(emitter))
  change()
  after?.()
}

const saves: [string, (emitter: EventEmitter) => Undo][] = [['of one event', (emitter) => saveListeners(asNode(emitter), 'x')], ['of all events', (emitter) => saveEmitter(asNode(emitter))]]

describe.each(saves)('the listeners %s are put back as they would be', (_, save) => {
  const cases: { readonly name: string; readonly own: (emitter: EventEmitter) => void; readonly others: readonly ((emitter: EventEmitter) => void)[]; readonly rest: readonly unknown[] }[] = [
    { name: 'without what the execution has added and removed', own: (e) => e.on('x', c).off('x', a), others: [], rest: [a, b] },
    { name: 'with what others have added', own: (e) => e.on('x', c), others: [(e) => e.on('x', d)], rest: [a, b, d] },
    { name: 'with what others have put first', own: (e) => e.on('x', c), others: [(e) => e.prependListener('x', d)], rest: [d, a, b] },
    { name: 'without what others have removed', own: (e) => e.on('x', c), others: [(e) => e.off('x', b)], rest: [a] },
    { name: 'with what was removed and added again', own: (e) => e.on('x', c), others: [(e) => e.off('x', a), (e) => e.on('x', a)], rest: [b, a] },
    { name: 'without what others have removed where the execution has removed the rest', own: (e) => e.off('x', a), others: [(e) => e.removeAllListeners('x')], rest: [a] },
    { name: 'without what the execution has added and others have removed', own: (e) => e.on('x', c), others: [(e) => e.off('x', c)], rest: [a, b] },
    { name: 'with one that others have added once more', own: (e) => e.off('x', b), others: [(e) => e.on('x', a)], rest: [a, b, a] },
  ]
  test.each(cases)('$name', ({ own, others, rest }) => {
    const emitter = new EventEmitter().on('x', a).on('x', b)
    const undo = save(emitter)
    own(emitter)
    for (const change of others) outside(emitter, () => change(emitter))
    undo()
    expect(emitter.listeners('x')).toEqual(rest)
    expect(emitter.eventNames()).toEqual(['x'])
  })
})

test('a part that was saved before the whole is put back after it, and both have what others do', () => {
  const emitter = new EventEmitter().on('x', a)
  const part = saveListeners(asNode(emitter), 'x')
  emitter.on('x', c)
  const whole = saveEmitter(asNode(emitter))
  emitter.on('y', c)
  outside(emitter, () => emitter.on('x', b).on('z', d))
  whole()
  expect([emitter.listeners('x'), emitter.eventNames()]).toEqual([[a, c, b], ['x', 'z']])
  part()
  expect([emitter.listeners('x'), emitter.listeners('z')]).toEqual([[a, b], [d]])
})

test('an emitter that nobody is going to put back is not looked at', () => {
  const emitter = new EventEmitter().on('x', a)
  saveListeners(asNode(emitter), 'x')()
  expect(changesOutside(asNode(emitter))).toBe(undefined)
})

test.each<[string, (emitter: EventEmitter) => void]>([
  ['put back', (emitter) => saveListeners(asNode(emitter), 'x')()],
  ['replaced', (emitter) => replaceListeners(asNode(emitter), (_, listener) => listener)],
])('of listeners that were %s all are called, also where one of them removes itself', (_, change) => {
  const called: number[] = []
  const emitter = new EventEmitter()
  for (const i of [1, 2, 3]) emitter.once('x', () => called.push(i))
  change(emitter)
  emitter.emit('x')
  expect(called).toEqual([1, 2, 3])
})
