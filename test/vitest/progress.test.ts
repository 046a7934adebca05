import { expect, test } from 'vitest'
import { progressText } from '../../src/vitest/progress-text.ts'

const progress = { type: 'dpor:progress', executions: 1200, blocked: 0, steps: 9000, estimate: 4213, estimateRange: [1912, 9249], milliseconds: 2000 } as const

test('what goes on says how far it is, how fast, and how long it may take', () => {
  expect(progressText(progress)).toBe('1200 executions so far, 600 a second, about 4200 in all (1900 to 9200), 6 s left')
  expect(progressText({ ...progress, blocked: 600 })).toMatch(/^1200 executions so far, 900 a second, /)
  expect(progressText({ ...progress, estimate: 1_201_200 })).toMatch(/ 33 min left$/)
  expect(progressText({ ...progress, estimate: 99_000_000 })).toMatch(/ 46 h left$/)
  expect(progressText({ ...progress, estimate: 3e13 })).toMatch(/, about 3·10\^13 in all .*, years left$/)
})

test('where there is no telling, nothing is told', () => {
  expect(progressText({ ...progress, estimateRange: undefined })).toBe('1200 executions so far, 600 a second')
})
