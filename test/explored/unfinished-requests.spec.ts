import http from 'node:http'
import { expect, test } from 'vitest'
import { explore, io } from 'vitest-dpor'
import { inAnotherProcess } from './uninstrumented/in-another-process.ts'

/** Answers with how many bytes it has got, once it has got all. */
const source = `require('node:http').createServer(async (request, response) => {
  let size = 0
  for await (const chunk of request) size += chunk.length
  response.end(String(size))
}).listen(0, function () { process.stdout.write(String(this.address().port)) })`

const other = inAnotherProcess(source)

const bytes = (): Uint8Array => new Uint8Array(2)

async function bySocket(): Promise<string> {
  const request = http.request({ port: other.port, method: 'POST', agent: false })
  const answered = new Promise<string>((done, fail) => request.on('error', fail).on('response', (response) => response.setEncoding('utf8').on('data', done)))
  request.write(bytes())
  await io(null)
  request.write(bytes())
  await io(null)
  request.end()
  return answered
}

async function byFetch(): Promise<string> {
  let left = 2
  const body = new ReadableStream({
    async pull(controller) {
      await io(null)
      if (left-- > 0) controller.enqueue(bytes())
      else controller.close()
    },
  })
  const response = await fetch(`http://localhost:${other.port}/`, { method: 'POST', body, duplex: 'half' } as RequestInit)
  return response.text()
}

// A server that waits for the rest of the body answers nobody who waits for its answer first.
test.each(Object.entries({ bySocket, byFetch }))('%s: nobody waits for the answer before the whole body is there', async (_, post) => {
  const { verdict, inconclusiveReason } = await explore(async () => expect(await post()).toBe('4'), { interleave: 'event-loop', maxTime: 4000 })
  expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'holds', inconclusiveReason: undefined })
})
