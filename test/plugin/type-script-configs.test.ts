import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { typeScriptConfigsFor } from '../../plugin/type-script-configs.ts'

test('the configuration of a file stands in its folder and above, and in what that names', ({ onTestFinished }) => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'vitest-dpor-configs-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  write('tsconfig.json', '// all\n{ "extends": "./base", "references": [{ "path": "./other" }] }')
  write('base.json', '{ "target": "es2020", "extends": "./base" }')
  write('other/tsconfig.json', '{ "target": "es2021" }')
  write('app/tsconfig.json', '{ "extends": ["../tsconfig.json", "missing"] }')
  expect(typeScriptConfigsFor(path.join(folder, 'app/src'))).toEqual(['{ "extends": ["../tsconfig.json", "missing"] }', '// all\n{ "extends": "./base", "references": [{ "path": "./other" }] }', '{ "target": "es2020", "extends": "./base" }', '{ "target": "es2021" }'])
})
