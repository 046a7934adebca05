import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import { SourceCache } from '../../plugin/source-cache.ts'

let root = ''
let count = 0
let folder = ''
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-sources-'))
})
beforeEach(() => {
  folder = path.join(root, String(count++))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const source = 'export const take = (o) => o.p\n'
const made = vi.fn(async (text: string, file: string) => rewrite(text, file))
const kept = (text = source, file = '/app/a.ts', version = '1') => new SourceCache(folder, version).rewritten(text, file, made)
const files = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))

test('what is there is taken as it is', async () => {
  const first = await kept()
  expect(first).toEqual({ code: rewrite(source, '/app/a.ts')!.code, map: rewrite(source, '/app/a.ts')!.map.toString(), unhandled: [] })
  made.mockClear()
  expect(await kept()).toEqual(first)
  expect(made).not.toHaveBeenCalled()
})

test('another text, another path or another version is made anew, and of each file one entry is kept', async () => {
  await kept()
  made.mockClear()
  expect((await kept('export const take = (o) => o.q\n'))!.code).toContain('o.q')
  expect(made).toHaveBeenCalledTimes(1)
  expect((await kept())!.code).toContain('o.p')
  await kept(source, '/app/a.ts', '2')
  expect(made).toHaveBeenCalledTimes(3)
  expect(files()).toHaveLength(1)
  expect((await kept(source, '/app/b.ts'))!.code).toContain('/app/b.ts')
  expect(files()).toHaveLength(2)
})

test('where there is nothing to change, that is kept as well', async () => {
  expect(await kept('export const n = 1\n')).toBeUndefined()
  made.mockClear()
  expect(await kept('export const n = 1\n')).toBeUndefined()
  expect(made).not.toHaveBeenCalled()
})

test('an entry that is broken, and a folder that cannot be written, cost no more than time', async () => {
  const first = await kept()
  writeFileSync(path.join(folder, files()[0]!), '{')
  expect(await kept()).toEqual(first)
  writeFileSync(path.join(root, 'file'), '')
  expect(await new SourceCache(path.join(root, 'file'), '1').rewritten(source, '/app/a.ts', made)).toEqual(first)
})
