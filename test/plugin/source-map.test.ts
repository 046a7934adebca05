import { SourceMap } from 'node:module'
import { expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'

const source = `// a comment
import { x } from './x'
export class Account {
  balance = 0; async withdraw({ amount }: { amount: number }, limit = this.balance): Promise<void> {
    if (this.balance < amount) throw new Error('too little')
    await x
      .first
      .second(amount, { deep: this.balance })
    this.balance -= amount; let marked = 1
  }
}
`

const { code, map } = rewrite(source, '/account.ts')!
const lines = { source: source.split('\n'), code: code.split('\n') }
const sourceMap = new SourceMap(map as never)

test('every line stays on its line', () => {
  expect(lines.code).toHaveLength(lines.source.length)
  for (const word of ['import', 'export class', 'balance = 0', 'throw', 'deep', 'let marked'])
    expect(lines.code.findLastIndex((line) => line.includes(word))).toBe(lines.source.findIndex((line) => line.includes(word)))
})

test.each(['x }', 'withdraw', 'limit', 'throw', 'Error', 'deep', 'amount, {', 'marked = 1'])('%s leads back to its column', (text) => {
  const line = lines.source.findIndex((candidate) => candidate.includes(text))
  const column = lines.code[line]!.lastIndexOf(text.split(' ')[0]!.replace(',', ''))
  const found = sourceMap.findEntry(line, text === 'marked = 1' ? lines.code[line]!.indexOf('marked') : column) as { originalLine: number; originalColumn: number }
  const word = text.split(/[ ,]/)[0]!
  const original = lines.source[found.originalLine]!.slice(found.originalColumn)
  expect([found.originalLine, original.slice(0, word.length)]).toEqual([line, word])
})

test('a call leads back to the name of its method', () => {
  const line = lines.code.findLastIndex((candidate) => candidate.includes('__dpor.call('))
  const found = sourceMap.findEntry(line, lines.code[line]!.indexOf('__dpor.call(') + '__dpor.'.length) as { originalLine: number; originalColumn: number }
  expect(found).toMatchObject({ originalLine: 7, originalColumn: lines.source[7]!.indexOf('second') })
})
