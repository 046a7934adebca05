import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import { globalName } from '../../src/runtime/calls/emitted.ts'
import { installInert } from '../../src/runtime/calls/inert.ts'
import { packageRoot } from './spawn.ts'

const modules = path.join(packageRoot, 'node_modules')
const folder = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-packages-'))
const rewrittenModules = path.join(folder, 'node_modules')

beforeAll(() => {
  installInert()
  for (const name of ['postcss', 'picomatch']) {
    const copy = path.join(rewrittenModules, name)
    cpSync(path.join(modules, name), copy, { recursive: true })
    for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name)
      if (entry.isFile() && file.endsWith('.js')) writeFileSync(file, rewrite(readFileSync(file, 'utf8'), file)?.code ?? readFileSync(file))
    }
  }
  for (const name of ['nanoid', 'picocolors', 'source-map-js']) symlinkSync(path.join(modules, name), path.join(rewrittenModules, name))
})

afterAll(() => {
  globalThis[globalName] = undefined
  rmSync(folder, { recursive: true, force: true })
})

const uses: Record<string, (require: NodeJS.Require) => unknown> = {
  picomatch: (require) => {
    const picomatch = require('picomatch')
    return ['**/*.ts', 'a/{b,c}/*.js', '!(x|y)', '+(a|b)[0-9]', '**/!(*.spec).ts'].map((glob) => [
      String(picomatch.makeRe(glob)), ...['a/b.ts', 'a/b/c.js', 'x', 'ab1', 'q/a.spec.ts'].map((file) => picomatch(glob)(file)),
    ])
  },
  postcss: async (require) => {
    const postcss = require('postcss')
    const plugin = {
      postcssPlugin: 'change',
      async Once(root: any) {
        await Promise.resolve()
        root.walkDecls((declaration: any) => {
          declaration.value += '1'
          if (declaration.prop === 'gone') declaration.remove()
        })
      },
    }
    const source = 'a { b: c; gone: x !important }\n@media (x) { /* note */ .y:hover { color: red } }'
    const result = await postcss([plugin]).process(source, { from: 'x.css', map: { inline: false } })
    return [result.css, result.map.toString(), await outcome(() => postcss.parse('a { b: c'))]
  },
}

const outcome = async (use: () => unknown): Promise<unknown> => {
  try {
    return await use()
  } catch (error) {
    return String(error)
  }
}

test.each(Object.keys(uses))('%s does what it did', async (name) => {
  const use = uses[name]!
  const original = await outcome(() => use(createRequire(path.join(packageRoot, 'x.js'))))
  expect(readFileSync(path.join(rewrittenModules, name, name === 'postcss' ? 'lib/container.js' : 'lib/parse.js'), 'utf8')).toContain('__dpor')
  expect(await outcome(() => use(createRequire(path.join(folder, 'x.js'))))).toEqual(original)
})
