import { PassThrough, Readable, Writable, pipeline } from 'node:stream'
import { expect, test } from 'vitest'
import { explore, type Tasks } from 'vitest-dpor'
import { outcomesOf } from './uninstrumented/task-outcomes.ts'

type Pair = readonly [name: string, subject: Tasks, results: readonly unknown[][]]

const readable = () => new Readable({ read() {}, objectMode: true })
const piped = () => {
  const from = readable()
  const to = new PassThrough({ objectMode: true })
  from.pipe(to)
  return { from, to }
}
const web = () => {
  let controller!: ReadableStreamDefaultController<string>
  const stream = new ReadableStream<string>({ start: (given) => void (controller = given) })
  return { stream, controller }
}

/** One that waits to be told that a write is done. */
const writing = () => {
  let done!: () => void
  const stream = new Writable({ write: (_chunk, _encoding, end) => void (done = end), objectMode: true })
  stream.write('x')
  return { stream, done: () => done() }
}

/** Two tasks that do not commute: both orders are explored, and what they show. */
const pairs: readonly Pair[] = [
  ['push and read', { setup: readable, tasks: [async (s) => void s.push('x'), async (s) => s.read()] }, [[null, null], [null, 'x']]],
  ['push and readableLength', { setup: readable, tasks: [async (s) => void s.push('x'), async (s) => s.readableLength] }, [[null, 0], [null, 1]]],
  ['destroy and destroyed', { setup: readable, tasks: [async (s) => void s.destroy(), async (s) => s.destroyed] }, [[null, false], [null, true]]],
  ['end and writableEnded', { setup: () => new Writable({ write() {} }), tasks: [async (s) => void s.end(), async (s) => s.writableEnded] }, [[null, false], [null, true]]],
  ['write and writableLength', { setup: () => new Writable({ write() {}, objectMode: true }), tasks: [async (s) => void s.write('x'), async (s) => s.writableLength] }, [[null, 0], [null, 1]]],
  ['a write that is done and writableLength', { setup: writing, tasks: [async (s) => void s.done(), async (s) => s.stream.writableLength] }, [[null, 0], [null, 1]]],
  ['on and listenerCount', { setup: readable, tasks: [async (s) => void s.on('data', () => {}), async (s) => s.listenerCount('data')] }, [[null, 0], [null, 1]]],
  ['a stream is piped: push into the one, and a look at the other', { setup: piped, tasks: [async (s) => void s.from.push('x'), async (s) => s.to.readableLength] }, [[null, 0], [null, 1]]],
  ['a pipeline: push into the one, and a look at the other', { setup: () => { const [from, to] = [readable(), new PassThrough({ objectMode: true })]; pipeline(from, to, () => {}); return { from, to } }, tasks: [async (s) => void s.from.push('x'), async (s) => s.to.readableLength] }, [[null, 0], [null, 1]]],
  // Of the web
  ['getReader and locked', { setup: web, tasks: [async (s) => void s.stream.getReader(), async (s) => s.stream.locked] }, [[null, false], [null, true]]],
  ['releaseLock and locked', { setup: () => { const s = web(); return { ...s, reader: s.stream.getReader() } }, tasks: [async (s) => s.reader.releaseLock(), async (s) => s.stream.locked] }, [[null, false], [null, true]]],
  ['enqueue and desiredSize', { setup: web, tasks: [async (s) => s.controller.enqueue('x'), async (s) => s.controller.desiredSize] }, [[null, 0], [null, 1]]],
  ['getReader twice', { setup: web, tasks: [0, 1].map((n) => async (s: { stream: ReadableStream }) => { try { s.stream.getReader(); return n } catch { return 'locked' } }) }, [[0, 'locked'], ['locked', 1]]],
  ['getWriter and locked', { setup: () => new WritableStream(), tasks: [async (s) => void s.getWriter(), async (s) => s.locked] }, [[null, false], [null, true]]],
  ['tee and locked', { setup: web, tasks: [async (s) => void s.stream.tee(), async (s) => s.stream.locked] }, [[null, false], [null, true]]],
]

test.each(pairs)('%s: 2 executions', async (_name, subject, results) => {
  const expected = results.map((result) => JSON.stringify(result)).toSorted()
  expect(await outcomesOf(subject)).toEqual({ verdict: 'holds', executions: 2, outcomes: expected })
})

