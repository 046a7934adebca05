import { inject, type RunnerTestCase } from 'vitest'
import type { CommandLineOptions, ExplorationDefaults } from '../options/index.ts'
import type { KeptFailures } from '../testing/kept-failures.ts'
import { tagOf } from './replay-tag.ts'

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

/** The schedule by which this test failed the last time. */
export function knownFailureOf(task: RunnerTestCase | undefined): string | undefined {
  const tag = tagOf(task)
  return tag === undefined ? undefined : (inject('dporFailures' as never) as KeptFailures | undefined)?.[tag]
}

/** The options given to `dpor({ ... })` in the config, and those of the command line. */
export function pluginOptions(): { plugin: ExplorationDefaults; commandLine: CommandLineOptions | undefined } {
  const plugin = inject('dpor' as never) as ExplorationDefaults | undefined
  if (plugin === undefined || globalThis.__dpor === undefined) throw new PluginMissingError()
  return { plugin, commandLine: inject('dporCommandLine' as never) as CommandLineOptions | undefined }
}
