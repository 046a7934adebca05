import { PluginOptionError } from './options.ts'

/** What of Vitest's configuration decides how a run is divided among machines. */
export interface DividedRun {
  shard?: { readonly index: number; readonly count: number } | undefined
  outputFile?: string | Partial<Record<string, string>> | undefined
}

const parts = new WeakMap<DividedRun, string>()

/**
 * With `--shard=1/4 --dpor.split` every machine runs all test files: returns the part that this one explores, and keeps Vitest from dividing the files.
 * What its blob reporter writes has another name on each machine, as ever. @throws PluginOptionError where there is no `--shard`
 */
export function takePart(config: DividedRun, { version }: { readonly version: string }): string {
  const known = parts.get(config)
  if (known !== undefined) return known
  const { shard, outputFile } = config
  if (!shard) throw new PluginOptionError('--dpor.split divides explorations among machines, and --shard says which part this one has: add --shard=1/4 for the first of four', 'commandLine')
  const part = `${shard.index}/${shard.count}`
  parts.set(config, part)
  config.shard = undefined
  if (typeof outputFile !== 'string') {
    const folder = version.startsWith('4.') ? '.vitest-reports' : '.vitest/blob'
    config.outputFile = { blob: `${folder}/blob-${shard.index}-${shard.count}.json`, ...outputFile }
  }
  return part
}
