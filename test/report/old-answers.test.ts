import { mkdtempSync, rmSync } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

const modes = ['await', 'event-loop'] as const

test.each(modes)('what is put to a list that was emptied since is told by the look that has come before, and not by what comes of it: %s', async (interleave) => {
  const list = madeOf(
    `return (load) => {
      const own = { items: [], filter: '', next: 0 }
      const more = async () => {
        if (own.next === undefined) return
        const page = await load(own.filter, own.next)
        own.items = own.items.concat(page.items)
        own.next = page.next
      }
      const setFilter = async (filter) => { own.filter = filter; own.items = []; own.next = 0; await more() }
      return { own, more, setFilter }
    }`,
    '/app/list.cjs',
  )
  const text = await headlineOf(
    `const all = ['apple', 'banana']
    const { own, more, setFilter } = list(async (filter) => { await null; return { items: all.filter((name) => name.startsWith(filter)), next: undefined } })
    await Promise.all([more(), setFilter('b')])
    if (own.items.length !== 1) throw new Error(String(own.items))`,
    { given: { list }, testFile: '/app/list.spec.cjs', interleave },
  )
  expect(text).toMatch(/^Check-then-act on own\.filter: \S+ read "", then \S+ wrote "b", then \S+ still wrote own\.items = /)
})

test('who has put something there and finds that of another call of the same code has lost its own', async () => {
  const text = await headlineOf(
    `let current
    const ordersOf = async (user) => { await null; return user + "'s" }
    const handle = async (user) => { await null; current = user; const orders = await ordersOf(current); return current + ' ' + orders }
    const answers = await Promise.all([handle('ann'), handle('bob')])
    if (answers.join() !== "ann ann's,bob bob's") throw new Error(answers.join())`,
  )
  expect(text).toMatch(/^Last write wins on current: /)
})

test('two who act by one value, of which one is told as invalid, have read what is stale', async () => {
  const text = await headlineOf(
    `const kept = { token: 'r0' }
    let valid = 'r0'
    const renew = async (token) => { await null; if (token !== valid) throw new Error('invalid'); valid = 'r1'; return valid }
    const refresh = async () => { await null; const { token } = kept; const next = await renew(token); await null; kept.token = next }
    await Promise.all([refresh(), refresh()])`,
  )
  expect(text).toMatch(/^Stale read on kept\.token: refresh#\d read "r0" before refresh#\d wrote "r1"\./)
})

test('what reactions of calls do is told of the calls', async () => {
  const text = await headlineOf(
    `const kept = new Map()
    let loads = 0
    const load = async (key) => { loads++; await null; return key }
    const get = async (key) => { await null; if (kept.has(key)) return kept.get(key); return load(key).then((value) => { kept.set(key, value); return value }) }
    await Promise.all([get('a'), get('a')])
    if (loads !== 1) throw new Error('twice')`,
  )
  expect(text).toMatch(/: get#\d read false, then get#\d wrote "a", then get#\d still wrote "a"\./)
})

test.each(modes)('two who look for a folder before either of them makes it have checked it: %s', async (interleave) => {
  const root = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-folder-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const cache = madeOf(
    `return ({ access, mkdir }) => async (folder) => {
      const isThere = await access(folder).then(() => true, () => false)
      if (!isThere) await mkdir(folder)
    }`,
    '/app/cache.cjs',
  ) as (given: object) => unknown
  const text = await headlineOf('await Promise.all([put(folder), put(folder)])', { given: { put: cache({ access, mkdir }), folder: path.join(root, 'cache') }, testFile: '/app/cache.spec.cjs', interleave })
  expect(text).toMatch(/^Check-then-act on .*cache/)
})

test.each(modes)('what they have checked is that folder, and not the one above, at which they look next: %s', async (interleave) => {
  const root = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-folder-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const cache = madeOf(
    `return ({ stat, mkdir, dirname }) => async function ensure(folder) {
      const found = await stat(folder).catch(() => undefined)
      if (found) return
      await ensure(dirname(folder))
      await mkdir(folder)
    }`,
    '/app/cache.cjs',
  ) as (given: object) => unknown
  const text = await headlineOf('await Promise.all([put(folder), put(folder)])', { given: { put: cache({ stat, mkdir, dirname: path.dirname }), folder: path.join(root, 'cache') }, testFile: '/app/cache.spec.cjs', interleave })
  expect(text).toMatch(/^Check-then-act on file\["[^"]+cache"\]/)
})
