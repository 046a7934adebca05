import type { Imports } from './imports.ts'
import { isKnown, type KnownPlugin } from './kept-modules.ts'
import { leadingTo } from './reach.ts'

/** What of Vitest's configuration leaves files of a project itself to Node. */
export interface LeavingToNode {
  readonly server?: { readonly deps?: { readonly external?: readonly unknown[] } }
  readonly deps?: { readonly moduleDirectories?: readonly string[] }
}

interface LoadingProject {
  readonly config: LeavingToNode
  readonly vite: { readonly config: { readonly plugins: readonly KnownPlugin[] } }
}

/** The test files that lead to no package, as far as their texts tell: nothing that Node loads for them is to be instrumented. */
export function testsWithoutPackages({ found, tests, setupFiles, mocks }: Imports, { config: { server, deps }, vite }: LoadingProject): readonly string[] {
  // Nobody knows what others have files import.
  if (!vite.config.plugins.every(isKnown)) return []
  if (server?.deps?.external?.length || deps?.moduleDirectories?.some((folder) => folder !== '/node_modules/')) return []
  const loading = leadingTo(found, [...found].flatMap(([file, { loadsPackages }]) => (loadsPackages ? [file] : [])))
  return [...setupFiles, ...mocks].some((file) => loading.has(file)) ? [] : tests.filter((file) => !loading.has(file))
}
