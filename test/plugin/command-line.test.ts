import { describe, expect, test } from 'vitest'
import { commandLine, saidByApi, saidOnCommandLine } from '../../plugin/command-line.ts'
import { PluginOptionError } from '../../plugin/options.ts'

const parse = (...rest: string[]) => commandLine(saidOnCommandLine({ argv: ['node', 'vitest', 'run', '--', ...rest], env: {} })).options

describe('options on the command line', () => {
  test('numbers, flags and texts, in kebab case', () => {
    expect(parse('--dpor.max-executions=500', '--dpor.stop-on-first=false', '--dpor.on-inconclusive=fail')).toEqual({
      maxExecutions: 500,
      stopOnFirst: false,
      onInconclusive: 'fail',
    })
  })

  test('a schedule stays text, whatever it looks like', () => {
    for (const replay of ['0', '0x2', '1.10', '1e5']) expect(parse(`--dpor.replay=${replay}`)).toEqual({ replay })
  })

  test('nothing before the -- and nothing of others', () => {
    expect(saidOnCommandLine({ argv: ['node', 'vitest', '--dpor.seed=1'], env: {} })).toEqual([])
    expect(parse('--other', 'x')).toEqual({})
  })

  test('a name alone says true, and numbers may be infinite', () => {
    expect(parse('--dpor.stop-on-first', '--dpor.max-steps=Infinity', '--dpor.part=1/4')).toEqual({ stopOnFirst: true, maxSteps: Infinity, part: '1/4' })
  })

  test.each([
    ['--dpor.max-execution=5', "option 'maxExecution' is '5': no such option; there are algorithm, "],
    ['--dpor.max-executions=many', "option 'maxExecutions' is 'many': give a whole number of at least 1, or Infinity"],
    ['--dpor.replay', "option 'replay' is true: give the schedule that a failure printed, a string such as 0x2.1.2"],
    ['--dpor.max-time=', "option 'maxTime' is '': give a positive number of milliseconds, or Infinity"],
    ['--dpor.inline=p-map', "option 'inline' is 'p-map': it can be set only in dpor({ ... }) in the Vitest config"],
    ['--dpor.', "'--dpor.' is not of the form --dpor or --dpor.name=value"],
  ])('%s is refused', (argument, message) => {
    expect(() => parse(argument)).toThrow(PluginOptionError)
    expect(() => parse(argument)).toThrow(`vitest-dpor: ${message}`)
    expect(() => parse(argument)).toThrow('Correct the command line.')
  })

  test('with --dpor there are options of the run, and times have units', () => {
    const said = ['--dpor', '--dpor.races=warn', '--dpor.max-time=5m', '--dpor.test-executions=20', '--dpor.max-steps=5']
    expect(commandLine(said)).toEqual({ options: { maxSteps: 5 }, run: { races: 'warn', maxTime: 300_000, maxExecutions: Infinity, testTime: undefined, testExecutions: 20, noCache: false }, isForChanged: false, isSplit: false })
    expect(commandLine(['--dpor.max-time=1.5s'])).toEqual({ options: { maxTime: 1500 }, run: undefined, isForChanged: false, isSplit: false })
  })

  test('it may be for what has changed, and for one of several machines', () => {
    expect(commandLine(['--dpor=changed', '--dpor.races=warn'])).toMatchObject({ options: {}, run: { races: 'warn' }, isForChanged: true })
    expect(commandLine(['--dpor.split'])).toMatchObject({ options: {}, run: undefined, isSplit: true })
  })

  test('it is said in four ways', () => {
    const said = (argv: string[], env: Record<string, string> = {}) => saidOnCommandLine({ argv: ['node', 'vitest', ...argv], env })
    expect(said(['--', '--dpor', '--other'])).toEqual(['--dpor'])
    expect(said([], { DPOR: '1' })).toEqual(['--dpor'])
    expect(said([], { DPOR: '0' })).toEqual([])
    expect(said([], { VITEST_DPOR: '["--dpor","--dpor.seed=1"]' })).toEqual(['--dpor', '--dpor.seed=1'])
    expect(saidByApi(true)).toEqual(['--dpor'])
    expect(saidByApi({ maxTime: 5, races: 'warn' })).toEqual(['--dpor', '--dpor.max-time=5', '--dpor.races=warn'])
    expect(saidByApi(undefined)).toEqual([])
  })

  test('one error names all that is wrong', () => {
    expect(() => parse('--dpor.seed=-1', '--dpor.stop-on-first=maybe')).toThrow("'seed' is '-1': give a whole number of at least 0; and option 'stopOnFirst' is 'maybe': give true or false")
  })
})
