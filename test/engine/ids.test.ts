import { expect, test } from 'vitest'
import type { Ordinal, ProcessId } from '../../src/engine/ids.ts'
import { column } from '../../src/engine/trace/columns.ts'
import { NONE, Processes } from '../../src/engine/trace/processes.ts'

test('an ordinal is taken for no id and an id for no ordinal, nor is any other number', () => {
  const processes = new Processes()
  processes.begin()
  const id = processes.create(undefined, NONE)
  const ordinal = processes.ordinal(id)
  const ordinals = column<Ordinal>(1)
  ordinals[0] = ordinal
  // @ts-expect-error -- an id
  ordinals[0] = id
  // @ts-expect-error -- an id
  processes.id(id)
  // @ts-expect-error -- an ordinal
  processes.exists(ordinal)
  // @ts-expect-error -- any number
  const any: ProcessId = 0
  expect([processes.id(ordinal), ordinals[0], any]).toEqual([id, ordinal, 0])
})
