import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { project, run, type Run } from './project.ts'

const root = path.resolve(import.meta.dirname, '../..')
const readme = readFileSync(path.join(root, 'README.md'), 'utf8')

/** The code block that begins with a comment that names its file. */
function fileBlock(name: string): string {
  const [, text] = new RegExp(`\`\`\`ts\\n// ${name.replaceAll('.', '\\.')}\\n([\\s\\S]*?)\`\`\``).exec(readme) ?? []
  if (text === undefined) throw new Error(`the README has no block for ${name}`)
  return text
}

/** The block of output below a marker. */
function outputBlock(marker: string): string {
  const [, text] = new RegExp(`<!-- ${marker} -->\\n\`\`\`\\n([\\s\\S]*?)\\n\`\`\``).exec(readme) ?? []
  if (text === undefined) throw new Error(`the README has no output ${marker}`)
  return text
}

const trimmed = (text: string): string => text.split('\n').map((line) => line.trimEnd()).join('\n')

const files = Object.fromEntries(['vitest.config.ts', 'account.ts', 'account.spec.ts'].map((name) => [name, fileBlock(name)]))

let buggy: Run
let fixed: Run
beforeAll(async () => {
  buggy = await run(project('readme', files))
  fixed = await run(project('readme-fixed', { ...files, 'account.ts': readFileSync(path.join(root, 'examples/01-account/account.fixed.ts'), 'utf8') }))
})

test('the output for the bug is what the tool prints', () => {
  const [, shown] = / FAIL {2}([\s\S]*?)\n⎯+\[1\/1\]/.exec(buggy.output) ?? []
  expect(` FAIL  ${outputBlock('output').replace(/^FAIL {2}/, '')}`).toBe(` FAIL  ${trimmed(shown ?? buggy.output).trimEnd().replace(/(?<=failure-)[0-9a-f]+/, '9675a4b5')}`)
})

test('the output without the bug is what the tool prints', () => {
  const [, shown] = /( DPOR [\s\S]*?)\n\n/.exec(fixed.output) ?? []
  expect(outputBlock('fixed')).toBe(trimmed(shown ?? fixed.output).trim())
})

test('the replay in the text is the one that is printed', () => {
  const replays = new Set([...readme.matchAll(/replay: '([^']+)'/g)].map(([, schedule]) => schedule))
  expect([...replays]).toEqual([buggy.test('two withdrawals never overdraw').dpor!['schedule']])
})

test('the account of the README is the one of the examples', () => {
  expect(files['account.ts']).toBe(readFileSync(path.join(root, 'examples/01-account/account.ts'), 'utf8'))
})
