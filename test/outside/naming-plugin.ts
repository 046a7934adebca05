import { cache } from './racing-cache.ts'

/** A project whose config has a plugin of its own, which finds in the text of files what they call, and adds lines. */
export const namingProject = (asked: { readonly plugin?: string; readonly hook?: string }): Record<string, string> => ({
  'vitest.config.ts': `import { defineConfig } from 'vitest/config'
import { dpor } from 'vitest-dpor/plugin'
import MagicString from 'magic-string'
function handler(code, id) {
  if (!code.includes('named(')) return
  const text = new MagicString(code)
  text.prepend('const from = 1\\n\\n\\n')
  for (const { index, 0: { length } } of code.matchAll(/\\bnamed\\((?=async \\()/g)) text.appendLeft(index + length, "'a name', ")
  return { code: text.toString(), map: text.generateMap({ source: id, hires: true, includeContent: true }) }
}
export default defineConfig({ plugins: [dpor(), { name: 'naming', ${asked.plugin ?? ''} transform: { ${asked.hook ?? ''} handler } }] })
`,
  'named.ts': `export async function named(name: unknown, work?: () => Promise<string>): Promise<string> {
  if (!work) throw new Error('nobody has named it')
  return name + ': ' + (await work())
}
`,
  'cache.ts': `import { named } from './named'
interface Loaded {
  readonly key: string
  readonly value: string
}
export const load = async ({ key, value }: Loaded): Promise<string> => named(async () => key + value)
${cache}`,
  'named.spec.ts': `import { expect, test, vi } from 'vitest'
import { Cache, load } from './cache'
import { ask } from './server'
vi.mock('./server', () => ({ ask: vi.fn(async () => 'mocked') }))
interface Unused {
  readonly text: string
}
test('is named', async () => {
  expect(await load({ key: 'a', value: 'b' })).toBe('a name: ab')
})
test('is mocked', async () => {
  expect(await ask()).toBe('mocked')
})
test('the last refresh wins', async () => {
  let version = 0
  const cache = new Cache(vi.fn(async (key: string) => key + ++version))
  await Promise.all([cache.refresh('a'), cache.refresh('a')])
  expect(cache.values.get('a')).toBe('a2')
})
`,
  'server.ts': `export const ask = async (): Promise<string> => 'asked'
`,
})
