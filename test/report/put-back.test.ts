import { expect, test } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

const modes = ['await', 'event-loop'] as const

test.each(modes)('who restores what it had found before its own change loses what others have made of that since, though it looks again: %s', async (interleave) => {
  const todos = madeOf(
    `return (save) => {
      let state = [{ id: 1, done: false }, { id: 2, done: false }]
      const reducer = (all, action) => (action.restore ? action.restore : all.map((todo) => (todo.id === action.id ? { ...todo, done: !todo.done } : todo)))
      const dispatch = (action) => { state = reducer(state, action) }
      return {
        get: () => state,
        async toggle(id) {
          const before = state
          dispatch({ id })
          try { await save(id) } catch { dispatch({ restore: before }) }
        },
      }
    }`,
    '/app/todos.cjs',
  )
  const text = await headlineOf(
    `const own = todos(async (id) => { await null; if (id === 1) throw new Error('offline') })
    await Promise.all([own.toggle(1), own.toggle(2)])
    if (!own.get()[1].done) throw new Error('lost')`,
    { given: { todos }, testFile: '/app/todos.spec.cjs', interleave },
  )
  expect(text).toMatch(/^Lost update on state: .+ from a value read before .+ wrote /)
})

const drafts = madeOf(
  `return (put) => {
    const own = { isDirty: false, text: '' }
    const flush = async () => { if (!own.isDirty) return; await put(own.text); own.isDirty = false }
    return { flush, edit(text) { own.text = text; own.isDirty = true } }
  }`,
  '/app/drafts.cjs',
)

const saving = (start: string): string => `
  const sleep = (ms) => new Promise((end) => setTimeout(end, ms))
  let saved
  const own = drafts(async (text) => { await sleep(100); saved = text })
  const timer = ${start}
  own.edit('draft')
  await sleep(350)
  own.edit('final')
  await sleep(200)
  clearInterval(timer)
  await own.flush()
  if (saved !== 'final') throw new Error(saved)`

test.each(modes)('a flag that is taken away though it was set again since is held by nobody: %s', async (interleave) => {
  const text = await headlineOf(saving('setTimeout(own.flush, 300)'), { given: { drafts }, testFile: '/app/drafts.spec.cjs', interleave })
  expect(text).toMatch(/^Last write wins on own\.isDirty: flush#\d wrote false over the true of test, which then read false\./)
})

test.each(modes)('it is told where there is one order alone, and a timer that fires later shows it: %s', async (interleave) => {
  const text = await headlineOf(saving('setInterval(() => void own.flush(), 300)'), { given: { drafts }, testFile: '/app/drafts.spec.cjs', interleave })
  expect(text).toMatch(/Last write wins on own\.isDirty: \S+ wrote false over the true of test, which then read false\./)
})

test('nor is one that is set before what takes it away begins', async () => {
  const text = await headlineOf(
    `const page = { isLoading: false }
    const load = async () => { await null; page.isLoading = false }
    page.isLoading = true
    await load()
    if (!page.isLoading) throw new Error('loaded')`,
  )
  expect(text).not.toContain('Perhaps')
})
