import { hookCommonJs } from './common-js.ts'
import { Instrumenter, type ProvidedPackages } from './instrument.ts'
import { loadMakers } from './load-makers.ts'
import { hookModules, needsThread } from './modules.ts'
import type { Texts } from '../../src/runtime/calls/emitted.ts'

/**
 * Instruments what Node loads in this thread, from now on. What is imported all the same where all files lead to no package is merged.
 *
 * @param files the test files that are to run here
 * @param tell is told the name of each package that stays as it is
 */
export async function hookNode(provided: ProvidedPackages, files: readonly string[], tell: (name: string) => void): Promise<Texts> {
  const instrumenter = new Instrumenter(provided, await loadMakers(), tell)
  const instrument = (source: string, file: string): string | undefined => instrumenter.instrument(source, file)
  hookCommonJs(instrument)
  const without = new Set(provided.withoutPackages)
  if (!needsThread || provided.everywhere || files.length === 0 || !files.every((file) => without.has(file))) hookModules({ instrument, provided, tell })
  return instrumenter.texts
}
