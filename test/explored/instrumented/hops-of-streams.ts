import { once } from 'node:events'
import { PassThrough, Readable, Transform, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { finished, pipeline } from 'node:stream/promises'

type Note = (what: unknown) => void

const pulled = (...values: readonly unknown[]) => {
  const left = [...values]
  return new ReadableStream<unknown>({
    async pull(controller) {
      await null
      controller.enqueue(left.shift())
      if (left.length === 0) controller.close()
    },
  })
}
const given = (...values: readonly unknown[]) => new ReadableStream<unknown>({ start: (controller) => (values.forEach((value) => controller.enqueue(value)), controller.close()) })

async function noteEach(values: AsyncIterable<unknown>, note: Note): Promise<void> {
  for await (const value of values) note(value)
  note('end')
}

/** What notes how far it is, while something else counts microtasks. */
export const bodies: Readonly<Record<string, (note: Note) => Promise<unknown>>> = {
  'a reader': async (note) => {
    const reader = pulled('a').getReader()
    note((await reader.read()).value)
    note((await reader.read()).done)
  },
  'for await of what is pulled': (note) => noteEach(pulled('a', 'b'), note),
  'for await of what is there': (note) => noteEach(given('a', 'b'), note),
  'for await that is left': async (note) => {
    for await (const value of given('a', 'b')) {
      note(value)
      break
    }
    note('end')
  },
  'for await of what fails': async (note) => {
    try {
      await noteEach(new ReadableStream({ pull: async () => Promise.reject(new Error('pulled')) }), note)
    } catch {
      note('failed')
    }
  },
  'two branches': async (note) => {
    const [left, right] = pulled('a', 'b').tee()
    await Promise.all([noteEach(left, note), noteEach(right, note)])
  },
  'a pipe': (note) => noteEach(given('a').pipeThrough(new TransformStream({ transform: async (value, controller) => controller.enqueue(await value) })), note),
  'bytes that are decoded': (note) => noteEach(given(new Uint8Array([65])).pipeThrough(new TextDecoderStream() as never), note),
  'the body of a response': async (note) => note(await new Response('text').text()),
  'the body of a copy': async (note) => note(await new Response('text').clone().text()),
  'the body of a request': async (note) => note(await new Request('http://localhost/', { method: 'POST', body: '{"a":1}' }).json()),
  'an answer as JSON': async (note) => note(await Response.json({ a: 1 }).json()),
  'a body of what is pulled': async (note) => note(await new Response(pulled(new Uint8Array([65])) as ReadableStream<Uint8Array>).text()),
  "for await of a stream of Node's": (note) => noteEach(Readable.from(['a', 'b']), note),
  'for await of what is written': async (note) => {
    const stream = new PassThrough({ objectMode: true })
    void Promise.resolve().then(() => stream.end('a'))
    await noteEach(stream, note)
  },
  "for await that leaves a stream of Node's": async (note) => {
    for await (const value of Readable.from(['a', 'b'])) {
      note(value)
      break
    }
    note('end')
  },
  'a pipeline': async (note) => {
    await pipeline(Readable.from([1, 2]), new Transform({ objectMode: true, transform: (value, _, done) => void Promise.resolve().then(() => done(null, value)) }), new Writable({ objectMode: true, write: (value, _, done) => (note(value), done()) }))
    note('end')
  },
  'the end of a stream': async (note) => {
    const stream = new PassThrough()
    stream.resume()
    void Promise.resolve().then(() => stream.end())
    await finished(stream)
    note('end')
  },
  'all of a stream': async (note) => {
    const stream = new PassThrough()
    void Promise.resolve().then(() => stream.end('a'))
    note(await text(stream))
  },
  'what is emitted once': async (note) => {
    const stream = new PassThrough()
    void Promise.resolve().then(() => stream.destroy())
    await once(stream, 'close')
    note('closed')
  },
  'no body': async (note) => note(await new Response().text()),
}

/** Its notes, each with the number of microtasks that have run. */
export async function logOf(body: (note: Note) => Promise<unknown>): Promise<string> {
  const log: string[] = []
  const counting = { ticks: 0, isOver: false }
  const count = async () => {
    while (!counting.isOver && counting.ticks < 100) {
      await null
      counting.ticks++
    }
  }
  const counted = count()
  await body((what) => log.push(`${JSON.stringify(what)} after ${counting.ticks}`))
  counting.isOver = true
  await counted
  return log.join(', ')
}
