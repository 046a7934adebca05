import { packageOf } from './files.ts'
import type { Imports, ImportingProject } from './imports.ts'
import { asKey, reachOfExploring } from './reach.ts'

/** What is asked of one of Vitest's projects. */
export interface AskedProject extends ImportingProject {
  readonly config: ImportingProject['config'] & { setupFiles: string[]; readonly isolate: boolean; readonly pool: string }
}

/** What is asked of an environment of Vite's. */
export interface Environment {
  readonly name: string
  getTopLevelConfig(): object
}

/**
 * What becomes of a file of the project. `'aside'`: it stays as it is, and says so when it is loaded, as no test that explores is seen to
 * lead to it.
 */
export type Treatment = 'instrumented' | 'as it is' | 'aside'

/** By the Vite configs of projects: the files that are instrumented, where not all are. */
const reached = new WeakMap<object, ReadonlySet<string>>()

/** Leaves files of a project as they are that no test which explores leads to. Returns whether any test does. */
export function leaveUnexplored({ config, vite }: AskedProject, imports: Imports): boolean {
  const reach = reachOfExploring(imports)
  if (reach === 'everything') return true
  if (reach.size === 0) config.setupFiles = [...imports.setupFiles]
  // Test files without isolation find what others have loaded.
  if (reach.size === 0 || config.isolate || config.pool.startsWith('vm')) reached.set(vite.config, reach)
  return reach.size > 0
}

/** What becomes of a file that the plugin's options do not leave out. */
export function treatmentOf(file: string, environment: Environment | undefined): Treatment {
  const reach = environment && reached.get(environment.getTopLevelConfig())
  if (reach === undefined || reach.has(asKey(file))) return 'instrumented'
  if (reach.size === 0) return 'as it is'
  return packageOf(file) === undefined ? 'aside' : 'instrumented'
}
