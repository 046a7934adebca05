import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Duplex } from 'node:stream'
import axios, { type InternalAxiosRequestConfig } from 'axios'
import express from 'express'
import { Hono } from 'hono'
import Redis from 'ioredis'
import { expect } from 'vitest'
import { race } from './race'

/** A shop with one left. */
function shop({ isRight }: { isRight: boolean }) {
  const stock = { left: 1 }
  const buy = async () => {
    if (isRight) await null
    if (stock.left === 0) return 'sold out'
    if (!isRight) await null
    stock.left--
    return 'sold'
  }
  return { stock, buy }
}

race('express', (use) => async () => {
  const { stock, buy } = shop(use)
  const app = express()
  app.post('/buy', async (_request, response) => void response.send(await buy()))
  const server = http.createServer(app)
  await new Promise<void>((resolve) => server.listen(0, () => resolve()))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/buy`
  const post = async () => (await fetch(url, { method: 'POST' })).text()
  await Promise.all([post(), post()])
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  expect(stock.left).toBe(0)
})

race('hono', (use) => async () => {
  const { stock, buy } = shop(use)
  const app = new Hono()
  app.post('/buy', async (context) => context.text(await buy()))
  const post = async () => (await app.request('/buy', { method: 'POST' })).text()
  await Promise.all([post(), post()])
  expect(stock.left).toBe(0)
})

race('axios', ({ isRight }) => async () => {
  let token = 'old'
  let refreshes = 0
  let pending: Promise<void> | undefined
  const adapter = async (config: InternalAxiosRequestConfig) => {
    await null
    const status = config.headers.get('Authorization') === 'new' ? 200 : 401
    const response = { data: '', status, statusText: '', headers: {}, config }
    if (status === 401) throw Object.assign(new Error('401'), { config, response })
    return response
  }
  const refresh = async () => {
    refreshes++
    await null
    token = 'new'
  }
  const client = axios.create({ adapter })
  client.interceptors.request.use((config) => {
    config.headers.set('Authorization', token)
    return config
  })
  client.interceptors.response.use(undefined, async (error: { config: InternalAxiosRequestConfig }) => {
    if (isRight) await (pending ??= refresh())
    else if (token === 'old') await refresh()
    return client.request(error.config)
  })
  await Promise.all([client.get('/a'), client.get('/b')])
  expect(refreshes).toBe(1)
})

/** A connection to a server that knows three commands. */
class Connection extends Duplex {
  readonly rows = new Map<string, string>()

  override _read() {}

  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    const lines = String(chunk).split('\r\n')
    for (let at = 0; at < lines.length - 1; ) {
      const count = Number(lines[at]!.slice(1))
      const args = Array.from({ length: count }, (_, i) => lines[at + 2 + 2 * i]!)
      at += 1 + 2 * count
      this.push(this.#answer(args))
    }
    done()
  }

  #answer([command, key = '', value = '']: readonly string[]): string {
    const found = this.rows.get(key)
    switch (command!.toLowerCase()) {
      case 'get':
        return found === undefined ? '$-1\r\n' : `$${found.length}\r\n${found}\r\n`
      case 'set':
        this.rows.set(key, value)
        return '+OK\r\n'
      case 'incr': {
        const next = Number(found ?? 0) + 1
        this.rows.set(key, String(next))
        return `:${next}\r\n`
      }
      default:
        return '+OK\r\n'
    }
  }

  setNoDelay() {}
  setKeepAlive() {}
  setTimeout() {
    return this
  }
}

race('ioredis', ({ isRight }) => async () => {
  const connection = new Connection()
  class Connector {
    connect() {
      return Promise.resolve(connection)
    }
    disconnect() {}
    check() {
      return true
    }
  }
  const redis = new Redis({ Connector: Connector as never, enableReadyCheck: false, lazyConnect: true })
  await redis.connect()
  const add = async () => {
    if (isRight) await redis.incr('n')
    else await redis.set('n', String(Number(await redis.get('n')) + 1))
  }
  await Promise.all([add(), add()])
  redis.disconnect()
  expect(connection.rows.get('n')).toBe('2')
})
