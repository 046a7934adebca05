import { describe, expect, test } from 'vitest'
import { config, project, run } from './project.ts'

const spec = (options: string): string => `import { dporTest } from 'vitest-dpor'
dporTest('explored', ${options}, async () => {
  const own = { n: 0 }
  await Promise.all([1, 2, 3].map(async (i) => { await null; own.n = own.n * 2 + i }))
})
`

describe('the options of a test', () => {
  test('are checked, each with one clear error', async () => {
    const wrong: Record<string, [options: string, message: RegExp]> = {
      unknown: ["{ maxExecution: 5 }", /maxExecution.*no such option.*maxExecutions/],
      negative: ['{ maxExecutions: -1 }', /maxExecutions.*-1/],
      text: ["{ maxSteps: 'many' }", /maxSteps.*many/],
      algorithm: ["{ algorithm: 'magic' }", /algorithm.*magic/],
      interleave: ["{ interleave: 'access' }", /interleave.*access.*give 'await' or 'event-loop'/],
      reaction: ["{ onInconclusive: 'ignore' }", /onInconclusive.*ignore.*'pass', 'warn' or 'fail'/],
      reproduce: ['{ reproduce: 0 }', /reproduce.*0.*at least 1/],
      absent: ['{ workers: 2 }', /workers.*no such option.*maxExecutions/],
      elsewhere: ['{ include: \'src\' }', /include.*'src'.*it can be set only in dpor\(/],
    }
    const files = Object.entries(wrong).map(([name, [options]]) => [`${name}.spec.ts`, spec(options).replace("'explored'", `'${name}'`)])
    const { code, output, test: report } = await run(project('wrong-options', Object.fromEntries(files) as Record<string, string>))
    expect(code).toBe(1)
    for (const [name, [, message]] of Object.entries(wrong)) {
      const shown = output.split(' FAIL  ').filter((section) => section.startsWith(`${name}.spec.ts`))
      expect(shown, name).toHaveLength(1)
      expect(shown[0], name).toMatch(message)
      expect(shown[0], name).toMatch(/OptionError/)
      if (!['unknown', 'absent', 'elsewhere'].includes(name)) expect(report(name).dpor, name).toBeUndefined()
    }
  })

  test('win over those of the plugin', async () => {
    const { code, test: report } = await run(project('nearest', {
      'vitest.config.ts': config("{ maxExecutions: 2, onInconclusive: 'pass' }"),
      'a.spec.ts': spec('{}') + spec('{ maxExecutions: 3 }').replace("'explored'", "'own bound'").replace(/^import.*\n/, ''),
    }))
    expect(code).toBe(0)
    expect(report('explored').dpor).toMatchObject({ verdict: 'inconclusive', executions: 2, inconclusiveReason: expect.stringContaining('maxExecutions') })
    expect(report('own bound').dpor).toMatchObject({ verdict: 'inconclusive', executions: 3 })
  })

  test('onInconclusive says what an exploration that a bound ended means', async () => {
    const bounded = (reaction: string) => spec(`{ maxExecutions: 2, onInconclusive: '${reaction}' }`).replace("'explored'", `'${reaction}'`)
    const { code, output, test: report } = await run(project('inconclusive', Object.fromEntries(['pass', 'warn', 'fail'].map((name) => [`${name}.spec.ts`, bounded(name)]))))
    expect(code).toBe(1)
    expect(['pass', 'warn', 'fail'].map((name) => report(name).status)).toEqual(['passed', 'passed', 'failed'])
    expect(report('fail').message).toMatch(/^InconclusiveError: inconclusive after 2 executions: maxExecutions.* Races in one execution: \d+ on /)
    expect(output).toMatch(/stderr \| warn\.spec\.ts[^\n]*\n[^\n]*inconclusive after 2/)
    expect(output).not.toMatch(/stderr \| pass\.spec\.ts/)
    expect(output).toMatch(/inconclusive +.*pass.*maxExecutions/)
  })
})

describe('options on the command line, behind a --', () => {
  const failing = `import { dporTest } from 'vitest-dpor'
dporTest('fails by itself', async () => { await null; throw new Error('always') })
`

  test('win over those of a test and of the config', async () => {
    const folder = project('command-line', { 'vitest.config.ts': config('{ maxExecutions: 5 }'), 'a.spec.ts': spec("{ maxExecutions: 4, onInconclusive: 'pass' }") })
    const { code, test: report } = await run(folder, '--', '--dpor.max-executions=3')
    expect(code).toBe(0)
    expect(report('explored').dpor).toMatchObject({ verdict: 'inconclusive', executions: 3 })
  })

  // Looks like a number, and is none.
  test('a replay such as 0x2', async () => {
    const folder = project('command-line-replay', { 'a.spec.ts': failing })
    const first = await run(folder)
    expect(first.test('fails by itself').dpor).toMatchObject({ schedule: '0x2' })
    const replayed = await run(folder, '--', '--dpor.replay=0x2')
    expect(replayed.test('fails by itself')).toMatchObject({ dpor: { verdict: 'fails', executions: 1, schedule: '0x2' } })
  })

  test.each([
    ['--dpor.max-execution=3', /option 'maxExecution' is '3': no such option; there are algorithm.*command line/],
    ['--dpor.max-executions=many', /option 'maxExecutions' is 'many': give a whole number.*command line/],
    ['--dpors', /'--dpors' is not of the form --dpor or --dpor\.name=value.*command line/],
  ])('%s: one clear error', async (argument, message) => {
    const { code, output } = await run(project('command-line-wrong', { 'a.spec.ts': failing }), '--', argument)
    expect(code).toBe(1)
    expect(output).toMatch(message)
  })
})

describe('the plugin', () => {
  test('is asked for when it is missing', async () => {
    const { code, output, test: report } = await run(project('no-plugin', { 'vitest.config.ts': 'export default {}', 'a.spec.ts': spec('{}') }))
    expect(code).toBe(1)
    expect(report('explored').message).toMatch(/^PluginMissingError: .*vitest\.config\.ts.*vitest-dpor\/plugin.*plugins: \[dpor\(\)\]/)
    expect(output.match(/PluginMissingError/g)).toHaveLength(1)
  })

  test('without it, explore() says the same', async () => {
    const { test: report } = await run(project('no-plugin-explore', {
      'vitest.config.ts': 'export default {}',
      'a.spec.ts': `import { test } from 'vitest'
import { explore } from 'vitest-dpor'
test('explore', async () => { await explore(async () => {}) })
`,
    }))
    expect(report('explore').message).toMatch(/^PluginMissingError/)
  })

  test.each([
    ['a wrong name', "{ maxExecution: 5, algorithm: 'magic' }", /option 'maxExecution' is 5: no such option; there are .*; and option 'algorithm' is 'magic': give 'source', .*Correct dpor/],
    ['a wrong type', "{ maxTime: '5s' }", /option 'maxTime' is '5s': give a positive number of milliseconds/],
  ])('refuses %s in one error', async (_, options, message) => {
    const { code, output } = await run(project('plugin-options', { 'vitest.config.ts': config(options), 'a.spec.ts': spec('{}') }))
    expect(code).toBe(1)
    expect(output).toMatch(message)
    expect(output).toMatch(/PluginOptionError/)
  })

  test('a spec that it leaves out is not explored without a word', async () => {
    const { code, test: report } = await run(project('excluded', { 'vitest.config.ts': config("{ exclude: ['**/*.spec.ts'] }"), 'a.spec.ts': spec('{}') }))
    expect(code).toBe(1)
    expect(report('explored').message).toMatch(/no file is instrumented.*`include` and `exclude`/)
  })
})
