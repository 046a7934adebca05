import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { rename, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

test.each(['await', 'event-loop'] as const)('two calls that find no token both ask for one, and keep it: twice initialised: %s', async (interleave) => {
  const credentials = madeOf(
    `return (fetch) => {
      const kept = { token: undefined, expires: undefined }
      const refresh = async () => { const answer = await fetch(); kept.token = answer.token; kept.expires = new Date(answer.expires); return kept.token }
      const value = async () => { if (kept.token) return kept.token; return refresh() }
      return { header: async () => ({ value: await value() }) }
    }`,
    '/app/credentials.cjs',
  )
  const text = await headlineOf(
    `let asked = 0
    const fetch = async () => { asked++; await new Promise((answer) => setTimeout(answer, 1)); return { token: 'token' + asked, expires: 3600 } }
    const own = credentials(fetch)
    await Promise.all([own.header(), own.header()])
    if (asked !== 1) throw new Error('asked twice')`,
    { given: { credentials }, testFile: '/app/credentials.spec.cjs', interleave },
  )
  expect(text).toMatch(/^Double initialisation on kept\.token: /)
})

test('what is written over the same, be it a number or a regular expression, is no cause', async () => {
  const messages = madeOf(
    `return () => {
      const data = {}
      const state = { pattern: undefined, last: undefined }
      return {
        put: (language, texts) => { state.pattern = new RegExp('{{(.+?)}}', 'g'); state.last = 0; data[language] = texts },
        show: (language) => { state.pattern = new RegExp('{{(.+?)}}', 'g'); state.last = 0; return data[language]?.hello ?? 'hello' },
      }
    }`,
    '/app/node_modules/messages/index.cjs',
  )
  const text = await headlineOf(
    `const own = messages()
    const load = async () => { await null; own.put('de', { hello: 'hallo' }) }
    const show = async () => { await null; return own.show('de') }
    const [shown] = await Promise.all([show(), load()])
    if (shown !== 'hallo') throw new Error(shown)`,
    { given: { messages }, testFile: '/app/messages.spec.cjs' },
  )
  expect(text).toMatch(/^Order violation on data\.de: show#1 read undefined before load#1 wrote {"hello":"hallo"}\./)
})

test('who writes a file last has it, though both have looked before what rights it has', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-last-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const save = madeOf(
    `return ({ stat, writeFile, rename }) => async (file, text, beside) => {
      const { mode } = await stat(file)
      await writeFile(beside, text, { mode })
      await rename(beside, file)
    }`,
    '/app/node_modules/save/index.cjs',
  ) as (given: object) => unknown
  const text = await headlineOf(
    `writeFileSync(file, '{}')
    await Promise.all([save(file, 'light', file + '.1'), save(file, 'dark', file + '.2')])
    if (readFileSync(file, 'utf8') !== 'dark') throw new Error('light')`,
    { given: { save: save({ stat, writeFile, rename }), writeFileSync, readFileSync, file: path.join(folder, 'settings.json') }, testFile: '/app/save.spec.cjs' },
  )
  expect(text).toMatch(/^Last write wins on .*settings\.json/)
})

test('from where there is nothing nothing is taken away: who looks over an empty cache acts by no old look', async () => {
  const memoizer = madeOf(
    `return () => {
      const cache = new Map()
      const expire = async () => { for (const [key, { at }] of cache.entries()) if (at < 0) await null }
      return {
        async memoize(key, make) {
          await expire()
          const kept = cache.get(key)
          if (kept) return kept.value
          const value = await make()
          cache.set(key, { value, at: 1 })
          return value
        },
        async clear(key, closed) { const kept = cache.get(key); if (kept !== undefined) await closed?.(kept.value); cache.delete(key) },
      }
    }`,
    '/app/memoizer.cjs',
  )
  const text = await headlineOf(
    `const own = memoizer()
    let schema = 'v1'
    const load = () => own.memoize('one', async () => { const seen = schema; await null; return seen })
    const migrate = async () => { await null; schema = 'v2'; await own.clear('one') }
    await Promise.all([load(), migrate()])
    if (await load() !== 'v2') throw new Error('old')`,
    { given: { memoizer }, testFile: '/app/memoizer.spec.cjs' },
  )
  expect(text).not.toMatch(/keys of cache/)
  expect(text).toMatch(/^(?:Order violation on cache\.get\("one"\): migrate#1 read undefined before|Stale read on schema)/)
})
