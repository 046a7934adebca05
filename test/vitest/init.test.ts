import { describe, expect, test } from 'vitest'
import { projectsIn, withPlugin } from '../../src/vitest/init/config-edit.ts'
import { lineDiff } from '../../src/vitest/init/line-diff.ts'
import { withScript } from '../../src/vitest/init/script-edit.ts'

const edited = (text: string, file = 'vitest.config.ts') => withPlugin(text, file, { isDefault: false })

describe('the plugin is added to a config', () => {
  test.each([
    [
      'that has none',
      `import { defineConfig } from 'vitest/config'\n\nexport default defineConfig({\n  test: { globals: true },\n})\n`,
      `import { defineConfig } from 'vitest/config'\nimport { dpor } from 'vitest-dpor/plugin'\n\nexport default defineConfig({\n  plugins: [dpor()],\n  test: { globals: true },\n})\n`,
    ],
    [
      'that has others',
      `import react from "@vitejs/plugin-react";\nimport { defineConfig } from "vite";\nexport default defineConfig({ plugins: [react()] });\n`,
      `import react from "@vitejs/plugin-react";\nimport { defineConfig } from "vite";\nimport { dpor } from "vitest-dpor/plugin";\nexport default defineConfig({ plugins: [react(), dpor()] });\n`,
    ],
    ['without options', `export default {}`, `import { dpor } from 'vitest-dpor/plugin'\nexport default {\n  plugins: [dpor()]\n}`],
    ['with an empty list', `export default { plugins: [] }`, `import { dpor } from 'vitest-dpor/plugin'\nexport default { plugins: [dpor()] }`],
    ['whose list comes from elsewhere', `export default { plugins: all(), a }`, `import { dpor } from 'vitest-dpor/plugin'\nexport default { plugins: [all(), dpor()], a }`],
    ['whose list has the name', `export default { plugins }`, `import { dpor } from 'vitest-dpor/plugin'\nexport default { plugins: [plugins, dpor()] }`],
    ['that is a function', `export default defineConfig(() => { return { test: {} } })`, `import { dpor } from 'vitest-dpor/plugin'\nexport default defineConfig(() => { return { plugins: [dpor()], test: {} } })`],
    ['that returns at once', `export default defineConfig(async () => ({ test: {} }))`, `import { dpor } from 'vitest-dpor/plugin'\nexport default defineConfig(async () => ({ plugins: [dpor()], test: {} }))`],
    ['that adds to another', `export default mergeConfig(base, defineConfig({ test: {} }))`, `import { dpor } from 'vitest-dpor/plugin'\nexport default mergeConfig(base, defineConfig({ plugins: [dpor()], test: {} }))`],
    ['that is that of another file', `import base from '../base'\nexport default base\n`, `import base from '../base'\nimport { mergeConfig } from 'vitest/config'\nimport { dpor } from 'vitest-dpor/plugin'\nexport default mergeConfig(base, { plugins: [dpor()] })\n`],
    ['that adds nothing of its own', `import { mergeConfig } from 'vitest/config'\nimport { a, b } from '../base'\nexport default mergeConfig(a, b)\n`, `import { mergeConfig } from 'vitest/config'\nimport { a, b } from '../base'\nimport { dpor } from 'vitest-dpor/plugin'\nexport default mergeConfig(a, mergeConfig(b, { plugins: [dpor()] }))\n`],
    ['in a variable', `const config = { test: {} } satisfies UserConfig\nexport default config`, `import { dpor } from 'vitest-dpor/plugin'\nconst config = { plugins: [dpor()], test: {} } satisfies UserConfig\nexport default config`],
    ['as CommonJS', `const { defineConfig } = require('vitest/config');\nmodule.exports = defineConfig({ test: {} });\n`, `const { defineConfig } = require('vitest/config');\nconst { dpor } = require('vitest-dpor/plugin');\nmodule.exports = defineConfig({ plugins: [dpor()], test: {} });\n`],
    ['as CommonJS that loads nothing', `'use strict'\nmodule.exports = {}\n`, `'use strict'\nconst { dpor } = require('vitest-dpor/plugin')\nmodule.exports = {\n  plugins: [dpor()]\n}\n`],
    ['with a comment behind an import', `import a from 'a' // as it is\nexport default {}`, `import a from 'a' // as it is\nimport { dpor } from 'vitest-dpor/plugin'\nexport default {\n  plugins: [dpor()]\n}`],
    ['with a reference that has to come first', `/// <reference types="vitest" />\nexport default { a }`, `/// <reference types="vitest" />\nimport { dpor } from "vitest-dpor/plugin"\nexport default { plugins: [dpor()], a }`],
    ['with the line ends of Windows', `import a from 'a'\r\nexport default { a }\r\n`, `import a from 'a'\r\nimport { dpor } from 'vitest-dpor/plugin'\r\nexport default { plugins: [dpor()], a }\r\n`],
    [
      'with projects of its own',
      `export default { test: { projects: ['a', { test: {} }, { extends: true, test: {} }, { extends: false }, defineProject({ plugins: [b] })] } }`,
      `import { dpor } from 'vitest-dpor/plugin'\nexport default { plugins: [dpor()], test: { projects: ['a', { plugins: [dpor()], test: {} }, { extends: true, test: {} }, { plugins: [dpor()], extends: false }, defineProject({ plugins: [b, dpor()] })] } }`,
    ],
  ])('%s', (_, before, after) => {
    expect(edited(before, /require|module/.test(before) ? 'vitest.config.cjs' : 'vitest.config.ts')).toBe(after)
    expect(edited(after)).toBe(after)
  })

  test('and to the projects in it that do not have what it has', () => {
    const text = `export default { test: { projects: [{ test: {} }, { extends: true }, { extends: false }] } }`
    const given = (isDefault: boolean) => /projects.*/.exec(withPlugin(text, 'vitest.config.ts', { isDefault })!)![0]
    expect(given(false)).toBe('projects: [{ plugins: [dpor()], test: {} }, { extends: true }, { plugins: [dpor()], extends: false }] } }')
    expect(given(true)).toBe('projects: [{ test: {} }, { extends: true }, { plugins: [dpor()], extends: false }] } }')
  })

  test('and nothing is guessed', () => {
    expect(edited(`export default load()`)).toBeUndefined()
    expect(edited(`export default {`)).toBeUndefined()
    expect(edited(`export const x = {}`)).toBeUndefined()
  })

  test('other projects are found by their names', () => {
    expect(projectsIn(`export default { test: { projects: ['packages/*', { test: {} }, './apps/web'] } }`, 'vitest.config.ts')).toEqual(['packages/*', './apps/web'])
    expect(projectsIn(`export default {}`, 'vitest.config.ts')).toEqual([])
  })
})

