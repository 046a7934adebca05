import path from 'node:path'
import { asPosix, packageOf, packagesFile, vitestFile } from './files.ts'
import { asKey, reachOfExploring, type Resolve } from './reach.ts'

/** What is asked of one of Vitest's projects. */
export interface AskedProject {
  readonly vite: {
    readonly config: object
    readonly pluginContainer: { resolveId(specifier: string, importer: string, options: { readonly ssr: boolean }): Promise<{ readonly id: string } | null> }
  }
  readonly config: { readonly root: string; setupFiles: string[]; readonly isolate: boolean; readonly pool: string }
  globTestFiles(): Promise<{ readonly testFiles: readonly string[] }>
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
export async function leaveUnexplored(project: AskedProject): Promise<boolean> {
  const { config, vite } = project
  const ours = new Set([packagesFile('setup'), vitestFile('setup')].map(asPosix))
  const setupFiles = config.setupFiles.filter((file) => !ours.has(asPosix(file)))
  const reach = await reachOfExploring({ tests: (await project.globTestFiles()).testFiles, setupFiles, root: config.root }, resolver(project))
  if (reach === 'everything') return true
  if (reach.size === 0) config.setupFiles = setupFiles
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

/** As Vite resolves, with aliases, links of a workspace and what plugins add. */
function resolver({ vite }: AskedProject): Resolve {
  const known = new Map<string, Promise<string | undefined>>()
  const resolve: Resolve = async (specifier, importer) => {
    try {
      return (await vite.pluginContainer.resolveId(specifier, importer, { ssr: true }))?.id.split('?', 1)[0]
    } catch {
      return undefined
    }
  }
  return (specifier, importer) => {
    const key = /^[.#]/.test(specifier) ? `${path.dirname(importer)} ${specifier}` : specifier
    let found = known.get(key)
    if (!found) known.set(key, (found = resolve(specifier, importer)))
    return found
  }
}
