import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { investigated, madeOf } from './executed.ts'

const locks = madeOf(
  `const mutex = () => {
    let isLocked = false
    const queue = []
    const release = () => { const next = queue.shift(); if (next) next(); else isLocked = false }
    return { acquire: () => new Promise((resolve) => { if (isLocked) queue.push(() => resolve(release)); else { isLocked = true; resolve(release) } }), isFree: () => !isLocked }
  }
  return (isOver) => {
    const locks = new Map()
    return async (id, work) => {
      let lock = locks.get(id)
      if (!lock) { lock = mutex(); locks.set(id, lock) }
      const release = await lock.acquire()
      try { return await work() } finally { release(); if (isOver(lock)) locks.delete(id) }
    }
  }`,
  '/app/locks.cjs',
) as (isOver: (lock: { isFree(): boolean }) => boolean) => unknown

const three = `
  let inside = 0
  const write = async () => withLock('file', async () => { if (++inside !== 1) throw new Error('two'); await null; inside-- })
  const late = async () => { await null; await null; await write() }
  await Promise.all([write(), write(), late()])`

test('who removes a lock that another one waits for lets in a third one', async () => {
  const { message, explanation } = await investigated(three, { given: { withLock: locks(() => true) }, testFile: '/app/locks.spec.cjs' })
  expect(explanation.kind).toBe('wrong-holder-release')
  expect(stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')).toMatch(/^Wrong-holder release on locks\.get\("file"\): \S+ read .+?, then \S+ removed it while \S+ went on with it, and \S+ read undefined\./)
})

test('who removes it when nobody does lets in none', async () => {
  await expect(investigated(three, { given: { withLock: locks((lock) => lock.isFree()) }, testFile: '/app/locks.spec.cjs' })).rejects.toThrow('no failure: holds')
})

test('who takes away what is under way, when it is over, takes it from nobody who has waited for that', async () => {
  const once = madeOf(
    `return (load) => {
      const loading = new Map()
      return async (key) => {
        const found = loading.get(key)
        if (found) return found
        const own = load(key)
        loading.set(key, own)
        try { return await own } finally { loading.delete(key) }
      }
    }`,
    '/app/once.cjs',
  )
  const { explanation } = await investigated(
    `let asked = 0
    const get = once(async () => { asked++; await null; return { asked } })
    const late = async () => { await null; await null; await get('a') }
    await Promise.all([get('a'), get('a'), late(), late()])
    if (asked !== 1) throw new Error('asked ' + asked)`,
    { given: { once }, testFile: '/app/once.spec.cjs' },
  )
  expect(explanation.kind).not.toBe('wrong-holder-release')
})
