import bcrypt from 'bcrypt'
import { expect } from 'vitest'
import { race } from './race'

race('bcrypt', ({ isRight }) => async () => {
  const hashes = new Map<string, string | undefined>()
  const register = async (name: string) => {
    if (hashes.has(name)) return false
    if (isRight) hashes.set(name, undefined)
    hashes.set(name, await bcrypt.hash('secret', 4))
    return true
  }
  const answers = await Promise.all([register('ann'), register('ann')])
  expect(answers.filter(Boolean)).toHaveLength(1)
  expect(await bcrypt.compare('secret', hashes.get('ann')!)).toBe(true)
})

// The native code calls back outside of any step.
race('bcrypt by callback', ({ isRight }) => async () => {
  const done: number[] = []
  await new Promise<void>((resolve) => {
    const hash = (rounds: number): void => {
      bcrypt.hash('secret', rounds, () => {
        done.push(rounds)
        if (done.length === 2) resolve()
      })
    }
    hash(4)
    hash(6)
  })
  expect(isRight ? done.toSorted() : done).toEqual([4, 6])
})
