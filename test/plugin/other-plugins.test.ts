import { describe, expect, test } from 'vitest'
import type { KnownPlugin } from '../../plugin/kept-modules.ts'
import { OtherPlugins } from '../../plugin/other-plugins.ts'

const transform = (): void => {}
const own: KnownPlugin = { name: 'vitest-dpor', transform }
const compiler: KnownPlugin = { name: 'vite:oxc', transform }
const others = (...plugins: KnownPlugin[]): OtherPlugins => new OtherPlugins(plugins, own)
const filtered = (id: unknown, order?: string): KnownPlugin => ({ name: 'filtered', transform: { filter: { id }, order, handler: transform } })
const file = '/app/cache.ts'

describe('when a file is instrumented', () => {
  test('as it is written, where nobody else changes it', () => {
    for (const plugins of [others(own, compiler), others(own, { name: 'told' }, compiler), others(own, compiler, { name: 'vitest:mocks', transform }), others(own, filtered(/\.css$/), compiler)]) {
      expect(plugins.turnOf(file)).toBe('as it is written')
      expect(plugins.turnOf('/app/a.js')).toBe('as it is written')
    }
    expect(others(own, compiler).later).toBeUndefined()
  })

  test('behind the last one who may', () => {
    const [one, last] = [{ name: 'one', transform }, { name: 'last', transform }]
    const plugins = others(own, compiler, one, last, { name: 'vitest:mocks', transform })
    expect(plugins.turnOf(file)).toBe('later')
    expect(plugins).toMatchObject({ later: { behind: last, order: null }, isAfterCompiler: true })
    expect(others(own, one, compiler)).toMatchObject({ later: { behind: one, order: null }, isAfterCompiler: false })
  })

  test('behind who asks for the last place by its hook, wherever that stands', () => {
    const hook = filtered(/cache/, 'post')
    expect(others(hook, own, compiler)).toMatchObject({ later: { behind: hook, order: 'post' }, isAfterCompiler: true })
  })

  test('in its own place where all others come before', () => {
    for (const plugins of [others({ name: 'before', transform }, own, compiler), others(own, compiler, filtered(/cache/, 'pre'))]) {
      expect(plugins.turnOf(file)).toBe('now')
      expect(plugins.later).toBeUndefined()
    }
  })

  test.each<[filter: unknown, takes: boolean]>([
    [/cache/, true], [/cache/g, true], [/other/, false], [[/other/, /cache/], true], ['**/other', true], [[/other/, '**/cache.ts'], true],
    [{ include: /other/ }, false], [{ include: /cache/, exclude: /\.ts$/ }, false], [{ exclude: [/\.ts$/] }, false], [{ exclude: '**/*.ts' }, true], [{ exclude: /\.js$/ }, true],
  ])('%o: %s', (filter, takes) => {
    const plugins = others(own, compiler, filtered(filter))
    expect(plugins.turnOf(file)).toBe(takes ? 'later' : 'as it is written')
    expect(plugins.turnOf(file)).toBe(takes ? 'later' : 'as it is written')
  })
})
