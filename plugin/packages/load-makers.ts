import { createRequire } from 'node:module'
import { moduleFile } from '../files.ts'
import type { Makers } from './instrument.ts'

/** `makers.ts`. Files that are kept on disk do not need it, so it is loaded when it is asked for, where Node can load a module at once. */
export async function loadMakers(): Promise<Makers> {
  const file = moduleFile('plugin/packages/makers')
  if (!Reflect.get(process.features, 'require_module') || !file.endsWith('.js')) return import('./makers.ts')
  const require = createRequire(import.meta.url)
  let loaded: Makers | undefined
  const makers = (): Makers => (loaded ??= require(file) as Makers)
  return { rewrite: (source, name, how) => makers().rewrite(source, name, how), keepVariables: (source, name) => makers().keepVariables(source, name), stateOf: (text) => makers().stateOf(text), restored: (text) => makers().restored(text) }
}
