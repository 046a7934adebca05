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

test.each(['x }', 'withdraw(', 'limit', 'throw', 'Error', 'deep', 'amount, {', 'marked = 1'])('%s leads back to its column', (text) => {
  const line = lines.source.findIndex((candidate) => candidate.includes(text))
  const column = lines.code[line]!.lastIndexOf(text.split(' ')[0]!.replace(',', ''))
  const found = sourceMap.findEntry(line, text === 'marked = 1' ? lines.code[line]!.indexOf('marked') : column) as { originalLine: number; originalColumn: number }
  const word = text.split(/[ ,]/)[0]!
  const original = lines.source[found.originalLine]!.slice(found.originalColumn)
  expect([found.originalLine, original.slice(0, word.length)]).toEqual([line, word])
})

test('a call leads back to the name of its method', () => {
  const line = lines.code.findLastIndex((candidate) => candidate.includes('__dpor.callFound('))
  const found = sourceMap.findEntry(line, lines.code[line]!.indexOf('__dpor.callFound(') + '__dpor.'.length) as { originalLine: number; originalColumn: number }
  expect(found).toMatchObject({ originalLine: 7, originalColumn: lines.source[7]!.indexOf('second') })
})

test.each<[string, [call: string, line: number, column: number][]]>([
  ['a.b.c.d()', [['call', 0, 6], ['get', 0, 4], ['get', 0, 2]]],
  ['a\n  .b\n  .c = d.e', [['set', 2, 3], ['get', 1, 3], ['get', 2, 9]]],
  ['a[b](c[d.e])', [['callFound', 0, 1], ['found', 0, 1], ['get', 0, 6], ['get', 0, 9]]],
  ['a[0][b[1]]++', [['increment', 0, 4], ['get', 0, 1], ['get', 0, 6]]],
  ['[a.b, c [d]] = e', [['reference', 0, 3], ['reference', 0, 8], ['iterate', 0, 15]]],
  ['async () => { await b; return c }', [['run', 0, 13], ['suspend', 0, 20], ['returned', 0, 30]]],
  ['let b; let { a } = b', [['pattern', 0, 19], ['taken', 0, 19]]],
  ['let b; for (const a of b);', [['iterate', 0, 23], ['iterable', 0, 23]]],
  ['f(...a.b)', [['callee', 0, 0], ['iterate', 0, 5], ['get', 0, 7]]],
  ['async () => { await a.b }', [['run', 0, 13], ['suspend', 0, 20], ['get', 0, 22]]],
])('the calls of %s lead back to their places', (text, calls) => {
  const rewritten = rewrite(`${text}\n`, '/calls.ts')!
  const callMap = new SourceMap(rewritten.map as never)
  const found = rewritten.code.split('\n').flatMap((line, i) => [...line.matchAll(/(?<=__dpor\.)(?!file|made|global|asynchronous)\w+/g)].map((call) => {
    const entry = callMap.findEntry(i, call.index) as { originalLine: number; originalColumn: number }
    return [call[0], entry.originalLine, entry.originalColumn]
  }))
  expect(found).toEqual(calls)
})
