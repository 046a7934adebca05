import { isBuiltin } from 'node:module'
import { asPosix, packagesFile, vitestFile } from './files.ts'
import { anyExplores, type Resolve } from './packages/explored-files.ts'

/** What is asked of one of Vitest's projects. */
export interface AskedProject {
  readonly vite: {
    readonly config: object
    readonly pluginContainer: { resolveId(specifier: string, importer: string, options: { readonly ssr: boolean }): Promise<{ readonly id: string } | null> }
  }
  readonly config: { setupFiles: string[] }
  globTestFiles(): Promise<{ readonly testFiles: readonly string[] }>
}

/** What is asked of an environment of Vite's. */
export interface Environment {
  readonly name: string
  getTopLevelConfig(): object
}

/** The Vite configs of projects of which no test explores: their files stay as they are. */
const leftAlone = new WeakSet<object>()

/** Leaves a project as it is, unless one of its tests explores. A test that explores in a way that cannot be foreseen says that nothing is instrumented. */
export async function leaveUnlessExplored(project: AskedProject): Promise<boolean> {
  const ours = new Set([packagesFile('setup'), vitestFile('setup')].map(asPosix))
  const setupFiles = project.config.setupFiles.filter((file) => !ours.has(asPosix(file)))
  if (await anyExplores([...(await project.globTestFiles()).testFiles, ...setupFiles], resolver(project))) return false
  project.config.setupFiles = setupFiles
  leftAlone.add(project.vite.config)
  return true
}

/** Whether the files of an environment belong to such a project. */
export const isLeftAlone = (environment: Environment | undefined): boolean => environment !== undefined && leftAlone.has(environment.getTopLevelConfig())

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
    if (isBuiltin(specifier) || specifier === 'vitest') return Promise.resolve(undefined)
    let found = known.get(specifier)
    if (!found) known.set(specifier, (found = resolve(specifier, importer)))
    return found
  }
}
