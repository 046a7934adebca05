import { describe, expect, test } from 'vitest'
import { commandLineOptions } from '../../plugin/command-line.ts'
import { PluginOptionError } from '../../plugin/options.ts'

const parse = (...rest: string[]) => commandLineOptions(['node', 'vitest', 'run', '--', ...rest])

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
    expect(commandLineOptions(['node', 'vitest', '--dpor.seed=1'])).toEqual({})
    expect(parse('--other', 'x')).toEqual({})
  })

  test('a name alone says true, and numbers may be infinite', () => {
    expect(parse('--dpor.stop-on-first', '--dpor.max-steps=Infinity', '--dpor.part=1/4')).toEqual({ stopOnFirst: true, maxSteps: Infinity, part: '1/4' })
  })

  test.each([
    ['--dpor.max-execution=5', "option 'maxExecution' is '5': no such option; there are algorithm, maxExecutions,"],
    ['--dpor.max-executions=many', "option 'maxExecutions' is 'many': give a whole number of at least 1, or Infinity"],
    ['--dpor.replay', "option 'replay' is true: give the schedule that a failure printed, a string such as 0x2.1.2"],
    ['--dpor.max-time=', "option 'maxTime' is '': give a positive number of milliseconds, or Infinity"],
    ['--dpor.inline=p-map', "option 'inline' is 'p-map': it can be set only in dpor({ ... }) in the Vitest config"],
    ['--dpor', "'--dpor' is not of the form --dpor.name=value"],
  ])('%s is refused', (argument, message) => {
    expect(() => parse(argument)).toThrow(PluginOptionError)
    expect(() => parse(argument)).toThrow(`vitest-dpor: ${message}`)
    expect(() => parse(argument)).toThrow('Correct the command line, behind the --.')
  })

  test('one error names all that is wrong', () => {
    expect(() => parse('--dpor.seed=-1', '--dpor.stop-on-first=maybe')).toThrow("'seed' is '-1': give a whole number of at least 0; and option 'stopOnFirst' is 'maybe': give true or false")
  })
})
