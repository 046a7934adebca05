import { describe, expect, test } from 'vitest'
import { projectsIn, withPlugin } from '../../src/vitest/init/config-edit.ts'

const edited = (text: string, file = 'vitest.config.ts') => withPlugin(text, file)

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
    ['in a variable', `const config = { test: {} } satisfies UserConfig\nexport default config`, `import { dpor } from 'vitest-dpor/plugin'\nconst config = { plugins: [dpor()], test: {} } satisfies UserConfig\nexport default config`],
    ['as CommonJS', `const { defineConfig } = require('vitest/config');\nmodule.exports = defineConfig({ test: {} });\n`, `const { dpor } = require('vitest-dpor/plugin');\nconst { defineConfig } = require('vitest/config');\nmodule.exports = defineConfig({ plugins: [dpor()], test: {} });\n`],
  ])('%s', (_, before, after) => {
    expect(edited(before, before.includes('require') ? 'vitest.config.cjs' : 'vitest.config.ts')).toBe(after)
    expect(edited(after)).toBe(after)
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
