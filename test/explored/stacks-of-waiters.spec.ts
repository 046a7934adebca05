import { describe, expect, test } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { outcomes } from './uninstrumented/outcomes.ts'

/** Who waits for an async call is in the stack of an error that it makes after an `await`. */

async function late(): Promise<string> {
  // The platform takes over what a promise comes to in a job.
  for (let job = 0; job < 3; job++) await null
  return new Error('here').stack!
}

async function afterTimer(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 1))
  return new Error('here').stack!
}

const ways: Record<string, (promise: Promise<string>) => Promise<string>> = {
  'await': (promise) => promise,
  'catch': (promise) => promise.catch(() => ''),
  'finally': (promise) => promise.finally(() => {}),
  'return': async (promise) => promise,
  'resolve': (promise) => new Promise((resolve) => resolve(promise)),
  'then(resolve, reject)': (promise) => new Promise((resolve, reject) => void promise.then(resolve, reject)),
  'then(resolve, reject) and finally': (promise) => new Promise<string>((resolve, reject) => void promise.then(resolve, reject)).finally(() => {}),
  'then(resolve, reject), later': (promise) => {
    let settle!: [(value: string) => void, (error: unknown) => void]
    const made = new Promise<string>((...functions) => (settle = functions))
    void promise.then(...settle)
    return made
  },
}

async function waits(way: (promise: Promise<string>) => Promise<string>, ask: () => Promise<string>): Promise<string> {
  const stack = await way(ask())
  return stack
}

async function missing(): Promise<string[]> {
  const names: string[] = []
  for (const ask of [late, afterTimer]) {
    for (const [name, way] of Object.entries(ways)) if (!/waits/.test(await waits(way, ask))) names.push(`${ask.name}: ${name}`)
  }
  return names
}

test('outside an exploration', async () => {
  expect(await missing()).toEqual([])
})

dporTest('where a step is an event', { interleave: 'event-loop' }, async () => {
  expect(await missing()).toEqual([])
})

describe('who settles a promise first, where one does by then(resolve, reject)', () => {
  const first = (asks: () => Promise<string>) => outcomes(async () => {
    let settle!: [(value: string) => void, (error: unknown) => void]
    const made = new Promise<string>((...functions) => (settle = functions))
    const other = asks().then((value) => settle[0](`other ${value}`))
    const one = asks().then((value) => value)
    void (async () => await one)().then(...settle)
    return [await made.catch((error: unknown) => error), await other]
  }, { interleave: 'event-loop' })

  test('both orders are seen', async () => {
    expect((await first(async () => { await null; return 'a' })).seen).toEqual(['["a",null]', '["other a",null]'])
  })

  test('and by rejecting', async () => {
    const found = await outcomes(async () => {
      const fails = async () => { await null; throw 'b' }
      const answers = async () => { await null; return 'a' }
      return [await new Promise((resolve, reject) => {
        void fails().then(resolve, reject)
        void answers().then(resolve, reject)
      }).catch((error: unknown) => error)]
    }, { interleave: 'event-loop' })
    expect(found.seen).toEqual(['["a"]', '["b"]'])
  })
})
