import { expect, test } from 'vitest'
import { madeOf, storyOf } from './executed.ts'

/** As test libraries have it: it looks again and again until the callback throws no more, or the time is over. */
const waitFor = madeOf(
  `return (callback) => new Promise((resolve, reject) => {
    let last
    let isOver = false
    const finish = (end) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      clearInterval(interval)
      end()
    }
    const check = () => {
      try {
        callback()
      } catch (error) {
        last = error
        return
      }
      finish(resolve)
    }
    const timer = setTimeout(() => finish(() => reject(last)), 200)
    const interval = setInterval(check, 50)
    check()
  })`,
  '/app/node_modules/@testing-library/dom/dist/wait-for.cjs',
)

test('who looks again and again until time is over has missed nothing that would have woken him', async () => {
  const { headline } = await storyOf(
    `const page = { shown: '', work: 0 }
    const show = async (text) => { await null; page.shown = text; page.work = 1 }
    const all = [show('a'), show('ab')]
    if (page.work > 0) return
    await waitFor(() => { if (page.shown !== 'ab') throw new Error('shown is ' + page.shown) })
    await Promise.all(all)`,
    { waitFor },
  )
  expect(headline).toMatch(/^(?!Lost wakeup)[\w\s]+ on page\.\w+: show#1 /)
})
