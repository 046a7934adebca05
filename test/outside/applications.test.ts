import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { config, project, run, type Run } from './project.ts'

/** Applications over packages, small ones like those that people use: each with a race, and without. */
const file = (name: string): string => readFileSync(path.join(import.meta.dirname, 'applications', name), 'utf8')

const packages = ['tiny-store', 'tiny-query', 'tiny-loader'] as const
const installed = Object.fromEntries(
  [...packages, 'tiny-dom'].flatMap((name) => [
    [`node_modules/${name}/package.json`, JSON.stringify({ name, type: 'module', exports: './index.js' })],
    [`node_modules/${name}/index.js`, file(`${name}.js`)],
  ]),
)
const specs = Object.fromEntries(['cart', 'todos', 'users', 'search'].map((name) => [`${name}.spec.ts`, file(`${name}.spec.ts`)]))

const named = { verdict: expect.anything(), executions: expect.any(Number) }

describe('packages that stay as they are', () => {
  let result: Run
  beforeAll(async () => {
    result = await run(project('applications', { ...installed, ...specs, 'vitest.config.ts': config('{ inline: [] }') }))
  })

  test.each(['a cart of its own', 'an optimistic update', 'a loader after a change', 'search as you type'])('%s', (name) => {
    expect(result.test(`${name}, with a race`).dpor).toMatchObject({ ...named, verdict: 'fails' })
    const without = result.test(`${name}, without`)
    expect(without.dpor).toMatchObject({ ...named, verdict: 'holds' })
    expect(without.dpor!['executions']).toBeLessThanOrEqual(12)
  })

  test.each([
    ['a cart of its own', 'Order violation on what tiny-store keeps: stale#1 called set after stale#2 called get. Nothing makes stale#2 wait for stale#1.'],
    ['an optimistic update', 'what tiny-query keeps'],
    ['search as you type', 'Order violation on the document'],
  ])('%s: what is told of the race', (name, text) => {
    expect(result.test(`${name}, with a race`).message.replaceAll(/\s+/g, ' ')).toContain(text)
  })

  test('state in a closure of a module is no verdict, and the package is named', () => {
    for (const name of ['a cart of a module, with a race', 'a cart of a module, without']) {
      const { status, message, dpor } = result.test(name)
      expect({ status, dpor }).toEqual({ status: 'failed', dpor: undefined })
      expect(message).toMatch(/^NondeterminismError: .*dpor\({ inline: \['auto', 'tiny-store'\] }\)/)
    }
  })

  test('the summary names the packages that were called', () => {
    expect(result.output).toMatch(/an optimistic update, without.*\n +not instrumented, merged: tiny-query \(\d+ calls by \d+ processes\); to see what they do: dpor\({ inline: \['auto', 'tiny-query'\] }\)/)
  })
})

test('packages as they are instrumented without being asked: the same, and what a module keeps is put back', async () => {
  // The stand-in for a document is one state, as a real one is.
  const result = await run(project('applications-inline', { ...installed, ...specs, 'vitest.config.ts': config("{ opaque: ['tiny-dom'] }") }))
  expect(result.names).toHaveLength(10)
  for (const name of result.names) expect([name, result.test(name).dpor?.['verdict']]).toEqual([name, name.endsWith('without') ? 'holds' : 'fails'])
})
