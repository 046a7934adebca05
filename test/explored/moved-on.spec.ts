import { describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

interface Source {
  next(): IteratorResult<string> | Promise<IteratorResult<string>>
}

function* values() {
  yield 'value'
}

async function* awaited() {
  await null
  yield 'value'
}

/** Of how far it has come nothing can be put back: what later executions find is not what the first one did. */
describe.each(['await', 'event-loop'] as const)('what is older than the test and can be gone through once (%s)', (interleave) => {
  const sources: Record<string, Source> = { 'a generator': values(), 'an async generator': awaited(), 'an iterator of a Map': new Map([['value', 1]]).keys() }

  test.each(Object.keys(sources))('%s: not what it has left is what fails', async (name) => {
    const { verdict, inconclusiveReason } = await explore(
      async () => {
        const log: number[] = []
        await Promise.all([1, 2].map(async (n) => {
          await null
          log.push(n)
        }))
        const { value } = await sources[name]!.next()
        expect(value).toBe('value')
        expect(log).toHaveLength(2)
      },
      { interleave },
    )
    expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'inconclusive', inconclusiveReason: expect.stringMatching(/an iterator, or a generator, that is older than the test|older than the test could not be undone: the state of a generator/) })
  })

  test('one of the body is another one each time', async () => {
    const { verdict } = await explore(
      async () => {
        const own = [values(), awaited()]
        await Promise.all(own.map(async (source) => {
          await null
          expect((await source.next()).value).toBe('value')
        }))
      },
      { interleave },
    )
    expect(verdict).toBe('holds')
  })
})

/** What waits in it nobody can put back either. */
describe.each(['await', 'event-loop'] as const)('a stream of the web that is older than the test (%s)', (interleave) => {
  const reader = new ReadableStream<number>({ start: (controller) => [1, 2, 3].forEach((value) => controller.enqueue(value)) }).getReader()
  const writer = new WritableStream<number>().getWriter()
  const stream = new ReadableStream<number>()
  const bodies: Record<string, () => unknown> = {
    'that something is taken from': () => reader.read(),
    'that somebody writes to': () => writer.write(1),
    'that somebody cancels': () => stream.cancel(),
  }

  test.each(Object.keys(bodies))('%s: there is one execution', async (name) => {
    const counted = { count: 0 }
    const { verdict, executions, inconclusiveReason } = await explore(
      async () => {
        await bodies[name]!()
        await Promise.all([1, 2].map(async () => (await null, counted.count++)))
      },
      { interleave },
    )
    expect({ verdict, executions, inconclusiveReason }).toEqual({ verdict: 'inconclusive', executions: 1, inconclusiveReason: expect.stringMatching(/could not be undone: the state of a (?:Readable|Writable)Stream/) })
  })

  test('one of the body is another one each time', async () => {
    const { verdict } = await explore(
      async () => {
        const own = new ReadableStream<number>({ start: (given) => given.enqueue(1) })
        const { readable, writable } = new TransformStream<number, number>()
        const writing = writable.getWriter().write(2)
        const read = await Promise.all([own.getReader().read(), readable.getReader().read(), writing])
        expect(read.slice(0, 2).map((part) => part?.value)).toEqual([1, 2])
      },
      { interleave },
    )
    expect(verdict).toBe('holds')
  })
})
