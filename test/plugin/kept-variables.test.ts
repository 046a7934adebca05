import { expect, test } from 'vitest'
import { keepVariables } from '../../plugin/packages/kept-variables.ts'

/** Runs a file twice, with what is kept put back in between; returns what it exports each time. */
function ranTwice(source: string): unknown[] {
  const kept: { get: () => unknown[]; set: (...values: unknown[]) => void }[] = []
  const runtime = { keeps: (get: () => unknown[], set: (...values: unknown[]) => void) => void kept.push({ get, set }) }
  const exports: { call?: () => unknown } = {}
  // oxlint-disable-next-line no-new-func
  new Function('exports', '__dpor', keepVariables(source, '/a.js') ?? source)(exports, runtime)
  const found = kept.map(({ get }) => get())
  const first = exports.call!()
  kept.forEach(({ set }, i) => set(...found[i]!))
  return [first, exports.call!()]
}

test.each([
  ['at the top', 'let n = 0; exports.call = () => ++n', [1, 1]],
  ['in a function that is called there', '(function () { var n = 0; exports.call = function () { return ++n } })()', [1, 1]],
  ['in one that is called on a condition', `'production' !== 'test' && (function () { var n, m = 5; exports.call = function () { n = (n || 0) + 1; return n + m++ } })()`, [6, 6]],
  ['a function that is replaced', 'let f = () => { f = () => 2; return 1 }; exports.call = () => f()', [1, 1]],
  ['before a comment that no line follows', 'let n = 0; exports.call = () => ++n // n', [1, 1]],
  ['what is kept in an object is not', 'const o = { n: 0 }; exports.call = () => ++o.n', [1, 2]],
  ['variables of functions that are called later are not', 'exports.call = (() => { let n = 0; return () => ++n })()', [1, 2]],
])('variables %s', (_name, source, results) => {
  expect(ranTwice(source)).toEqual(results)
})

test.each([
  ['a list', 'let n; const list = []; exports.call = () => list.push(1)', ['list']],
  ['what another file gives', 'const shared = exports.shared, { other } = exports; exports.call = () => 1', ['shared']],
  ['no list that is replaced', 'let list = []; exports.call = () => (list = [])', undefined],
])('of %s the holder is told', (_name, source, names) => {
  expect(/\(\) => \[(\w*)\]\);$/.exec(keepVariables(source, '/a.js')!)?.[1]?.split(', ')).toEqual(names)
})

test.each(['const n = 0; exports.n = n', 'let n = 0; exports.n = n', 'syntax error ('])('nothing is added to %s', (source) => {
  expect(keepVariables(source, '/a.js')).toBeUndefined()
})
