import { createRequire } from 'node:module'
import { moduleFile } from '../files.ts'
import type { Rewrite } from './instrument.ts'

/** The rewriting. It takes time to load, and files that are kept on disk do not need it: where Node can load a module at once, that is done when it is asked for. */
export async function rewriteLater(): Promise<Rewrite> {
  const file = moduleFile('plugin/3-rewrite/rewrite')
  if (!Reflect.get(process.features, 'require_module') || !file.endsWith('.js')) return (await import('../3-rewrite/rewrite.ts')).rewrite
  const require = createRequire(import.meta.url)
  let loaded: typeof import('../3-rewrite/rewrite.ts') | undefined
  return (source, name) => (loaded ??= require(file) as typeof import('../3-rewrite/rewrite.ts')).rewrite(source, name)
}
