import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net'
import { describe, expect } from 'vitest'
import { dporTest } from 'vitest-dpor'

async function listening(listener: RequestListener): Promise<Server> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, resolve))
  return server
}

const portOf = (server: TcpServer): number => (server.address() as AddressInfo).port

const closed = (server: TcpServer): Promise<unknown> => new Promise((resolve) => void server.close(resolve))

const cutShort: RequestListener = (_, response) => {
  response.writeHead(200, { 'transfer-encoding': 'chunked' })
  response.write('a')
  setTimeout(() => response.destroy(), 20)
}

/** Node listens to sockets itself; whom the program has put before that is told first. */
describe.each(['event-loop', 'await'] as const)('a listener that is put before those of Node (%s)', (interleave) => {
  dporTest('finds what Node has yet to do when a connection is closed', { interleave }, async () => {
    const server = await listening(cutShort)
    const log: string[] = []
    await new Promise<void>((done) => {
      let response: IncomingMessage | undefined
      const request = get({ port: portOf(server), agent: false }, (answer) => {
        response = answer
        answer.on('error', ({ message }) => log.push(`error ${message}`)).on('aborted', () => log.push('aborted')).on('close', done).resume()
      })
      request.on('socket', (socket) => {
        socket.prependListener('close', () => log.push(`first: ${response?.destroyed ? 'destroyed' : 'whole'}`))
        socket.on('close', () => log.push(`last: ${response?.destroyed ? 'destroyed' : 'whole'}`))
      })
    })
    await closed(server)
    expect(log).toEqual(['first: whole', 'aborted', 'last: destroyed', 'error aborted'])
  })

  dporTest('finds no response yet when the first data come', { interleave }, async () => {
    const server = await listening((_, response) => void response.end('ok'))
    const log: string[] = []
    await new Promise<void>((done) => {
      const request = get({ port: portOf(server), agent: false }, (response) => {
        log.push('response')
        response.on('data', (chunk) => log.push(String(chunk))).on('close', done)
      })
      request.on('socket', (socket) => void socket.prependOnceListener('data', () => log.push(`data, ${request.writableEnded}, ${'res' in request && request.res !== null}`)))
    })
    await closed(server)
    expect(log).toEqual(['data, true, false', 'response', 'ok'])
  })

  dporTest('is told of a connection before the server is', { interleave }, async () => {
    const log: string[] = []
    const server = await listening((request, response) => {
      log.push(`request ${request.url}`)
      response.end('ok')
    })
    server.prependListener('connection', () => log.push('connection'))
    const answer = await new Promise<string>((resolve) => {
      get({ port: portOf(server), agent: false, path: '/a' }, (response) => void response.on('data', (chunk) => resolve(String(chunk))))
    })
    await closed(server)
    expect([...log, answer]).toEqual(['connection', 'request /a', 'ok'])
  })

  dporTest('does not take away in one emission who is still to be told of it', { interleave }, async () => {
    const log: string[] = []
    const server = createTcpServer((socket) => void socket.end('a'))
    await new Promise<void>((resolve) => void server.listen(0, resolve))
    await new Promise<void>((done) => {
      const socket = connect(portOf(server))
      const last = (): void => void log.push('last')
      socket.on('data', () => {
        log.push('first')
        socket.off('data', last)
      })
      socket.on('data', last).on('close', done).end()
    })
    await closed(server)
    expect(log).toEqual(['first', 'last'])
  })
})
