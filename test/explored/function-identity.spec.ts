import { describe, expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

type Listener = () => void

describe('functions are told apart by where they were made', () => {
  test.each<[string, () => Listener]>([
    ['arrow functions', () => () => {}],
    ['a function that has a name', () => {
      const listener = () => {}
      return listener
    }],
    ['a function that a variable gets later', () => {
      let listener: Listener
      listener = () => {}
      return listener
    }],
    ['a function that a variable of another function gets', () => {
      let listener: Listener | undefined
      const set = () => {
        listener = function () {}
      }
      set()
      return listener!
    }],
    ['classes', () => class {} as unknown as Listener],
    ['bound functions', () => Map.prototype.clear.bind(new Map())],
  ])('%s of two tasks in one Set: 1 class', async (_name, make) => {
    const result = await outcomes(async () => {
      const listeners = new Set<Listener>()
      const task = async () => {
        const listener = make()
        await null
        listeners.add(listener)
        await null
        return listeners.has(listener)
      }
      return Promise.all([task(), task()])
    })
    expect(result).toEqual({ seen: ['[true,true]'], executions: 1, verdict: 'holds' })
  })

  test('one function of two tasks: both orders', async () => {
    const result = await outcomes(async () => {
      const listeners = new Set<Listener>()
      const listener = () => {}
      const add = async () => {
        await null
        listeners.add(listener)
      }
      const look = async () => {
        await null
        return listeners.has(listener)
      }
      return (await Promise.all([add(), look()]))[1]
    })
    expect(result).toEqual({ seen: ['false', 'true'], executions: 2, verdict: 'holds' })
  })
})
