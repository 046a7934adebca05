import { describe, expect, test } from 'vitest'
import { namingProject } from './naming-plugin.ts'
import { config, project, run } from './project.ts'

const kinds = {
  'is to come after others': { plugin: "enforce: 'post'," },
  'is to come after others by its hook': { hook: "order: 'post'," },
  'comes after what takes out types': {},
  'is to come before others, and stands behind': { plugin: "enforce: 'pre'," },
  'stands behind and comes before all by its hook': { hook: "order: 'pre'," },
  'is for some files': { plugin: "enforce: 'post',", hook: 'filter: { id: /cache/ },' },
}

describe('a plugin of the project that changes files', () => {
  test.each(Object.entries(kinds))('finds them as they are written if it %s, and places are those of the file', async (kind, asked) => {
    const { output, test: report } = await run(project(`plugins-${Object.keys(kinds).indexOf(kind)}`, namingProject(asked)), '--', '--dpor')
    expect(report('is named'), output).toMatchObject({ status: 'passed', found: { found: 'alone' } })
    expect(report('is mocked')).toMatchObject({ status: 'passed' })
    const race = report('the last refresh wins')
    expect(race.found).toMatchObject({ found: 'race', race: { file: 'cache.ts', line: 13, code: 'this.values.set(key, value)' } })
    expect(race.message).toMatch(/cache\.ts:13 +write values\.get\("a"\)/)
    expect(output).toContain('DPOR  3 tests: 1 race, ')
  })
})

/** Two ways to load it: for browsers one that counts at once, else one that loses an update. */
const counting = {
  'node_modules/counting/package.json': '{ "name": "counting", "type": "module", "exports": { "browser": "./browser.js", "default": "./index.js" } }',
  'node_modules/counting/browser.js': 'export class Counter { n = 0; async add() { const n = this.n; await null; this.n = n + 1 } }\n',
  'node_modules/counting/index.js': 'export class Counter { n = 0; async add() { this.n++ } }\n',
  'counting.spec.ts': `import { expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { Counter } from 'counting'
dporTest('two of a browser', async () => {
  const counter = new Counter()
  await Promise.all([counter.add(), counter.add()])
  expect(counter.n).toBe(2)
})
`,
  'vitest.config.ts': config().replace('plugins:', "ssr: { resolve: { conditions: ['browser', 'module'] } }, plugins:"),
}

test('packages are seen where a project, or a plugin of it, loads them as browsers do', async () => {
  const { output, test: report } = await run(project('plugins-conditions', counting))
  expect(output).not.toContain('cannot be instrumented')
  expect(report('two of a browser'), output).toMatchObject({ status: 'failed', dpor: { verdict: 'fails', packages: ['counting'] } })
})
