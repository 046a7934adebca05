import { expect, test } from 'vitest'
import { addedCode, isKnownPart } from '../../plugin/packages/opaque.ts'

const library = '/app/node_modules/.pnpm/@testing-library+dom@10/node_modules/@testing-library/dom/dist/'

test.each([
  ['role', 'queryAllByRole'],
  ['label-text', 'queryAllByLabelText'],
])('the query in %s.js is left as it is, and known', (file, query) => {
  const path = `${library}queries/${file}.js`
  expect(isKnownPart(path)).toBe(true)
  expect(addedCode(path)?.behind).toContain(`connects('document queries', ${query})`)
})

test.each(['query-helpers.js', 'wait-for.js', 'screen.js'])('%s, which waits, is not', (file) => {
  expect(isKnownPart(library + file)).toBe(false)
  expect(addedCode(library + file)).toBe(undefined)
})
