import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'

const containers = [
  '<A b={{ c: 1 }} />',
  '<A>{(item) => <B item={item} />}</A>',
  '<A b={() => call({ c: [1] })}>{[1, 2]}</A>',
  '<A b={function () {}} c={class {}} d={o?.p.q} e={o.p ?? {}} f={x => (x.y = {})} />',
  '<A b={(o.p, {})} c={o.p++} d={o[k] += 1} e={new Map()} f={`${o.p}`} />',
  'f(<A b={{ c: o.p }}>{o.list.map((x) => ({ ...x }))}</A>)',
  '<>{/* nothing */}{...o.list}{c ? { d: 1 } : [2]}</>',
]

// Oxc up to 1.1 of Rolldown, and so Vite 8.1, refuses it.
test.each(containers)('no sequence stands by itself in the braces of JSX, in parentheses or not: %s', (source) => {
  const { code } = rewrite(`export const made = (o, k, c, call, f) => ${source}`, '/app/made.jsx')!
  const { program, errors } = parseSync('made.jsx', code, { preserveParens: false })
  expect(errors).toEqual([])
  const held: string[] = []
  new Visitor({ JSXExpressionContainer: ({ expression }) => void held.push(expression.type) }).visit(program)
  expect(held).not.toContain('SequenceExpression')
})
