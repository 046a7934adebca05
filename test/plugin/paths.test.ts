import { describe, expect, test } from 'vitest'
import { asPosix, becomesCode, fileFilter, packageOf } from '../../plugin/files.ts'

describe('the package of a file', () => {
  test.each([
    ['C:\\app\\node_modules\\lib\\index.js', 'lib'],
    ['C:\\app\\node_modules\\@scope\\lib\\dist\\index.mjs', '@scope/lib'],
    ['C:\\app\\node_modules\\.pnpm\\lib@1.0.0\\node_modules\\lib\\index.js', 'lib'],
    ['\\\\server\\share\\app\\node_modules\\lib\\index.js', 'lib'],
    ['/app/node_modules/.pnpm/@scope+lib@1.0.0_react@19.0.0/node_modules/@scope/lib/index.cjs', '@scope/lib'],
    ['/app/node_modules/a/node_modules/b/index.js', 'b'],
    ['C:\\work\\packages\\lib\\src\\index.ts', undefined],
    ['/work/packages/lib/src/index.ts', undefined],
  ])('%s: %s', (file, name) => {
    expect(packageOf(asPosix(file))).toBe(name)
  })
})

describe('which files are instrumented, with the paths of Windows', () => {
  const source = 'C:/app/src/account.ts'
  const linked = 'C:/work/packages/lib/index.js'
  const installed = 'C:/app/node_modules/lib/index.js'

  test('all but tools, if nothing is said', () => {
    expect([source, linked, installed, 'C:/app/node_modules/vitest/dist/index.js'].map(fileFilter({}))).toEqual([source, linked, installed, undefined])
  })

  test('a query that names a version is no part of the path', () => {
    expect(fileFilter({})(`${source}?v=1a2b`)).toBe(source)
  })

  test.each([['C:/app/src/**'], ['C:\\app\\src\\**'], ['**/src/*.ts'], [/\/src\//]])('include: %s', (include) => {
    expect([source, linked].map(fileFilter({ include }))).toEqual([source, undefined])
    expect([source, linked].map(fileFilter({ exclude: include }))).toEqual([undefined, linked])
  })

  test('packages by name', () => {
    expect([installed, 'C:/app/node_modules/@scope/lib/a.cjs'].map(fileFilter({ inline: ['@scope/lib'] }))).toEqual([undefined, 'C:/app/node_modules/@scope/lib/a.cjs'])
    expect(fileFilter({ opaque: ['lib'] })(installed)).toBeUndefined()
  })

  test('of a component and its parts what becomes JavaScript is instrumented', () => {
    const fileOf = fileFilter({}, becomesCode)
    const component = '/app/Search.vue'
    expect(fileOf(component)).toBe(component)
    expect(fileOf(`${component}?vue&type=template&id=1a2b&lang.js`)).toBe(component)
    expect(fileOf(`${component}?vue&type=script&setup=true&lang.tsx`)).toBe(component)
    expect(fileOf('/app/search.ts?vue&type=script&src=true&lang.ts')).toBe('/app/search.ts')
    for (const other of ['?vue&type=style&index=0&lang.css', '?raw', '?url']) expect(fileOf(component + other)).toBeUndefined()
    expect(fileOf('/app/Search.svelte?svelte&type=style&lang.css')).toBeUndefined()
    expect(fileFilter({})(component), 'where no plugin compiles it').toBeUndefined()
  })
})
