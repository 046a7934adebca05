import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { own, project, run, type Run } from './project.ts'

const chromium = ['chromium', 'chromium-browser', 'google-chrome'].flatMap((name) => (process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, name))).find((file) => existsSync(file))
if (chromium === undefined) console.warn('browser mode is not tested: there is no chromium on the path; install the package `chromium` of your system')

const config = `import { defineConfig } from 'vitest/config'
import { playwright } from '@vitest/browser-playwright'
import { dpor } from 'vitest-dpor/plugin'
const provider = playwright({ launchOptions: { executablePath: ${JSON.stringify(chromium)}, args: ['--no-sandbox'] } })
export default defineConfig({ plugins: [dpor()], test: { browser: { enabled: true, headless: true, provider, instances: [{ browser: 'chromium' }], screenshotFailures: false } } })
`

const spec = `import { expect, test, vi } from 'vitest'
import { dporTest } from 'vitest-dpor'
const twice = async (increase: (counter: { n: number }) => Promise<void>) => {
  const counter = { n: 0 }
  await Promise.all([increase(counter), increase(counter)])
  expect(counter.n).toBe(2)
}
dporTest('lost', () => twice(async (counter) => { const { n } = counter; await null; counter.n = n + 1 }))
dporTest('kept', () => twice(async (counter) => { await null; counter.n += 1 }))
test('ordinary', async () => { expect(await vi.fn(async () => document.title)()).toBeTypeOf('string') })
`

describe.skipIf(chromium === undefined)('in Chromium', () => {
  let result: Run

  beforeAll(async () => {
    const { vitest } = own()
    const folder = project('browser', {
      'package.json': JSON.stringify({ private: true, type: 'module', dependencies: { ...own(), '@vitest/browser-playwright': vitest, playwright: '^1.56.0' } }),
      'vitest.config.ts': config,
      'a.spec.ts': spec,
    })
    execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder, shell: process.platform === 'win32', stdio: 'pipe', env: { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' } })
    result = await run(folder, '--', '--dpor')
  })

  test('a dporTest is explored, and told as anywhere', () => {
    expect(result.test('lost')).toMatchObject({ status: 'failed', message: expect.stringMatching(/^dporTest: Lost update on counter\.n: /) })
    expect(result.test('kept')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
  })

  test('an ordinary test keeps its result, and it is said why it is not explored', () => {
    expect(result.test('ordinary').status).toBe('passed')
    expect(result.output).toContain('DPOR  1 test: 1 not explored')
    expect(result.output).toMatch(/not explored +it runs in a browser, where a dporTest can be explored, and nothing else +a\.spec\.ts > ordinary/)
  })
})
