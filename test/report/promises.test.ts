import { describe, expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import { explain, type InputRecording } from '../../src/report/index.ts'
import { exploreRecorded, install, type RunOptions } from '../../src/runtime/index.ts'

install()

/** What is told of the failure of a body. */
async function told(body: string, { options = {}, hasPlaces = true }: { readonly options?: RunOptions; readonly hasPlaces?: boolean } = {}) {
  const { code } = rewrite(`export default async function test() {${body}}`, `/app/body.js`)!
  const subject = new Function(`'use strict'; ${code.replace('export default', '')}; return test`)() as () => Promise<unknown>
  const { result, recording } = await exploreRecorded(subject, options)
  const failure = result.failures[0]!
  const { headline, rows } = explain({ recording: hasPlaces ? recording! : withoutPlaces(recording!), failure, executions: result.executions, complete: false, root: '/app', name: 'test' })
  return { kind: failure.kind, headline, rows: rows.map(({ text, note }) => (note === undefined ? text : `${text} <- ${note}`)) }
}

const withoutPlaces = (recording: InputRecording): InputRecording => ({ ...recording, steps: recording.steps.map((step) => ({ ...step, accesses: step.accesses.map((access) => ({ ...access, place: undefined })) })) })

const twoSettlers = `
  let settle, fail
  const answer = new Promise((resolve, reject) => { settle = resolve; fail = reject })
  const task = async (work) => { await null; work() }
  answer.catch(() => {})`

describe('a failure that the order of settlings decides names them', () => {
  test('of a promise that two calls resolve', async () => {
    expect(await told(`${twoSettlers}
      await Promise.all([task(() => settle('one')), task(() => settle('two'))])
      if (await answer === 'two') throw new Error('two')`)).toMatchInlineSnapshot(`
        {
          "headline": "Order violation on promise answer: task#2 fulfilled it with "two", then task#1 came second and would have fulfilled it with "one". Nothing recorded orders the two.",
          "kind": "error",
          "rows": [
            "fulfil promise answer with "two"",
            "fulfil promise answer with "one", too late <- after 1",
          ],
        }
      `)
  })

  test('of a promise that one call resolves and another rejects', async () => {
    expect(await told(`${twoSettlers}
      await Promise.all([task(() => settle('one')), task(() => fail(new Error('failed')))])
      await answer`)).toMatchInlineSnapshot(`
        {
          "headline": "Order violation on promise answer: task#2 rejected it with Error("failed"), then task#1 came second and would have fulfilled it with "one". Nothing recorded orders the two.",
          "kind": "error",
          "rows": [
            "reject promise answer with Error("failed")",
            "fulfil promise answer with "one", too late <- after 1",
          ],
        }
      `)
  })

  test('of a race and its loser', async () => {
    expect(await told(`
      const load = async (name) => { await null; return name }
      const won = await Promise.race([load('fast').catch(() => {}), load('slow').then()])
      if (won === 'slow') throw new Error('slow')`)).toMatchInlineSnapshot(`
        {
          "headline": "Order violation on Promise.race: load#2 fulfilled it with "slow", then load#1 came second and would have fulfilled it with "fast". Nothing recorded orders the two.",
          "kind": "error",
          "rows": [
            "fulfil Promise.race with "slow"",
            "fulfil Promise.race with "fast", too late <- after 1",
          ],
        }
      `)
  })

  test('of a late handler', async () => {
    expect(await told(`
      const load = async () => { await null; throw new Error('no rows') }
      const loading = load()
      const handle = async () => { await null; await loading.catch(() => {}) }
      await handle()`)).toMatchInlineSnapshot(`
        {
          "headline": "Unhandled rejection of promise of load#1: load#1 rejected it before test handled it. Nothing recorded orders the two.",
          "kind": "unhandled-rejection",
          "rows": [
            "reject promise of load#1",
            "handle the rejection of promise of load#1 <- after 1",
          ],
        }
      `)
  })

  test('of a thenable that two calls answer', async () => {
    expect(await told(`
      let settle = () => {}
      const reading = (async () => await { then(resolve) { settle = resolve } })()
      await null
      const task = async (value) => { await null; settle(value) }
      const got = await Promise.race([Promise.all([task(1), task(2), reading]), new Promise((resolve) => setTimeout(resolve, 5, []))])
      if (got[2] === 2) throw new Error('two')`)).toMatchInlineSnapshot(`
        {
          "headline": "Order violation on promise: task#2 fulfilled it with 2, then task#1 came second and would have fulfilled it with 1. Nothing recorded orders the two.",
          "kind": "error",
          "rows": [
            "fulfil promise with 2",
            "fulfil promise with 1, too late <- after 1",
          ],
        }
      `)
  })
})

describe('where a step is an event', () => {
  const options: RunOptions = { interleave: 'event-loop', io: () => 'awaits' }
  const lateHandler = `
    const load = async (fails) => { await null; if (fails) throw new Error('child') }
    const [parent, child] = [load(false), load(true)]
    await parent
    await child.catch(() => {})`

  test('a promise was found settled, or not yet', async () => {
    expect(await told(lateHandler, { options })).toMatchInlineSnapshot(`
      {
        "headline": "Unhandled rejection of promise of load: load#1 rejected it before test waited for it. Nothing recorded orders the two.",
        "kind": "unhandled-rejection",
        "rows": [
          "settle promise of load",
          "look at promise of load -> settled <- after 1",
        ],
      }
    `)
  })

  test('of a race that stands nowhere in the source it is told how the test fails, and no more', async () => {
    expect(await told(lateHandler, { options, hasPlaces: false })).toMatchInlineSnapshot(`
      {
        "headline": "A promise was rejected and nothing handled it; what comes first decides that.",
        "kind": "unhandled-rejection",
        "rows": [],
      }
    `)
  })
})
