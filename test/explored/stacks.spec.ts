import { readFileSync } from 'node:fs'
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

/** What makes nothing is rewritten as a whole. */
class Point {
  x = 1
  y = 2
  readonly stack: string

  constructor(by: number) {
    this.x += by
    this.y += by
    if (this.x > this.y) this.x = this.y
    this.stack = stackHere()
  }
  static of(point: Point): string {
    point.x += point.y
    point.y += point.x
    point.x -= point.y
    return stackHere()
  }
  set moved(log: string[]) {
    this.x++
    this.y--
    if (this.x > this.y) this.x = this.y
    log.push(stackHere())
  }
}

const moved = (point: Point): string => {
  point.x += point.y
  point.y += point.x
  point.x -= point.y
  return Point.of(point)
}

function whole(): string[][] {
  const point = new Point(1)
  const log: string[] = []
  point.moved = log
  return [point.stack, ...log, moved(point)].map((stack) => frames(stack).slice(0, frames(stack).findIndex((line) => line.startsWith('at whole ')) + 1))
}

function stackHere(): string {
  return new Error('here').stack!
}

function deep(depth: number): string {
  return depth === 0 ? stackHere() : [0].map(() => deep(depth - 1))[0]!
}

/** Each line by what it says of who runs, and whose file it is in: not by its place. What a static method belongs to newer versions of V8 name. */
const frames = (stack: string): string[] =>
  stack.split('\n').slice(1).map((line) => line.trim().replace(/\(?(?:file:\/\/)?\/.*?([^/]+):\d+:\d+\)?$/, '$1').replace('Function.of', 'Point.of')).filter((line) => !/node:|async /.test(line))

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

const wholes = [
  ['at stackHere stacks.spec.ts', 'at new Point stacks.spec.ts', 'at whole stacks.spec.ts'],
  ['at stackHere stacks.spec.ts', 'at Point.set moved [as moved] stacks.spec.ts', 'at whole stacks.spec.ts'],
  ['at stackHere stacks.spec.ts', 'at Point.of stacks.spec.ts', 'at moved stacks.spec.ts', 'at whole stacks.spec.ts'],
]

test('outside an exploration nothing of the runtime stands between frames', async () => {
  expect(await read()).toEqual(expected)
})

dporTest('nor inside one', async () => {
  expect(await read()).toEqual(expected)
})

test('a function that is rewritten as a whole has one frame outside', () => {
  expect(whole()).toEqual(wholes)
})

dporTest('and one inside, whose place is that of what it does', async () => {
  await null
  expect(whole()).toEqual(wholes)
  expect(Number(/moved .*:(\d+):\d+/.exec(moved(new Point(1)))![1])).toBe(1 + readFileSync(import.meta.filename, 'utf8').split('\n').indexOf('  return Point.of(point)'))
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

/** Errors that the program has the platform make. */
const made = (): string[] => {
  const classOfErrors = [Error][0]!
  class OwnError extends Error {}
  return [Error('called'), new classOfErrors('made'), new OwnError('own'), Reflect.construct(Error, ['constructed']) as Error].map(({ stack }) => frames(stack!)[0]!)
}

dporTest('the stack of an error that the platform is asked for begins with the code that asks', async () => {
  await null
  for (const first of made()) expect(first).toMatch(/stacks\.spec\.ts$/)
})

const fetchNumber = async (): Promise<string> => {
  const stack =
    stackHere()
  await null
  return stack
}
const asked = {
  async number(): Promise<string> { return await fetchNumber() },
}

/** Who called, and in which line the call of the function stands. */
const called = async (): Promise<unknown[]> => {
  const stack = await asked.number()
  const lines = readFileSync(import.meta.filename, 'utf8').split('\n')
  return [frames(stack).slice(0, 4), Number(/fetchNumber .*:(\d+):\d+/.exec(stack)![1]) - lines.lastIndexOf('    stackHere()')]
}
const callers = [['at stackHere stacks.spec.ts', 'at fetchNumber stacks.spec.ts', 'at Object.number stacks.spec.ts', 'at called stacks.spec.ts'], 1]

test('an async function has one frame before it awaits something, whose place is that of what it does', async () => {
  expect(await called()).toEqual(callers)
})

dporTest('and the same inside an exploration', async () => {
  expect(await called()).toEqual(callers)
})
