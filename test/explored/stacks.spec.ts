import { expect, test } from 'vitest'
import { dporTest } from 'vitest-dpor'

class Reader {
  get value(): string {
    return stackHere()
  }
  read(ask: () => string): string {
    return [1].map(() => ask())[0]!
  }
}

function stackHere(): string {
  return new Error('here').stack!
}

function deep(depth: number): string {
  return depth === 0 ? stackHere() : [0].map(() => deep(depth - 1))[0]!
}

/** Each line by what it says of who runs, and whose file it is in: not by its place. */
const frames = (stack: string): string[] =>
  stack.split('\n').slice(1).map((line) => line.trim().replace(/\(?(?:file:\/\/)?\/.*?([^/]+):\d+:\d+\)?$/, '$1')).filter((line) => !/node:|async /.test(line))

const read = async (): Promise<Record<string, string[]>> => {
  const reader = new Reader()
  await null
  const nested = reader.read(() => reader.value)
  const reaction = await Promise.resolve().then(() => stackHere())
  const timer = await new Promise<string>((resolve) => setTimeout(() => resolve(stackHere()), 1))
  const proxy = new Proxy({} as { key: string }, { get: () => stackHere() })
  const trap = proxy.key
  const text = JSON.parse(JSON.stringify({ toJSON: () => stackHere() })) as string
  return { nested: frames(nested), reaction: frames(reaction).slice(0, 2), trap: frames(trap).slice(0, 3), text: frames(text).slice(0, 4), timer: frames(timer).slice(0, 1) }
}

const expected = {
  nested: ['at stackHere stacks.spec.ts', 'at Reader.get value [as value] stacks.spec.ts', 'at stacks.spec.ts', 'at stacks.spec.ts', 'at Array.map (<anonymous>)', 'at Reader.read stacks.spec.ts', 'at read stacks.spec.ts'],
  reaction: ['at stackHere stacks.spec.ts', 'at stacks.spec.ts'],
  trap: ['at stackHere stacks.spec.ts', 'at Object.get stacks.spec.ts', 'at read stacks.spec.ts'],
  text: ['at stackHere stacks.spec.ts', 'at Object.toJSON stacks.spec.ts', 'at JSON.stringify (<anonymous>)', 'at read stacks.spec.ts'],
  timer: ['at stackHere stacks.spec.ts'],
}

test('outside an exploration nothing of the runtime stands between frames', async () => {
  expect(await read()).toEqual(expected)
})

dporTest('nor inside one', async () => {
  expect(await read()).toEqual(expected)
})

dporTest('as many frames are shown as the limit says', async () => {
  await null
  const stack = deep(12)
  expect(stack.split('\n')).toHaveLength(11)
  expect(stack.match(/at deep/g)).toHaveLength(3)
})

test('the limit is as it was', () => {
  expect(Error.stackTraceLimit).toBe(10)
})
