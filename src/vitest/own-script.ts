/** Loads what explores (`whole.ts`) where it is one script: in Node, once this package is built. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import * as vitest from 'vitest'
import { compiled } from './compiled-code.ts'
import * as sharedModules from './shared-modules.ts'
import { wholeHere, wholeKey, type Whole } from './whole-here.ts'

/** The name of its file, which says what is in it; `build.js` writes it here. */
declare const wholeScript: string

type Run = (module: { readonly exports: object }, require: (name: string) => unknown, shared: object, ownUrl: string) => void

export const whole = (): Whole => wholeHere() ?? loaded()

function loaded(): Whole {
  const url = new URL(`../chunks/${wholeScript}`, import.meta.url)
  const filename = fileURLToPath(url)
  const text = readFileSync(filename, 'latin1')
  const module = { exports: {} }
  const require = createRequire(url)
  functionOf(text, filename)(module, (name) => (name === 'vitest' ? vitest : (require(name) as unknown)), sharedModules, url.href)
  Reflect.defineProperty(globalThis, wholeKey, { value: module.exports, configurable: true })
  return module.exports as Whole
}

function functionOf(text: string, filename: string): Run {
  // A context of Vitest's own (`pool: 'vmThreads'`) has its own built-ins, and no script of another one may run there.
  // oxlint-disable-next-line no-eval
  if (vm.runInThisContext('Object') !== Object) return (0, eval)(`${text}\n//# sourceURL=${filename}`) as Run
  const folder = '__vitest_worker__' in globalThis ? (vitest.inject('dporCompiled' as never) as string | undefined) : undefined
  const kept = folder && path.join(folder, `${path.parse(filename).name}-${process.version}-${process.arch}.bin`)
  return compiled(text, { filename, kept }).runInThisContext() as Run
}
