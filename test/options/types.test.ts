import { expect, test } from 'vitest'
import { dpor, type PluginOptions } from '../../plugin/index.ts'
import { exploreParallel, type SearchOptions } from '../../src/engine/index.ts'
import { dporTest, explore, type DporOptions, type DporTestOptions } from '../../src/index.ts'
import type { ExplorationOptions } from '../../src/options/index.ts'
import type { SearchOptionLayers } from '../../src/options/table.ts'

// What must compile, and behind each `@ts-expect-error` what must not: `npm run check` reads them, nothing runs.
const cases = {
  everyLayer: () => {
    const common = { algorithm: 'source', maxExecutions: 5, maxTime: 5, maxSteps: 5, stopOnFirst: false, part: '1/2', seed: 1, equivalence: 'trace' } as const
    const search: SearchOptions = { ...common, replay: '0x2', interleave: 'event-loop' }
    const body: DporOptions = { ...common, replay: '0x2', interleave: 'await', reproduce: 3, onInconclusive: 'fail', seed: undefined }
    const plugin: PluginOptions = { ...common, reproduce: 3, include: '**', exclude: [/a/, 'b'], inline: ['p-map'], opaque: ['native'] }
    body.seed = 2
    return [search, body, plugin]
  },

  options: (complete: ExplorationOptions) => {
    // @ts-expect-error -- no such option
    dporTest('name', { maxExecution: 5 }, () => {})
    // @ts-expect-error -- a number
    dporTest('name', { maxSteps: '5' }, () => {})
    // @ts-expect-error -- no such algorithm
    dporTest('name', { algorithm: 'magic' }, () => {})
    // @ts-expect-error -- of an async body the only one
    dporTest('name', { interleave: 'access' }, () => {})
    // @ts-expect-error -- one of three
    dporTest('name', { onInconclusive: 'ignore' }, () => {})
    // @ts-expect-error -- one of two
    dporTest('name', { equivalence: 'view' }, () => {})
    // @ts-expect-error -- a number
    dporTest('name', { preemptionBound: 'two' }, () => {})
    // @ts-expect-error -- no such order
    dporTest('name', { search: 'depth' }, () => {})
    const reproduce: number = complete.reproduce
    // @ts-expect-error -- it has no default
    const part: string = complete.part
    // @ts-expect-error -- what is complete stays as it is
    complete.seed = 5
    return [reproduce, part]
  },

  layers: () => {
    const both: DporTestOptions = { seed: 1, timeout: 5 }
    // @ts-expect-error -- of Vitest's test() only
    void explore(() => {}, { timeout: 5 })
    // @ts-expect-error -- of the plugin only
    void explore(() => {}, { include: '**' })
    // @ts-expect-error -- of one test only
    dpor({ replay: '0x2' })
    // @ts-expect-error -- an array
    dpor({ opaque: 'p-map' })
    // @ts-expect-error -- neither a glob nor a regular expression
    dpor({ exclude: [1] })
    // @ts-expect-error -- of an async body only
    const search: SearchOptions = { reproduce: 3 }
    // @ts-expect-error -- a number
    void exploreParallel('file:///a.js', { workers: 'all' })
    return [both, search]
  },

  table: () => {
    const everywhere = { layers: ['commandLine', 'test', 'plugin'] } as const
    const most = { algorithm: everywhere, pctDepth: everywhere, preemptionBound: everywhere, search: everywhere, maxExecutions: everywhere, maxTime: everywhere, maxSteps: everywhere, stopOnFirst: everywhere, replay: everywhere, part: everywhere, order: { layers: ['test'] } as const, saveTo: everywhere, resumeFrom: everywhere }
    const all: SearchOptionLayers = { ...most, seed: everywhere }
    // @ts-expect-error -- an option of the engine is missing: seed
    const missing: SearchOptionLayers = most
    // @ts-expect-error -- no such layer
    const unknown: SearchOptionLayers = { ...most, seed: { layers: ['somewhere'] } }
    return [all, missing, unknown]
  },
}

test('the types of the options, which the compiler checks', () => {
  expect(Object.keys(cases)).toEqual(['everyLayer', 'options', 'layers', 'table'])
})
