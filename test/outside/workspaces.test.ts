import { describe, expect, test } from 'vitest'
import { project, run } from './project.ts'
import { cache, racing } from './racing-cache.ts'

const ofProject = (name: string): Record<string, string> => ({
  [`packages/${name}/cache.ts`]: cache,
  [`packages/${name}/cache.spec.ts`]: racing,
})
const withItsOwnConfig = (name: string): Record<string, string> => ({ ...ofProject(name), [`packages/${name}/vitest.config.ts`]: `export default { test: { name: '${name}' } }\n` })

const workspace = (projects: string): string => `import { defineConfig } from 'vitest/config'
import { dpor } from 'vitest-dpor/plugin'
export default defineConfig({ plugins: [dpor()], test: { projects: ${projects} } })
`

describe('a workspace whose root config has the plugin', () => {
  test('fails with one line where none of its projects has it: nothing was explored', async () => {
    const folder = project('workspace-none', { 'vitest.config.ts': workspace("['packages/*']"), ...withItsOwnConfig('one') })
    const { code, output } = await run(folder, '--', '--dpor')
    expect(output).toContain('Tests  3 passed')
    expect(output).toContain('vitest-dpor: nothing was explored, as no project of the workspace has the plugin')
    expect(output).toContain('Add dpor() to the plugins of their own configs')
    expect(code).toBe(1)
    expect(await run(folder)).toMatchObject({ code: 0, output: expect.not.stringContaining('vitest-dpor:') as string })
  })

  test('names the projects that do not have it, and counts their tests', async () => {
    const folder = project('workspace-some', { 'vitest.config.ts': workspace("['packages/one', { extends: true, test: { name: 'two', root: './packages/two' } }]"), ...withItsOwnConfig('one'), ...ofProject('two') })
    const { code, output } = await run(folder, '--', '--dpor')
    expect(output).toContain('DPOR  6 tests: 1 race, 1 holds, 1 has no concurrency, 3 not explored')
    expect(output).toMatch(/race {2}\|two\| cache\.spec\.ts > the last refresh wins/)
    expect(output).toMatch(/not explored {2}the project one does not have the plugin: add dpor\(\) to the plugins of its config, or `extends: true` where the root config has it {2}\|one\| cache\.spec\.ts > /)
    expect(code).toBe(1)
  })

  test('does not explore a project twice that has it as well', async () => {
    const folder = project('workspace-twice', { 'vitest.config.ts': workspace("[{ extends: true, plugins: [dpor({ maxExecutions: 300 })], test: { name: 'one', root: './packages/one' } }]"), ...ofProject('one') })
    expect((await run(folder, '--', '--dpor')).output).toContain('DPOR  3 tests: 1 race, 1 holds, 1 has no concurrency')
  })
})
