import { describe, expect, test } from 'vitest'
import { leftOutByComments } from '../../src/testing/comments.ts'

const leaves = (text: string, ...names: string[]): boolean => leftOutByComments(text)(names)

describe('a comment `dpor: off`', () => {
  test('leaves out the test below it, and no other', () => {
    const text = `import { test } from 'vitest'\n\ntest('a', () => {})\n// dpor: off, talks to a printer\ntest('b (1)', () => {})\ntest('c', () => {})\n`
    expect(['a', 'b (1)', 'b 1', 'c'].map((name) => leaves(text, name))).toEqual([false, true, false, false])
  })

  test('or the suite, with all that is in it', () => {
    const text = `  /* dpor: off */\n\n  // slow\n  describe.concurrent("it's", () => {})\n`
    expect(leaves(text, "it's", 'a test')).toBe(true)
    expect(leaves(text, 'other', 'a test')).toBe(false)
  })

  test('or tests whose names have values in them', () => {
    const text = `import a from 'a'\n// dpor: off\ntest.each([1, 2])('adds %i', () => {})\n// dpor: off\nit(\`of \${name}, $key.x\`, () => {})`
    expect(leaves(text, 'adds 2')).toBe(true)
    expect(leaves(text, 'of a, b')).toBe(true)
    expect(leaves(text, 'adds')).toBe(false)
  })

  test('or the whole file, where it stands before all code', () => {
    expect(leaves(`// A licence.\n\n// dpor: off\nimport { test } from 'vitest'\n`, 'a')).toBe(true)
    expect(leaves(`import { test } from 'vitest'\n// dpor: off\nconst x = 1\n`, 'a')).toBe(false)
  })

  test('in code it says nothing', () => {
    expect(leaves(`test('a', () => {}) // dpor: off\n`, 'a')).toBe(false)
    expect(leaves(`// dpor: offline\ntest('a', () => {})\n`, 'a')).toBe(false)
  })
})
