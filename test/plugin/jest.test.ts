import { expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'

const codeOf = (source: string): string => rewrite(source, '/a.js')!.code

test('a factory of jest.mock() stays as it is written, by whichever way jest came', () => {
  const mock = "jest.mock('./a', () => ({ load: async (id) => { counts.n++; return id } }))"
  expect(codeOf(`${mock}\nlet counts = { n: 0 }`)).toContain(mock)
  expect(codeOf(`import { jest } from '@jest/globals'\n${mock}\nlet counts = { n: 0 }`)).toContain(mock)
})

test('a method of that name of anything else is instrumented', () => {
  const mock = "tools.mock('./a', () => counts.n)"
  expect(codeOf(`const tools = {}, counts = { n: 0 }\n${mock}`)).not.toContain(mock)
  const own = "jest.mock('./a', () => counts.n)"
  expect(codeOf(`const jest = {}, counts = { n: 0 }\n${own}`)).not.toContain(own)
})
