import { hookCommonJs } from './common-js.ts'
import { Instrumenter, type ProvidedPackages } from './instrument.ts'
import { loadMakers } from './load-makers.ts'
import { hookModules } from './modules.ts'
import type { InstrumentText } from '../../src/runtime/calls/emitted.ts'

/**
 * Instruments what Node loads in this thread, from now on.
 *
 * @param tell is told the name of each package that stays as it is
 */
export async function hookNode(provided: ProvidedPackages, tell: (name: string) => void): Promise<InstrumentText> {
  const instrumenter = new Instrumenter(provided, await loadMakers(), tell)
  const instrument = (source: string, file: string): string | undefined => instrumenter.instrument(source, file)
  hookCommonJs(instrument)
  hookModules({ instrument, provided, tell })
  return instrumenter.instrumentText
}
