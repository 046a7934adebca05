import { expect, test } from 'vitest'
import { inert } from '../../src/runtime/calls/inert.ts'
import { rewritten } from './execute.ts'

/** Bodies that throw what the language throws. */
const bodies = ['let o; o.a', 'let o; o.a.b()', 'let o = {}; o.a.b = 1', 'let o; o.a++', 'let o; o.a += 1', 'let o; o.a ??= 1', 'let f; f()', 'const o = {}; o.m(o.n())', 'new (() => {})()', 'const { a } = undefined', '[...undefined]', 'for (const x of {}) ;']

test.each(bodies)('the stack of the error of `%s` begins with the code that throws it', (body) => {
  // oxlint-disable-next-line no-new-func
  const run = new Function('__dpor', `'use strict';${rewritten(`function thrower() { ${body} } thrower()`)}`) as (runtime: unknown) => void
  let stack = ''
  try {
    run(inert)
  } catch (error) {
    stack = (error as Error).stack!
  }
  expect(stack.split('\n').find((line) => line.startsWith('    at '))).toContain('thrower')
})