/** Two tasks that commute: one order is enough. */
const disjoint: Record<string, Tasks> = {
  'streams of their own': { tasks: [0, 1].map(() => async () => { const s = readable(); s.push('x'); return s.read() as unknown }) },
  'streams of the web of their own': { tasks: [0, 1].map(() => async () => new ReadableStream({ start(c) { c.enqueue(1) } }).locked) },
  'two looks at a stream': { setup: readable, tasks: [async (s) => s.readableLength, async (s) => s.destroyed] },
}

test.each(Object.entries(disjoint))('%s: 1 execution', async (_name, subject) => {
  expect(await explore(subject, { stopOnFirst: false })).toMatchObject({ verdict: 'holds', executions: 1 })
})

test('what two streams of their own write is no race', async () => {
  class Lines extends Writable {
    readonly #lines: string[] = []
    override _write(chunk: Buffer, _encoding: string, done: () => void): void {
      this.#lines.push(String(chunk))
      done()
    }
  }
  const writeTo = async (stream: Writable): Promise<void> => {
    for (const text of ['a', 'b']) {
      await null
      stream.write(text)
    }
  }
  const { executions, opaque } = await explore(() => Promise.all([new Lines(), new Lines()].map(writeTo)))
  expect({ executions, opaque }).toEqual({ executions: 1, opaque: [] })
  const shared = await explore(async () => {
    const lines = new Lines()
    await Promise.all([writeTo(lines), writeTo(lines)])
  })
  expect(shared.executions).toBe(6)
})

test('two reads of one reader take turns', async () => {
  const { outcomes, verdict } = await outcomesOf({
    setup: () => new ReadableStream<string>({ start: (c) => ['a', 'b'].forEach((chunk) => c.enqueue(chunk)) }).getReader(),
    tasks: [0, 1].map(() => async (reader: ReadableStreamDefaultReader<string>) => (await reader.read()).value),
  })
  expect({ outcomes, verdict }).toEqual({ outcomes: ['["a","b"]', '["b","a"]'], verdict: 'holds' })
})

test('chunks stand somewhere else in the memory of the platform each time', async () => {
  const { verdict, failures } = await explore(async () => {
    const seen: string[] = []
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        seen.push(String(chunk), chunk.subarray(1).toString())
        done()
      },
    })
    const send = async (text: string) => {
      await null
      await new Promise((resolve) => stream.write(text, resolve))
    }
    await Promise.all([send('ab'), send('cd')])
    expect(seen.toSorted()).toEqual(['ab', 'b', 'cd', 'd'])
  })
  expect({ verdict, failures }).toEqual({ verdict: 'holds', failures: [] })
})

test('a stream that is older is as it was where nothing waits in it, and is not put back otherwise', async () => {
  const stream = new PassThrough()
  const pass = (text: string): string => {
    stream.write(text)
    return String(stream.read())
  }
  // Its flags are those of one that has been written to.
  pass('before')
  await new Promise(setImmediate)
  expect(await explore(async () => expect(pass('a')).toBe('a'))).toMatchObject({ verdict: 'holds' })
  const left = await explore(async () => {
    pass('a')
    stream.write('rest')
  })
  expect(left).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('the state of a PassThrough') })
})

/** A stream of bytes: three, one at a time, into what a reader brings along. */
const bytes = () => {
  let count = 0
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const view = controller.byobRequest?.view as Uint8Array | undefined
      count++
      if (view) view[0] = count
      if (view) controller.byobRequest!.respond(1)
      else controller.enqueue(new Uint8Array([count]))
    },
  })
}

test.each(['await', 'event-loop'] as const)("buffers that the platform makes while a reader hands over its own are of the execution, with interleave: '%s'", async (interleave) => {
  const { verdict, inconclusiveReason } = await explore(async () => {
    const reader = bytes().getReader({ mode: 'byob' })
    for (let i = 1; i < 3; i++) expect([...(await reader.read(new Uint8Array(4))).value!]).toEqual([i])
  }, { interleave })
  expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'holds', inconclusiveReason: undefined })
})

test('bytes of before that a reader hands over are not put back', async () => {
  const older = new Uint8Array(4)
  const { verdict, inconclusiveReason } = await explore(async () => {
    await bytes().getReader({ mode: 'byob' }).read(older)
  })
  expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('of an ArrayBuffer') as string })
})
