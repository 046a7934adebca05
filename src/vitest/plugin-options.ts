import { inject } from 'vitest'
import type { CommandLineOptions, ExplorationDefaults } from '../options/index.ts'

/** Tests run without the plugin: nothing in them is instrumented. */
export class PluginMissingError extends Error {
  override readonly name = 'PluginMissingError'

  constructor() {
    super(
      "the vitest-dpor plugin is not active, so there is nothing to explore. Add it to vitest.config.ts: import { dpor } from 'vitest-dpor/plugin', " +
        'then plugins: [dpor()]',
    )
    this.stack = `${this.name}: ${this.message}`
  }
}

/** The options given to `dpor({ ... })` in the config, and those of the command line. */
export function pluginOptions(): { plugin: ExplorationDefaults; commandLine: CommandLineOptions | undefined } {
  const plugin = inject('dpor' as never) as ExplorationDefaults | undefined
  if (plugin === undefined || globalThis.__dpor === undefined) throw new PluginMissingError()
  return { plugin, commandLine: inject('dporCommandLine' as never) as CommandLineOptions | undefined }
}
