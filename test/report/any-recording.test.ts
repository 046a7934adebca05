import { expect, test } from 'vitest'
import { explain, renderText, type ExplainInput, type InputAccess, type InputStep } from '../../src/report/index.ts'
import { append, assign, failing, handle, increase, insert, read, rejected, remove, settle, settleTooLate, step, wait, write } from './recorded.ts'

/** Numbers from 0 up to `below`, the same ones for every seed. */
function randomFrom(seed: number): (below: number) => number {
  let last = seed * 2_654_435_761 + 1
  return (below) => {
    last = (Math.imul(last, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((last / 2 ** 32) * below)
  }
}

function anyRecording(seed: number): ExplainInput {
  const random = randomFrom(seed)
  const values = ['0', '1', '2', 'null', 'true', '"a"', '{"n":1}', '[function f]']
  const anyAccess = (): InputAccess => {
    const label = ['box.n', 'map.get(k)', 'queue.length', 'count'][random(4)]!
    const at = `f.ts:${1 + random(9)}`
    const own = random(4) === 0 ? { of: 1 + random(3) } : {}
    const value = values[random(values.length)]!
    const makers: (() => InputAccess)[] = [
      () => wait(`${random(3)}`),
      () => settle(`${random(3)}`, (['fulfilled', 'rejected', undefined] as const)[random(3)], value),
      () => settleTooLate(`${random(3)}`, 'fulfilled', value),
      () => rejected(`${random(3)}`),
      () => handle(`${random(3)}`),
      () => insert(at, 'map', value, own),
      () => remove(at, 'map', value, own),
      () => increase(at, label, '3', own),
      () => append(at, label, value, own),
      () => assign(at, label, value, own),
      ...Array.from({ length: 4 }, () => () => write(at, label, value, own)),
      ...Array.from({ length: 8 }, () => () => read(at, label, value, own)),
    ]
    return makers[random(makers.length)]!()
  }
  const steps: InputStep[] = Array.from({ length: 1 + random(12) }, () =>
    step(random(4), Array.from({ length: random(5) }, anyAccess), random(10) === 0 ? { time: 1 } : {}),
  )
  const kind = (['error', 'invariant', 'deadlock', 'unhandled-rejection'] as const)[random(4)]!
  const waiting = kind === 'deadlock' ? ['test', 'a', 'b', 'c'].slice(random(4)).map((process) => ({ process, place: undefined })) : undefined
  return failing('test a b c', steps, { kind, waiting })
}

test('2,000 recordings of anything: a short story of what happened there, in one order', () => {
  const kinds = new Set<string>()
  for (let seed = 0; seed < 2000; seed++) {
    const input = anyRecording(seed)
    const explanation = explain(input)
    kinds.add(explanation.kind)
    expect(explanation.rows.length).toBeLessThanOrEqual(14)
    expect(explanation.rows.map(({ number }) => number)).toEqual(explanation.rows.map((_, index) => index + 1))
    expect(explanation.headline).not.toMatch(/undefined (?:wrote|read|waits)|NaN|wrote [.,]| {2}/)
    for (const { note } of explanation.rows) expect(note ?? '').not.toContain('undefined')
    expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation)
    const told = renderText(explanation, { color: false, width: 80 })
    for (const line of told.split('\n')) expect(line).toBe(line.trimEnd())
  }
  for (const kind of ['check-then-act', 'deadlock', 'error', 'invariant', 'last-write-wins', 'lost-update', 'order-violation', 'unhandled-rejection']) expect(kinds).toContain(kind)
}, 120_000)
