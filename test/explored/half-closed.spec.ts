import { execFile } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { describe, expect } from 'vitest'
import { dporTest } from 'vitest-dpor'

const listening = async <T extends Server>(server: T): Promise<T> => {
  await new Promise<void>((resolve) => void server.listen(0, resolve))
  return server
}

/** What a client is sent who has said all that it is going to say at once. */
const answerTo = (server: Server, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = ''
    connect((server.address() as AddressInfo).port)
      .on('data', (chunk) => void (answer += String(chunk)))
      .on('close', () => resolve(answer))
      .on('error', reject)
      .end(text)
  })

const runs = (): Promise<unknown> => new Promise((resolve) => void execFile(process.execPath, ['--version'], resolve))

const closed = (server: Server): Promise<unknown> => new Promise((resolve) => void server.close(resolve))

const whole: RequestListener = (request, response) => {
  let body = ''
  request.on('data', (chunk) => void (body += String(chunk))).on('end', () => response.end(`got ${body}`))
}

describe.each(['event-loop', 'await'] as const)('a client that ends its side of the connection at once (%s)', (interleave) => {
  dporTest('has its responses', { interleave }, async () => {
    const aborted: unknown[] = []
    const server = await listening(createServer((request, response) => {
      request.on('aborted', () => aborted.push(request.url))
      response.end(`for ${request.url}`)
    }))
    const answer = await answerTo(server, 'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n')
    await closed(server)
    expect(answer).toMatch(/for \/1[^]*for \/2/)
    expect(aborted).toEqual([])
  })

  dporTest('has the response to what comes in parts', { interleave }, async () => {
    const server = await listening(createServer(whole))
    const answer = await answerTo(server, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody')
    await closed(server)
    expect(answer).toContain('got body')
  })

  dporTest('has its answer where something else takes longer', { interleave }, async () => {
    const server = await listening(createTcpServer((socket) => void socket.on('data', (chunk) => socket.write(`echo ${String(chunk)}`))))
    const [answer, other] = await Promise.all([answerTo(server, 'a'), answerTo(server, 'b'), runs()])
    await closed(server)
    expect([answer, other]).toEqual(['echo a', 'echo b'])
  })
})
