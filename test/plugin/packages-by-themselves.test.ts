import { expect, test } from 'vitest'
import { packageFilter } from '../../plugin/packages/opaque.ts'

test.each([
  ['pg', false],
  ['mysql2', false],
  ['@redis/client', false],
  // Other packages use it as well, and all that it makes is texts.
  ['sqlstring', true],
  ['@mikro-orm/knex', true],
  ['lodash', true],
  ['@babel/core', false],
  ['@babel/runtime', true],
])('without being named %s is instrumented: %s', (name, isInstrumented) => {
  expect(packageFilter({})(name)).toBe(isInstrumented)
})
