import http from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import Koa from 'koa'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { race } from './race'

/** Servers that run while all tests of a file do, as most test suites have them. */

const stock = { left: 1 }

async function buy(): Promise<string> {
  await null
  if (stock.left === 0) return 'sold out'
  await null
  stock.left--
  return 'sold'
}

async function buyAtOnce(): Promise<string> {
  await null
  if (stock.left === 0) return 'sold out'
  stock.left--
  await null
  return 'sold'
}

const handlers: Readonly<Record<string, () => Promise<string>>> = { '/buy': buy, '/at-once': buyAtOnce }

const servers: Readonly<Record<string, () => http.Server | Promise<http.Server>>> = {
  'express from beforeAll'() {
    const app = express()
    app.post('/:name', async (request, response) => void response.send(await handlers[request.path]!()))
    return http.createServer(app)
  },
  async fastify() {
    const app = fastify()
    for (const [path, handler] of Object.entries(handlers)) app.post(path, handler)
    await app.ready()
    return app.server
  },
  koa() {
    const app = new Koa()
    app.use(async (context) => {
      context.body = await handlers[context.path]!()
    })
    return http.createServer(app.callback())
  },
}

describe.each(Object.entries(servers))('%s', (name, make) => {
  let server: http.Server
  beforeAll(async () => {
    server = await make()
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  }))
  beforeEach(() => {
    stock.left = 1
  })

  race(name, ({ isRight }) => async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${isRight ? '/at-once' : '/buy'}`
    const post = async () => (await fetch(url, { method: 'POST' })).text()
    const answers = await Promise.all([post(), post()])
    expect(answers.toSorted()).toEqual(['sold', 'sold out'])
  })
})
