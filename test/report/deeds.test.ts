import { expect, test } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

const modes = ['await', 'event-loop'] as const

/** @param last what gives back, after a job that has failed or not */
const jobsOf = (last: string): unknown =>
  madeOf(
    `return (send) => {
      const own = { free: 1, waiting: [] }
      const release = () => { own.free++; own.waiting.shift()?.() }
      const acquire = async () => { while (own.free === 0) await new Promise((end) => own.waiting.push(end)); own.free-- }
      return async (name) => {
        await acquire()
        ${last}
      }
    }`,
    '/app/jobs.cjs',
  )

const jobsBody = `
  let [inside, most] = [0, 0]
  const run = jobs(async (name) => {
    most = Math.max(most, ++inside)
    await null
    inside--
    if (name === 'bad') throw new Error('bad')
  })
  await run('bad').catch(() => {})
  await Promise.all([run('a'), run('b')])
  if (most > 1) throw new Error('two at once')`

test.each(modes)('who gives back twice what he has taken once is told, and not what comes of it: %s', async (interleave) => {
  const jobs = jobsOf('try { await send(name) } catch { release() } finally { release() }')
  expect(await headlineOf(jobsBody, { given: { jobs }, testFile: '/app/jobs.spec.cjs', interleave })).toMatch(
    /^Double release on own\.free: \S+ decreased it once and increased it twice, to 2, which is more than before anybody had taken any\./,
  )
})

test('what makes more of it than there was has given nothing back twice', async () => {
  const text = await headlineOf(`const stock = { free: 1 }
    const more = async () => { await null; stock.free++ }
    const take = async () => { const { free } = stock; await null; stock.free = free - 1 }
    await Promise.all([take(), more()])
    if (stock.free !== 1) throw new Error('lost')`)
  expect(text).toMatch(/^Lost update on stock\.free: /)
})
