import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { digest, haveChanged, inputsOf, restsOn } from '../../src/testing/held/inputs.ts'
import { withoutComments } from '../../src/testing/held/comments.ts'
import { leadsOutside, lastingVariables, reachesOutside } from '../../src/testing/held/outside.ts'

describe('what a file rests on', () => {
  let root: string
  const write = (name: string, text = ''): void => writeFileSync(path.join(root, name), text)
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'held-'))
    mkdirSync(path.join(root, 'src/cart'), { recursive: true })
    write('src/cart/cart.ts', 'export const a = 1')
  })
  afterEach(() => rmSync(root, { recursive: true }))

  const changes: [string, () => void, boolean][] = [
    ['nothing', () => {}, false],
    ['its text', () => write('src/cart/cart.ts', 'export const a = 2'), true],
    ['a file that an import may lead to instead', () => write('src/cart/cart.js'), true],
    ['a file that its folder may give way to', () => write('src/cart.ts'), true],
    ['a file that no import leads to', () => write('src/cart/carts.ts'), false],
    ['its tests', () => write('src/cart/cart.spec.ts'), false],
    ['a mock beside it', () => { mkdirSync(path.join(root, 'src/cart/__mocks__')); write('src/cart/__mocks__/cart.ts') }, true],
    ['a mock of a package', () => { mkdirSync(path.join(root, '__mocks__/@scope'), { recursive: true }); write('__mocks__/@scope/name.ts') }, true],
    ['a package.json', () => write('src/package.json', '{ "type": "commonjs" }'), true],
    ['a tsconfig.json', () => write('tsconfig.json', '{}'), true],
    ['a report', () => write('report.json', '{}'), false],
    ['text for readers', () => write('src/cart/README.md'), false],
    ['that it is gone', () => rmSync(path.join(root, 'src/cart/cart.ts')), true],
  ]
  test.each(changes)('%s', (_, change, isSeen) => {
    const inputs = inputsOf(restsOn(path.join(root, 'src/cart/cart.ts'), root))
    change()
    expect(haveChanged(inputs)).toBe(isSeen)
  })

  test('of another package it is all up to its package.json', () => {
    write('src/package.json', '{}')
    const elsewhere = path.join(root, 'elsewhere')
    expect(restsOn(path.join(root, 'src/cart/cart.ts'), elsewhere).map((name) => path.relative(root, name))).toEqual([
      'src/cart/cart.ts', 'src/cart/__mocks__/cart.*', 'elsewhere/__mocks__', 'src/cart/cart.*', 'src/cart/package.json', 'src/cart/tsconfig.json', 'src/cart.*', 'src/package.json', 'src/tsconfig.json',
    ])
  })
})

test('texts are told apart wherever one ends', () => {
  expect(digest('ab', 'c')).not.toBe(digest('a', 'bc'))
})

test.each([
  ['const fs = require("fs")', true],
  ['process.getBuiltinModule("fs")', true],
  ['const all = import.meta.glob("./*.ts")', true],
  ['await fetch(url)', true],
  ['new WebSocket(url)', true],
  ['const { HOME } = process.env', true],
  ['run({ env: process.env })', true],
  ['process.env[name]', true],
  ['process.env.VITEST_POOL_ID', true],
  ["env['GITHUB_RUN_ID']", true],
  ['process.env.API_URL ?? process.env["MODE"]', false],
  ['import.meta.env.DEV', false],
  ["test('it should require a name', async () => { await add(1) })", false],
])('%s reaches what is outside: %s', (text, isSo) => {
  expect(reachesOutside(text)).toBe(isSo)
})

describe('what a comment says is no code', () => {
  test.each([
    ['const { env } = process ?? {} // `process.env` may be there\nif (env.DEBUG) log()', 'const { env } = process ?? {}  \nif (env.DEBUG) log()'],
    ['/* fetch(url) */ add(1) /** `process.env` */', '  add(1)  '],
    ["get('http://a') // fetch(url)", "get('http://a')  "],
    ['const text = `// ${add(`/* ${1} */`) /* fetch(url) */} //`', 'const text = `// ${add(`/* ${1} */`)  } //`'],
    [String.raw`split(/["'/*]\/\//) // fetch(url)`, String.raw`split(/["'/*]\/\//)  `],
    ['const half = all / 2 // fetch(url)', 'const half = all / 2  '],
    ['const half = (all) / 2\n// fetch(url)', 'const half = (all) / 2\n '],
  ])('%s', (text, code) => {
    expect(withoutComments(text)).toBe(code)
  })

  test.each([
    'count++ / 2 + "/" + "//" + fetch(url)',
    'total! / 2 + "/" + "//" + fetch(url)',
    `if (all) /"/.test(text) // fetch(url)"`,
    'return /`/ // fetch(url)`',
    '<p>http://a {fetch(url)}</p>',
    '<p>don\'t // {fetch(url)}</p>',
    'const text = `// ${"a"} ` + fetch(url)',
    `'//' + fetch(url)`,
    String.raw`"\"//" + fetch(url)`,
    '`${/`/}` + "//" + fetch(url)',
  ])('what it cannot tell from code is left: %s', (text) => {
    expect(withoutComments(text)).toContain('fetch(url)')
  })
})

test('modules of Node that only compute lead nowhere', () => {
  expect(['node:path', 'util', 'timers/promises'].filter(leadsOutside)).toEqual([])
  expect(['fs', 'node:fs/promises', 'node:net', 'node:os', 'node:process', 'module', 'worker_threads'].filter((name) => !leadsOutside(name))).toEqual([])
})

test('variables of one run are no others for it', () => {
  expect(lastingVariables({ PATH: '/bin', GITHUB_RUN_ID: '7', npm_lifecycle_event: 'test', API_URL: 'x', SHLVL: '2' })).toEqual(['API_URL=x', 'PATH=/bin'])
})
