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

/** Edits are saved after a while. */
const notes = (remove: string): unknown =>
  madeOf(
    `return (files) => {
      const own = { timer: undefined, files }
      own.edit = (name, text) => { clearTimeout(own.timer); own.timer = setTimeout(() => { own.files.write(name, text) }, 800) }
      own.remove = async (name) => { ${remove}await own.files.unlink(name) }
      return own
    }`,
    '/app/notes.cjs',
  )

const removed = `
  const disk = new Map([['a.md', 'old']])
  const own = notes({ write: async (name, text) => { disk.set(name, text) }, unlink: async (name) => { disk.delete(name) } })
  own.edit('a.md', 'new')
  await own.remove('a.md')
  await new Promise((resolve) => setTimeout(resolve, 1000))
  if (disk.has('a.md')) throw new Error('there again')`

test.each(['await', 'event-loop'] as const)('also where one call after the other passes, and what stands in for the disk shows it: by %s', async (interleave) => {
  const text = await headlineOf(removed, { given: { notes: notes('') }, testFile, interleave })
  expect(text).toMatch(/^Order violation on timer#1: it fired after test called own\.remove, and wrote disk\.get\("a\.md"\) = "new"\. Nobody had cleared it\./)
})

const presence = madeOf(
  `return () => {
    const own = { status: 'online', timer: undefined }
    own.lost = () => { own.timer = setTimeout(() => { own.status = 'offline' }, 3000) }
    own.found = async (greet) => { await greet(); own.status = 'online' }
    return own
  }`,
  '/app/presence.cjs',
)

test.each(['await', 'event-loop'] as const)('what it writes over what was put there since is no last word: by %s', async (interleave) => {
  const text = await headlineOf(
    `const own = presence()
    own.lost()
    await new Promise((done) => setTimeout(done, 1000))
    await own.found(async () => { await null })
    await new Promise((done) => setTimeout(done, 5000))
    if (own.status !== 'online') throw new Error(own.status)`,
    { given: { presence }, testFile, interleave },
  )
  expect(text).toMatch(/^Order violation on own\.status: timer#1 wrote "offline" over the "online" of test, which then read "offline"\./)
})

const entries = madeOf(
  `return () => {
    const kept = new Map()
    return {
      put(key, value) { kept.set(key, value); setTimeout(() => kept.delete(key), 100) },
      has: (key) => kept.has(key),
    }
  }`,
  '/app/entries.cjs',
)

test.each(['await', 'event-loop'] as const)('which timers fire besides it does not depend on who goes on in their steps: by %s', async (interleave) => {
  const text = await headlineOf(
    `const own = entries()
    own.put('k', { n: 1 })
    await new Promise((resolve) => setTimeout(resolve, 60))
    own.put('k', { n: 2 })
    await new Promise((resolve) => setTimeout(resolve, 60))
    if (!own.has('k')) throw new Error('gone')`,
    { given: { entries }, testFile, interleave },
  )
  expect(text).toContain('Every order fails; the test passes when timer#1 fires later.')
  expect(text).toMatch(/^Order violation on kept\.get\("k"\): /)
})
