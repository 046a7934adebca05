import { expect, test } from 'vitest'
import { project, run } from './project.ts'

const spec = `
import { expect, test, vi } from 'vitest'
const answer = vi.fn(async (n: number) => n)

test('puts a clock up', async () => {
  vi.useFakeTimers({ now: 1000 })
  setTimeout(() => answer(7), 5000)
  await Promise.all([answer(1), answer(2)])
  await vi.advanceTimersByTimeAsync(100)
})
test('goes on by it', async () => {
  expect(vi.isFakeTimers()).toBe(true)
  expect(Date.now()).toBe(1100)
  expect(vi.getTimerCount()).toBe(1)
  const late = new Promise((resolve) => setTimeout(resolve, 1000))
  await vi.advanceTimersByTimeAsync(1000)
  await late
})
test('and so does what runs as it is', () => {
  expect(Date.now()).toBe(2100)
  vi.runAllTimers()
  expect(answer).toHaveBeenLastCalledWith(7)
})
test('a race finds it as well', async () => {
  const order: number[] = []
  await Promise.all([1, 2].map(async (n) => order.push(await answer(n))))
  vi.setSystemTime(9000)
  expect(order).toEqual([1, 2])
})
test('and leaves it', async () => {
  expect(Date.now()).toBe(9000)
  await answer(1)
})
test('takes it down', async () => {
  vi.useRealTimers()
  await answer(1)
})
test('sets the time', async () => {
  expect(Date.now()).toBeGreaterThan(1e12)
  expect(vi.isFakeTimers()).toBe(false)
  vi.setSystemTime(5000)
  await answer(1)
})
test('finds that', async () => {
  expect(Date.now()).toBe(5000)
  vi.useRealTimers()
  await answer(1)
})
test('has a clock that goes on by itself', async () => {
  expect(Date.now()).toBeGreaterThan(1e12)
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await answer(1)
})
test('which does so as it is', () => new Promise<void>((resolve) => void setTimeout(resolve, 40)))
`

test('fake timers and times that a test has set are there for the tests after it, as without the flag', async () => {
  const plain = await run(project('left-behind-plain', { 'time.spec.ts': spec }))
  expect(plain.names.filter((name) => plain.test(name).status !== 'passed')).toEqual([])
  const explored = await run(project('left-behind', { 'time.spec.ts': spec }), '--', '--dpor')
  const red = explored.names.filter((name) => explored.test(name).status !== 'passed')
  expect(red.map((name) => [name, explored.test(name).found?.found])).toEqual([['a race finds it as well', 'race']])
})

/** The server is there before anything is explored: what its listeners change nobody sees, and it cannot be put back. */
const server = `
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
let server: Server
let url: string
let requests = 0
let answer = ''
beforeAll(async () => {
  server = createServer((_request, response) => void response.end(String(++requests)))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  url = 'http://127.0.0.1:' + (server.address() as AddressInfo).port
})
afterAll(() => new Promise((resolve) => void server.close(resolve)))
test('asks a server', async () => {
  answer = await (await fetch(url)).text()
  expect(answer).toBe('1')
})
test('and goes on with what that has said', async () => {
  expect([answer, requests]).toEqual(['1', 1])
  expect(await (await fetch(url)).text()).toBe('2')
})
`

test('a test of which there is one execution runs once: what it does to a server that was there before is done once', async () => {
  const explored = await run(project('left-behind-server', { 'server.spec.ts': server }), '--', '--dpor')
  expect(explored.names.map((name) => [explored.test(name).status, explored.test(name).found?.found])).toEqual([['passed', 'alone'], ['passed', 'alone']])
})

const underWay = `
import { expect, test } from 'vitest'
const wait = (ms: number) => new Promise((resume) => setTimeout(resume, ms))
const inFlight = new Map<string, Promise<string>>()
let done = 0
async function ask(key: string): Promise<string> {
  await wait(500)
  done++
  return key
}
function get(key: string): Promise<string> {
  if (!inFlight.has(key)) inFlight.set(key, ask(key).finally(() => inFlight.delete(key)))
  return inFlight.get(key)!
}
test('leaves a request under way', async () => {
  void get('x')
  await wait(1)
})
test('shares it', async () => {
  expect(await get('x')).toBe('x')
})
test('leaves one at once', async () => {
  void get('y')
  await null
})
test('finds what has come of it', async () => {
  await wait(1500)
  expect([done, inFlight.size]).toEqual([2, 0])
})
`

test('what a test leaves under way goes on, as without the flag', async () => {
  const explored = await run(project('left-under-way', { 'request.spec.ts': underWay }), '--', '--dpor')
  expect(explored.names.map((name) => [name, explored.test(name).status, explored.test(name).found?.found])).toEqual([
    ['leaves a request under way', 'passed', 'alone'],
    ['shares it', 'passed', 'unexplored'],
    ['leaves one at once', 'passed', 'alone'],
    ['finds what has come of it', 'passed', 'unexplored'],
  ])
})

const long = `
import { execFile } from 'node:child_process'
import { expect, test, vi } from 'vitest'
let count = 0
const ids = (function* () { for (let i = 0; ; i++) yield i })()
const answer = vi.fn(async (n: number) => n)
const inAnyOrder = () => Promise.all([1, 2, 3, 4, 5].map((n) => answer(n).then(() => { count++ })))
test('takes long', async () => {
  await new Promise((resume) => execFile(process.execPath, ['-e', 'setTimeout(() => {}, 150)'], resume))
  await inAnyOrder()
})
test('finds what that has left', () => expect(count).toBe(5))
test('moves on what cannot be put back', async () => {
  ids.next()
  await inAnyOrder()
})
test('finds all else', () => expect(count).toBe(10))
`

test('what a test has changed stays where there is no time left for another run of it, or another one would find something else', async () => {
  const { names, test: report } = await run(project('left-behind-late', { 'long.spec.ts': long }), '--', '--dpor', '--dpor.test-time=600ms')
  expect(names.map((name) => [report(name).status, report(name).found?.found])).toEqual([['passed', 'inconclusive'], ['passed', 'alone'], ['passed', 'inconclusive'], ['passed', 'alone']])
})
