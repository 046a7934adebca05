import { completeOptions } from '../engine/options.ts'
import { problemsOf } from './check.ts'
import { layers } from './layers.ts'
import { tableOf, type CommandLineOptions, type DporOptions, type ExplorationDefaults, type ExplorationOptions } from './table.ts'

/** What each layer says. */
export interface Said {
  readonly commandLine?: CommandLineOptions | undefined
  readonly test?: DporOptions | undefined
  readonly plugin?: ExplorationDefaults | undefined
}

/** What the layers say together, the nearest winning, and the defaults of all else. @throws OptionError for the first option that is not accepted */
export function mergeLayers(said: Said): ExplorationOptions {
  const [problem] = layers.flatMap((layer) => problemsOf(layer, said[layer] ?? {}))
  if (problem) throw problem
  return withDefaults(layers.toReversed().reduce<DporOptions>((farther, layer) => override(farther, given(said[layer] ?? {})), {}))
}

const defaults: ExplorationOptions = completeOptions(tableOf('test'), {})

/** Adds the defaults of what is left out. WARNING: it checks nothing, so that a test of ours may go by values that no layer may set. */
export function withDefaults<Options extends object>(options: Options): Options & ExplorationOptions {
  const all: Record<string, unknown> = { ...defaults }
  // Every exploration comes here: not by `given`, which makes lists of them.
  for (const name in options) if (options[name] !== undefined) all[name] = options[name]
  return all as Options & ExplorationOptions
}

/** One schedule is no part: a replay that is asked for nearer by puts a part out of force. */
function override({ part, ...farther }: DporOptions, nearer: DporOptions): DporOptions {
  return { ...farther, ...(part !== undefined && nearer.replay === undefined && { part }), ...nearer }
}

function given<Options extends object>(options: Options): Options {
  const found: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) if (value !== undefined) found[name] = value
  return found as Options
}
