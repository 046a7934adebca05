import { describe, expect, test } from 'vitest'
import { commandLineOptions } from '../../plugin/command-line.ts'

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

  test('what is not an option is refused', () => {
    expect(() => parse('--dpor.max-execution=5')).toThrow(/no option 'maxExecution'.*command line/)
    expect(() => parse('--dpor.max-executions=many')).toThrow(/'maxExecutions' must be a number/)
    expect(() => parse('--dpor')).toThrow(/--dpor.name=value/)
  })
})
