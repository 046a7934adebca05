import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cacheFolderBeside, keepFailures, readKeptFailures } from '../../src/testing/kept-failures.ts'
import type { DporMeta } from '../../src/testing/meta.ts'

let folder: string
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'kept-')), 'new')
})
afterEach(() => rmSync(path.dirname(folder), { recursive: true }))

const ended = (tag: string, verdict: DporMeta['verdict'], schedule?: string) => ({ tag, meta: { verdict, schedule } as DporMeta })

test('what fails is kept until it holds; what was cut changes nothing', () => {
  expect(readKeptFailures(folder)).toEqual({})
  keepFailures(folder, [ended('a', 'fails', '0.1'), ended('b', 'fails', '0.2'), ended('c', 'holds')])
  expect(readKeptFailures(folder)).toEqual({ a: '0.1', b: '0.2' })
  keepFailures(folder, [ended('a', 'inconclusive'), ended('b', 'holds')])
  expect(readKeptFailures(folder)).toEqual({ a: '0.1' })
})

test('a file that is broken is as good as none', () => {
  keepFailures(folder, [ended('a', 'fails', '0.1')])
  for (const text of ['{', '[', 'null', '3']) {
    writeFileSync(path.join(folder, 'failures.json'), text)
    expect(readKeptFailures(folder)).toEqual({})
  }
  writeFileSync(path.join(folder, 'failures.json'), '{"a":1,"b":"0"}')
  expect(readKeptFailures(folder)).toEqual({ b: '0' })
})

test('it lies beside what Vite keeps of a project', () => {
  expect(cacheFolderBeside(path.resolve('/p/node_modules/.vite/vitest/abc'))).toBe(path.resolve('/p/node_modules/.vite/vitest-dpor'))
})
