import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { namesOf } from '../../src/options/index.ts'
import { optionTable } from '../../src/options/table.ts'

interface Row {
  readonly names: string[]
  readonly byDefault: string
  readonly meaning: string
}

/** The rows of the n-th table of options in a text. */
function rowsOf(text: string, n: number): Row[] {
  const table = text.split('| option | default | |\n|---|---|---|\n')[n + 1] ?? ''
  return table
    .slice(0, table.indexOf('\n\n'))
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, names = '', byDefault = '', meaning = '']) => ({ names: names.replaceAll('`', '').split(', '), byDefault, meaning }))
}

/** How a default is written; those that are no value are described. */
function written(value: unknown): string | undefined {
  if (value === undefined || value === Infinity) return undefined
  if (typeof value === 'string') return `\`'${value}'\``
  return typeof value === 'boolean' ? `\`${value}\`` : (value as number).toLocaleString('en')
}

/** Where a table of the README differs from that of the options. */
function differences(rows: readonly Row[], expected: readonly string[]): string[] {
  const told = rows.flatMap(({ names }) => names)
  const wrong = rows.flatMap(({ names, byDefault }) =>
    names.flatMap((name) => {
      const value = written(optionTable[name as keyof typeof optionTable]?.default)
      return value === undefined || value === byDefault ? [] : [`${name}: ${byDefault}, not ${value}`]
    }),
  )
  return [...expected.filter((name) => !told.includes(name)), ...told.filter((name) => !expected.includes(name)), ...wrong]
}

const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8')
const ofTests = namesOf('test')
const ofPluginOnly = namesOf('plugin').filter((name) => !ofTests.includes(name))

test('the README tells every option of a test, and its default', () => {
  expect(differences(rowsOf(readme, 0), ofTests)).toEqual([])
})

test('the README tells every option of the plugin only', () => {
  expect(differences(rowsOf(readme, 1), ofPluginOnly)).toEqual([])
})

test('a README that leaves one out, tells of another or of a wrong default is seen', () => {
  const text = '| option | default | |\n|---|---|---|\n| `seed` | 1 | for |\n| `stopOnFirst`, `sead` | `true` | ends |\n\nMore.'
  expect(differences(rowsOf(text, 0), ['seed', 'stopOnFirst', 'part'])).toEqual(['part', 'sead', 'seed: 1, not 0'])
})
