import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from '../../plugin/1-parse/parse.ts'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'

const root = path.resolve(import.meta.dirname, '../..')
const isScript = (file: string): boolean => /\.[cm]?[jt]s$/.test(file) && !/\.d\.[cm]?ts$/.test(file)

const scriptsIn = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isScript(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))

test.each([
  'node_modules/picomatch', 'node_modules/@vitest/runner', 'node_modules/chai', 'node_modules/tinybench', 'node_modules/eslint-scope',
  'node_modules/vitest/dist', 'node_modules/@vitest', 'node_modules/postcss', 'node_modules/tinyexec', 'src', 'plugin', 'test/plugin',
])('%s parses after rewriting, line by line', { timeout: 120_000 }, (folder) => {
  const broken: string[] = []
  const files = scriptsIn(folder)
  for (const file of files) {
    const source = readFileSync(file, 'utf8')
    const code = rewrite(source, file)?.code
    if (code === undefined) continue
    if (!parse(code, file) || code.split('\n').length !== source.split('\n').length) broken.push(file)
  }
  expect(files).not.toHaveLength(0)
  expect(broken).toEqual([])
})
