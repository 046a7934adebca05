import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { project, run, type Run } from './project.ts'

const root = path.resolve(import.meta.dirname, '../../examples')
const files = Object.fromEntries(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^\d.*\.ts$/.test(name))
    .map((name) => [name.replaceAll('\\', '/'), readFileSync(path.join(root, name), 'utf8')]),
)
const fixedSpecs = Object.keys(files).filter((name) => name.endsWith('.fixed.spec.ts'))
const specOf = (fixedSpec: string): string => fixedSpec.replace('.fixed.spec.ts', '.spec.ts')

test('there are five examples', () => {
  expect(fixedSpecs).toHaveLength(5)
})

test('code under test knows nothing of the tool', () => {
  const modules = Object.entries(files).filter(([name]) => !name.endsWith('.spec.ts'))
  expect(modules.length).toBeGreaterThanOrEqual(10)
  expect(modules.filter(([, text]) => /\b(?:from|import) '(?!\.\/)|import\(/.test(text)).map(([name]) => name)).toEqual([])
})

test.each(fixedSpecs)('%s differs from its pair by the import of the module only', (fixedSpec) => {
  const module = path.basename(fixedSpec, '.fixed.spec.ts')
  expect(files[fixedSpec]).not.toBe(files[specOf(fixedSpec)])
  expect(files[fixedSpec]!.replace(`'./${module}.fixed.ts'`, `'./${module}.ts'`)).toBe(files[specOf(fixedSpec)])
})

describe('run once by plain Vitest', () => {
  let result: Run
  beforeAll(async () => {
    const plain = Object.entries(files).map(([name, text]) => [name, text.replace("{ dporTest } from 'vitest-dpor'", "{ test as dporTest } from 'vitest'")])
    result = await run(project('examples-plain', { ...Object.fromEntries(plain), 'vitest.config.ts': 'export default {}' }))
  })

  test('only the bug of the first example shows', () => {
    expect(result.output).toContain('1 failed | 9 passed (10)')
    expect(result.output).toMatch(/FAIL {2}01-account\/account\.spec\.ts/)
  })

  test.each(fixedSpecs.map(specOf))('%s says so', (spec) => {
    expect(files[spec]!.includes('// Run once,')).toBe(!spec.startsWith('01'))
  })
})
