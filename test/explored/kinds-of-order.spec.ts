import { expect } from 'vitest'
import { dporTest } from '../../src/index.ts'

dporTest('what a step makes may be an array in one order and an object in another', async () => {
  const found: unknown[] = []
  let isList = true
  const make = (): unknown => {
    if (isList) {
      const list: number[] = []
      found.push(list)
      list.push(1)
      return list
    }
    const object: Record<string, number> = {}
    found.push(object)
    object['one'] = 1
    return object
  }
  const change = async (): Promise<void> => {
    await null
    isList = false
  }
  const look = async (): Promise<void> => {
    await null
    make()
  }
  await Promise.all([change(), look()])
  expect(Object.values(found[0] as object)).toEqual([1])
})

dporTest('what a step finds may be an array in one order and an object in another', async () => {
  const box: { kept: unknown } = { kept: JSON.parse('[]') }
  const change = async (): Promise<void> => {
    await null
    box.kept = JSON.parse('{}')
  }
  const add = async (): Promise<void> => {
    await null
    const { kept } = box
    if (Array.isArray(kept)) kept.push(1)
    else (kept as Record<string, number>)['one'] = 1
  }
  await Promise.all([change(), add()])
  expect(box.kept).toBeDefined()
})

dporTest('an array has entries and properties of its own', async () => {
  const list: number[] & { note?: string } = []
  const push = async (): Promise<void> => {
    await null
    list.push(1)
  }
  const note = async (): Promise<void> => {
    await null
    list.note = 'a'
  }
  await Promise.all([push(), note()])
  expect(Object.keys(list)).toEqual(['0', 'note'])
})

dporTest('what a step makes may be a Map in one order and parameters of an address in another', async () => {
  let isMap = true
  let made: Map<string, string> | URLSearchParams | undefined
  const change = async (): Promise<void> => {
    await null
    isMap = false
  }
  const make = async (): Promise<void> => {
    await null
    made = isMap ? new Map() : new URLSearchParams()
    if (made instanceof Map) made.set('a', '1')
    else made.append('a', '1')
  }
  await Promise.all([change(), make()])
  expect([...made!]).toEqual([['a', '1']])
})

dporTest('parameters of an address have entries and properties of their own', async () => {
  const parameters: URLSearchParams & { note?: string } = new URLSearchParams()
  const append = async (): Promise<void> => {
    await null
    parameters.append('a', '1')
  }
  const note = async (): Promise<void> => {
    await null
    parameters.note = 'b'
  }
  await Promise.all([append(), note()])
  expect([...parameters.keys(), ...Object.keys(parameters)]).toEqual(['a', 'note'])
})
