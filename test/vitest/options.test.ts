import { expect, test } from 'vitest'
import { splitForVitest } from '../../src/vitest/options.ts'

test('options of an exploration and those of test() are told apart by name', () => {
  expect(splitForVitest({ seed: 1, timeout: 5, retry: 2, part: '1/2', tags: ['slow'] })).toEqual({
    dpor: { seed: 1, part: '1/2' },
    vitest: { timeout: 5, retry: 2, tags: ['slow'] },
  })
})

test.each([
  [{ maxExecution: 5 }, /^option 'maxExecution' is 5: no such option; there are algorithm, .*, onInconclusive, and those of Vitest's test\(\)$/],
  [{ include: 'src' }, /^option 'include' is 'src': it can be set only in dpor\(\{ \.\.\. \}\) in the Vitest config$/],
])('%o is refused', (options, message) => {
  expect(() => splitForVitest(options as never)).toThrow(message)
})
