import { describe, expect, test } from 'vitest'
import { headlineOf, madeOf, throwingIn } from './executed.ts'

const testFile = '/app/left-running.spec.cjs'

const thrownAt = throwingIn(testFile)

/** It connects again after a while when its connection is lost; `end` is what its `disconnect` does besides. */
const clientWith = (end: string): unknown =>
  madeOf(
    `return (open) => {
      const own = { timer: undefined, closing: false }
      own.connect = () => { own.closing = false; open() }
      own.lose = () => { if (!own.closing) own.timer = setTimeout(() => own.connect(), 100) }
      own.disconnect = () => { own.closing = true; ${end} }
      return own
    }`,
    '/app/client.cjs',
  )

const body = `
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  let opened = 0
  const own = client(() => { opened++ })
  own.connect()
  own.lose()
  await sleep(50)
  own.disconnect()
  await sleep(200)
  if (opened !== 1) throw new Error('opened ' + opened)`

describe.each(['await', 'event-loop'] as const)('by %s', (interleave) => {
  test('a timer that nobody clears once it is over is told by what was called since it was set', async () => {
    const text = await headlineOf(body, { given: { client: clientWith('') }, testFile, interleave })
    expect(text).toMatch(/^Order violation on timer#\d: it fired after test called own\.disconnect, and (?:increased opened to 2|wrote opened = 2)\. Nobody had cleared it\./)
    expect(text).toContain('set timer#')
  })
})

test('also where the test only finds what it has done', async () => {
  const list = madeOf(
    `return (api) => {
      const own = { api, hidden: new Set() }
      own.remove = (id) => { own.hidden.add(id); setTimeout(() => { void own.api.delete(id) }, 500) }
      own.undo = (id) => { own.hidden.delete(id) }
      return own
    }`,
    '/app/list.cjs',
  )
  const text = await headlineOf(
    `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const rows = new Set(['a'])
    const own = list({ delete: async (id) => { await null; rows.delete(id) } })
    own.remove('a')
    await sleep(100)
    own.undo('a')
    await sleep(1000)
    if (!rows.has('a')) throw thrownAt(8)`,
    { given: { list, thrownAt }, testFile },
  )
  expect(text).toMatch(/^Order violation on timer#1: it fired after test called \S*\.undo, and removed rows\.get\("a"\)\. Nobody had cleared it\./)
})

test('a timer of the test itself is none of that', async () => {
  const text = await headlineOf(
    `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const own = { opened: 0, close() {} }
    setTimeout(() => { own.opened++ }, 100)
    await sleep(50)
    own.close()
    await sleep(200)
    if (own.opened !== 0) throw new Error('opened')`,
    { testFile },
  )
  expect(text).not.toContain('Nobody had cleared it')
})
