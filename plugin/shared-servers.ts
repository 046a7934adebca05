import { asPosix, vitestFile } from './files.ts'
import { PluginOptionError } from './options.ts'

/** What of Vitest's options says who transforms files for whom. */
interface Served {
  readonly projects?: unknown
  sharedViteServer?: boolean
}

/**
 * Since Vitest 5 projects that stand in the config of another one share its server, and with that this plugin, but find nothing of what it adds to the options: the
 * files would be instrumented, and nothing there that they call.
 */
export function giveOwnServers(test: Served): void {
  if (test.projects !== undefined) test.sharedViteServer = false
}

/** @throws PluginOptionError where that is decided above the config that has the plugin */
export function refuseSharedServer({ name, sharedViteServer, config }: { readonly name?: string; readonly sharedViteServer?: boolean; readonly config: { readonly setupFiles: readonly string[] } }): void {
  if (!sharedViteServer || config.setupFiles.map(asPosix).includes(asPosix(vitestFile('setup')))) return
  throw new PluginOptionError(`the project ${name} shares the Vite server of the config that lists it, and finds nothing of the plugin there. Add \`sharedViteServer: false\` to \`test\` in the root config`)
}
