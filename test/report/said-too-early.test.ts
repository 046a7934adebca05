import { describe, expect, test } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

const modes = ['await', 'event-loop'] as const

/** What the test itself waits for takes time. */
const takesTime = (testFile: string): { testFile: string; io: (place: { readonly file: string }) => 'awaits' | 'nothing' } => ({ testFile, io: ({ file }) => (file === testFile ? 'awaits' : 'nothing') })

/** @param before what the end of a call looks at before it says that nothing is under way */
const queries = (before = ''): unknown =>
  madeOf(
    `return (ask) => {
      const entry = { status: 'idle', pending: undefined }
      const fetch = (id) => {
        entry.status = 'loading'
        const pending = (entry.pending = {})
        return ask(id).finally(() => { ${before} entry.status = 'idle' })
      }
      return { entry, fetch }
    }`,
    '/app/node_modules/queries/index.cjs',
  )

const body = (fails: string): string => `
  let running = 0
  const own = queries(async function load(id) { running++; await null; running-- })
  const older = own.fetch(1), newer = own.fetch(2)
  await older
  if (${fails}) throw new Error('nothing is said of the second one')
  await newer`

describe('what the test counts only shows that a call is at work, of which the code under test says that it is not', () => {
  test.each(modes)('it is the end of an older call that has said so: %s', async (interleave) => {
    const text = await headlineOf(body("running > 0 && own.entry.status !== 'loading'"), { given: { queries: queries() }, ...takesTime('/app/queries.spec.cjs'), interleave })
    expect(text).toMatch(/^Last write wins on entry\.status: \S+ wrote "idle" over the "loading" of test while \S+ was at work\./)
    expect(text).toMatch(/The test passes with \d before \d/)
  })

  test.each(modes)('also where the code under test has told somebody else so: %s', async (interleave) => {
    const text = await headlineOf(
      `let asked = 0, answered = 0
      const early = []
      const own = fields(async function taken(name) { asked++; await null; answered++ }, (field) => { if (!field.validating && asked > answered) early.push('too early') })
      own.change('ann')
      own.change('bob')
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (early.length > 0) throw new Error(early.join())`,
      {
        given: {
          fields: madeOf(
            `return (validate, show) => {
              const field = { validating: false, value: '' }
              return {
                change: (value) => {
                  field.value = value
                  const answer = validate(value)
                  field.validating = true
                  answer.then(() => { field.validating = false; show({ ...field }) })
                },
              }
            }`,
            '/app/node_modules/fields/index.cjs',
          ),
        },
        ...takesTime('/app/fields.spec.cjs'),
        interleave,
      },
    )
    expect(text).toMatch(/^Last write wins on field\.validating: \S+ wrote false over the true of test while \S+ was at work\./)
  })

  test.each(modes)('not where only the last call says so: %s', async (interleave) => {
    const text = await headlineOf(body('running > 0'), { given: { queries: queries('if (entry.pending === pending)') }, ...takesTime('/app/queries.spec.cjs'), interleave })
    expect(text).not.toContain('while')
    expect(text).toContain(' on running: ')
  })
})
