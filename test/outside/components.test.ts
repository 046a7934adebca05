import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { own, project, run } from './project.ts'

const versions: Readonly<Record<string, string>> = {
  '@sveltejs/vite-plugin-svelte': '7.3.1', '@testing-library/svelte': '5.4.2', '@vitejs/plugin-vue': '6.0.11', '@vue/test-utils': '2.6.0', 'core-js': '3.51.0', 'jsdom': '29.1.1', 'svelte': '5.57.3', 'vue': '3.5.45',
}

const config = (plugins: string): string => `import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import vue from '@vitejs/plugin-vue'
import { dpor } from 'vitest-dpor/plugin'
import { defineConfig } from 'vitest/config'
export default defineConfig({ test: { projects: [
  { plugins: ${plugins.replace('others', 'vue()')}, test: { name: 'vue', testTimeout: 60_000, include: ['vue.spec.ts'], setupFiles: ['core-js/stable'] } },
  { plugins: ${plugins.replace('others', 'svelte({ configFile: false }), svelteTesting()')}, test: { name: 'svelte', testTimeout: 60_000, include: ['svelte.spec.ts'] } },
] } })
`

const files = path.join(import.meta.dirname, 'components')

const orders: Readonly<Record<string, string>> = { 'before.config.ts': '[dpor(), others]', 'behind.config.ts': '[others, dpor()]' }

describe('components in files that plugins compile', () => {
  let folder: string
  beforeAll(() => {
    folder = project('components', {
      'package.json': JSON.stringify({ private: true, type: 'module', dependencies: { ...versions, ...own() } }),
      ...Object.fromEntries(Object.entries(orders).map(([name, plugins]) => [name, config(plugins)])),
      ...Object.fromEntries(readdirSync(files).map((name) => [name, readFileSync(path.join(files, name), 'utf8')])),
    })
    execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, shell: process.platform === 'win32', stdio: 'pipe' })
  }, 300_000)

  test.each(Object.keys(orders))('what they share is seen, and a race is told in the lines of the component as it is written, %s', async (name) => {
    const { names, output, test: report } = await run(folder, '--config', name, '--', '--dpor', '--dpor.test-time=30s')
    expect(output).toMatch(/^ DPOR {2}4 tests: 2 races, 2 hold/m)
    for (const one of names) expect([one, report(one).status], output).toEqual([one, one.endsWith('without') ? 'passed' : 'failed'])
    expect(report('a Vue component, with a race').message).toMatch(/Last write wins on shown\.value: .* wrote "result of\s+a" over the\s+"result of\s+ab"/)
    expect(report('a Vue component, with a race').message).toMatch(/Search\.vue:12 +update value "" -> "result of ab"/)
    expect(report('a Svelte component, with a race').message).toMatch(/Search\.svelte:7/)
  }, 180_000)
})
