import { asPosix } from './files.ts'

/** What of Vitest's configuration names files that test workers load before any setup file. */
export interface EarlyFiles {
  readonly coverage?: { readonly customProviderModule?: string }
  readonly runner?: string
  readonly diff?: unknown
  readonly snapshotEnvironment?: string
  readonly snapshotSerializers?: readonly string[]
}

/** Those files. */
export function earlyFiles({ coverage, runner, diff, snapshotEnvironment, snapshotSerializers = [] }: EarlyFiles): readonly string[] {
  return [coverage?.customProviderModule, runner, diff, snapshotEnvironment, ...snapshotSerializers].filter((file) => typeof file === 'string').map(asPosix)
}
