import { expect, test } from 'vitest'
import { investigated, madeOf } from './executed.ts'

/** Code under test has a file of its own; what it is to keep apart is in the test. */
const headlineOf = async (lock: string, { interleave, callers = 3, late = false }: { readonly interleave: 'await' | 'event-loop'; readonly callers?: number; readonly late?: boolean }): Promise<string> => {
  const locked = madeOf(`${lock}; return locked`, '/lock.cjs')
  const { explanation } = await investigated(`
    const file = { lines: [] }
    const append = (line) => locked('file', async () => { const { lines } = file; await null; file.lines = [...lines, line] })
    ${late ? 'const add = async (line) => { await null; await append(line) }' : 'const add = append'}
    await Promise.all(Array.from({ length: ${callers} }, (_, i) => add(i)))
    if (file.lines.length !== ${callers}) throw new Error('lost')`, { given: { locked }, testFile: '/append.spec.cjs', interleave, io: () => 'awaits' })
  return explanation.headline
}

const modes = ['await', 'event-loop'] as const

test.each(modes)('a lock that all take who have waited for the one before is told, and not what is lost where it has let them in: %s', async (interleave) => {
  const headline = await headlineOf(`
    const locks = new Map()
    const locked = async (key, work) => {
      const held = locks.get(key)
      if (held) await held
      let unlock
      const lock = new Promise((resolve) => { unlock = resolve })
      locks.set(key, lock)
      try { return await work() } finally { unlock(); if (locks.get(key) === lock) locks.delete(key) }
    }`, { interleave })
  expect(headline).toMatch(/^Check-then-act on locks\.get\("file"\): /)
})

test.each(modes)('so is one that is thrown away while somebody waits in it: %s', async (interleave) => {
  const headline = await headlineOf(`
    class Mutex { tail = Promise.resolve(); run(work) { const done = this.tail.then(work); this.tail = done.then(() => {}, () => {}); return done } }
    const mutexes = new Map()
    const locked = async (key, work) => {
      let mutex = mutexes.get(key)
      if (!mutex) { mutex = new Mutex(); mutexes.set(key, mutex) }
      try { return await mutex.run(work) } finally { mutexes.delete(key) }
    }`, { interleave, late: true })
  expect(headline).toMatch(/on mutexes\.get\("file"\): /)
})

test.each(modes)('but not what code notes by an old look that lets nobody in: %s', async (interleave) => {
  const headline = await headlineOf(`
    const notes = { first: undefined }
    const locked = async (key, work) => {
      const { first } = notes
      if (first === undefined) { await null; notes.first = key }
      return work()
    }`, { interleave, callers: 2 })
  expect(headline).toMatch(/^Lost update on file\.lines: /)
})
