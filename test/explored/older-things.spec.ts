import { fork, spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { createSocket, type Socket as DatagramSocket } from 'node:dgram'
import { once } from 'node:events'
import { rmSync, mkdtempSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore, io } from 'vitest-dpor'
import { outcomes } from './uninstrumented/outcomes.ts'

const delay = 60
const echoes = `
const { createServer } = require('node:net')
const late = (answer) => setTimeout(answer, ${delay})
const tcp = createServer((socket) => socket.on('error', () => {}).on('data', (data) => late(() => socket.write(data)))).listen(0, '127.0.0.1')
const udp = require('node:dgram').createSocket('udp4').on('message', (data, { port, address }) => late(() => udp.send(data, port, address)))
const web = require('node:http').createServer((request, response) => late(() => response.end('pong'))).listen(0, '127.0.0.1')
udp.bind(0, '127.0.0.1', () => setTimeout(() => console.log(JSON.stringify([tcp, udp, web].map((open) => open.address().port))), 100))`

const folder = mkdtempSync(join(tmpdir(), 'older-things-'))
let [count, heard]: [number, (answer: string) => void] = [0, () => {}]
let worker: Worker, child: ChildProcess, pipes: ChildProcessWithoutNullStreams, others: ChildProcessWithoutNullStreams
let [socket, datagrams]: [Socket | undefined, DatagramSocket | undefined] = [undefined, undefined]
let [datagramPort, webPort] = [0, 0]

const answer = (data: unknown): void => {
  count++
  heard(String(data))
}

beforeAll(async () => {
  worker = new Worker(`const { parentPort } = require('node:worker_threads'); parentPort.on('message', (data) => setTimeout(() => parentPort.postMessage(data), ${delay}))`, { eval: true })
  worker.on('message', answer)
  writeFileSync(join(folder, 'child.cjs'), `process.on('message', (data) => setTimeout(() => process.send(data), ${delay}))`)
  child = fork(join(folder, 'child.cjs'))
  child.on('message', answer)
  pipes = spawn(process.execPath, ['-e', `process.stdin.on('data', (data) => setTimeout(() => process.stdout.write(data), ${delay}))`])
  pipes.stdout.on('data', answer)
  others = spawn(process.execPath, ['-e', echoes])
  const [line] = (await once(createInterface({ input: others.stdout }), 'line')) as [string]
  const [port, ofDatagrams, ofWeb] = JSON.parse(line) as [number, number, number]
  ;[datagramPort, webPort] = [ofDatagrams, ofWeb]
  socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('data', answer)
  datagrams = createSocket('udp4')
  datagrams.bind(0, '127.0.0.1')
  await once(datagrams, 'listening')
  datagrams.on('message', answer)
})

afterAll(async () => {
  socket?.destroy()
  datagrams?.close()
  for (const process of [child, pipes, others]) process.kill()
  await worker.terminate()
  rmSync(folder, { recursive: true })
})

const asks: readonly (readonly [string, () => void])[] = [
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  ['a thread', () => worker.postMessage('a')],
  ['a process, by messages', () => void child.send('a')],
  ['a process, by its pipes', () => void pipes.stdin.write('a')],
  ['a connection to another process', () => void socket!.write('a')],
  ['datagrams', () => datagrams!.send('a', datagramPort, '127.0.0.1')],
]

const asked = (send: () => void): Promise<string> =>
  new Promise((resolve) => {
    heard = resolve
    send()
  })

describe.each(['await', 'event-loop'] as const)("what beforeAll has opened answers a body, by '%s'", (interleave) => {
  // The first exploration that meets a thing is one of these.
  test.each(asks)('%s, whose listener is a step among others', async (_, send) => {
    const body = async (): Promise<number> => {
      count = 0
      const answered = asked(send)
      const own = async (): Promise<void> => {
        const before = count
        await io(null)
        count = before + 1
      }
      await Promise.all([answered, own()])
      return count
    }
    expect(await outcomes(body, { interleave })).toMatchObject({ verdict: 'holds', seen: ['1', '2'] })
  })

  test.each(asks)('%s', async (_, send) => {
    const found = await explore(async () => {
      expect([await asked(send), await asked(send)]).toEqual(['a', 'a'])
    }, { interleave })
    expect(found).toMatchObject({ verdict: 'holds', executions: 1 })
  })

  test('a web server in another process, as the first that is asked', async () => {
    const found = await explore(async () => {
      expect(await (await fetch(`http://127.0.0.1:${webPort}`)).text()).toBe('pong')
    }, { interleave })
    expect(found).toMatchObject({ verdict: 'holds', executions: 1 })
  })
})