test.each([
  ['{"name":"a","version":"1"}', '{"name":"a","version":"1","scripts":{"x":"y"}}'],
  ['{ "name": "a", "n": 1e3 }\n', '{ "name": "a", "n": 1e3, "scripts": { "x": "y" } }\n'],
  ['{ "private": true }', '{ "private": true, "scripts": { "x": "y" } }'],
  ['{}', '{\n  "scripts": {\n    "x": "y"\n  }\n}'],
  ['{\n\t"name": "a",\n\t"files": ["a", "b"]\n}\n', '{\n\t"name": "a",\n\t"files": ["a", "b"],\n\t"scripts": {\n\t\t"x": "y"\n\t}\n}\n'],
  ['{\r\n  "name": "a"\r\n}\r\n', '{\r\n  "name": "a",\r\n  "scripts": {\r\n    "x": "y"\r\n  }\r\n}\r\n'],
  ['{\n  "scripts": { "a": "b" },\n  "type": "module"\n}', '{\n  "scripts": { "a": "b", "x": "y" },\n  "type": "module"\n}'],
  ['{\n  "scripts": {},\n  "type": "module"\n}', '{\n  "scripts": {\n    "x": "y"\n  },\n  "type": "module"\n}'],
  ['{\n    "scripts": {\n        "a": "b",\n        "c": "d"\n    }\n}', '{\n    "scripts": {\n        "a": "b",\n        "c": "d",\n        "x": "y"\n    }\n}'],
])('a script is added to a package.json as it is laid out: %j', (before, after) => {
  expect(withScript(before, { name: 'x', command: 'y' })).toBe(after)
})

test('lines that go and come are shown in their places, those that stay are not', () => {
  const show = (before: string, after: string) => lineDiff([...before], [...after]).map(({ line, isNew }) => (isNew ? '+' : '-') + line)
  expect(show('a{}', 'a{b}')).toEqual(['+b'])
  expect(show('a{1}', 'a{2}{3}')).toEqual(['-1', '+2', '+{', '+3', '+}'])
  expect(show('', 'ab')).toEqual(['+a', '+b'])
  expect(show('ab', '')).toEqual(['-a', '-b'])
})
