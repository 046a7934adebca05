import { keptFiles } from '../kept-files.ts'
import { inject } from 'vitest'
import { mergeLayers, type CommandLineOptions, type ExplorationDefaults, type ExplorationOptions, type ProvidedRun } from '../../options/index.ts'
import { leftOutByComments } from '../../testing/comments.ts'
import { keyOf } from '../../testing/race.ts'
import { runOptions } from '../explored-test.ts'
import { knownFailureOf, pluginOptions } from '../plugin-options.ts'
import { providedPatterns } from '../provided-patterns.ts'
import type { Exploring } from '../passes/runner.ts'
import type { RunnerTest } from '../passes/runner-test.ts'
import { snapshotStateOf } from '../passes/snapshot-state.ts'
import { forTest, tagOf } from '../replay-tag.ts'
import { heldTests } from '../held/held-tests.ts'
import { Surroundings } from '../surroundings.ts'
import { Budget } from './budget.ts'
import { CutTests } from './cut-tests.ts'
import { asItIs, foundAtOnce, isOverAtOnce, knowTestsOverAtOnce } from './over-at-once.ts'
import { OrdinaryTest, type ExploredAs } from './ordinary-test.ts'

/** If this is a run with `--dpor`: explores its ordinary tests. */
export function exploringOrdinaryTests(): Exploring | undefined {
  const run = inject('dporRun' as never) as ProvidedRun | undefined
  if (!run) return undefined
  const budget = new Budget(run)
  const cut = new CutTests()
  const held = heldTests()
  knowTestsOverAtOnce()
  return {
    async judgeOf(test, annotate) {
      const wanted = wantedOf(test)
      if ('asked' in wanted && isOverAtOnce(test)) {
        test.meta['dporFound'] = foundAtOnce
        return undefined
      }
      const before = cut.take(test)
      const share = before ? budget.shareOfRest(cut.count) : budget.share()
      const heldSo = 'asked' in wanted && !before ? held?.lastTime(test) : undefined
      if (heldSo) {
        test.meta['dporFound'] = heldSo
        return undefined
      }
      if ('asked' in wanted && typeof share !== 'string' && (!before || before.wouldGoFarther(share))) {
        const as = asWanted(test, wanted.asked, run)
        const onCut = (explored: OrdinaryTest): void => cut.add(test, explored)
        return new OrdinaryTest(test, { ...as, share, spend: (spent) => budget.spend(spent), onPass: (finding) => held?.found(test, finding), before, onCut: run.runsTwice && !before && !as.isReplay ? onCut : undefined }, annotate)
      }
      if (before) await before.stands()
      else test.meta['dporFound'] = { found: 'unexplored', reason: 'asked' in wanted ? share : wanted.reason }
      return undefined
    },
    runsTwice: run.runsTwice,
    inOrder: (tests) => cut.inOrder(tests),
    runsAlone: () => true,
    asItIs,
    fileBegins(file, tests) {
      budget.fileBegins(tests.filter((test) => !isOverAtOnce(test)).length)
      held?.fileBegins(file, tests)
    },
    fileEnds() {
      held?.fileEnds()
      budget.fileEnds()
    },
  }
}

/** What is wanted of a test: to be explored with what the command line asks for, or not, for a reason. */
type Wanted = { readonly asked: CommandLineOptions } | { readonly reason: string }

function wantedOf(test: RunnerTest): Wanted {
  if (!globalThis.process?.getBuiltinModule) return { reason: 'it runs in a browser, where a dporTest can be explored, and nothing else' }
  if (test.meta['dpor'] === false) return { reason: 'it is left out, by meta' }
  if (isLeftOutByComment(test)) return { reason: 'it is left out, by a comment' }
  if (test.fails) return { reason: 'it is expected to fail' }
  const asked = forTest(pluginOptions().commandLine, test as never)
  return asked ? { asked } : { reason: '--dpor.replay belongs to another test' }
}

function asWanted(test: RunnerTest, asked: CommandLineOptions, { races, known }: ProvidedRun): Omit<ExploredAs, 'share' | 'spend' | 'onPass' | 'before' | 'onCut'> {
  const { plugin } = pluginOptions()
  const options = optionsOf(plugin, asked)
  const run = { ...runOptions(options, undefined), ...keptFiles(options, test as never), drawsAs: tagOf(test as never), knownFailure: knownFailureOf(test as never), surroundings: new Surroundings(undefined, () => snapshotStateOf(test.file.filepath)), trustsPassing: true }
  return { run, failsByRace: races === 'fail', isKnown: (race) => known === 'all' || known.includes(keyOf(race)), failsByInconclusive: options.onInconclusive === 'fail', isReplay: options.replay !== undefined, isUnseen: isUnseen(test) }
}

let leftOut: { readonly file: string; readonly is: boolean } | undefined

/** Whether the options `include` and `exclude` of the plugin leave out its file. */
function isUnseen({ file: { filepath: file } }: RunnerTest): boolean {
  if (leftOut?.file !== file) leftOut = { file, is: providedPatterns('dporInclude')?.(file) === false || providedPatterns('dporExclude')?.(file) === true }
  return leftOut.is
}

let merged: { readonly plugin: ExplorationDefaults; readonly asked: CommandLineOptions; readonly options: ExplorationOptions } | undefined

/** Mostly the same for all tests of a run, which may be many and short. */
function optionsOf(plugin: ExplorationDefaults, asked: CommandLineOptions): ExplorationOptions {
  if (merged?.plugin !== plugin || merged.asked !== asked) merged = { plugin, asked, options: mergeLayers({ plugin: { ...plugin, interleave: 'event-loop' }, commandLine: asked }) }
  return merged.options
}

let commented: { readonly file: string; readonly leavesOut: (names: readonly string[]) => boolean } | undefined

function isLeftOutByComment(test: RunnerTest): boolean {
  const file = test.file.filepath
  if (commented?.file !== file) commented = { file, leavesOut: leftOutByComments(textOf(file)) }
  return commented.leavesOut(namesOf(test))
}

function textOf(file: string): string {
  try {
    return globalThis.process?.getBuiltinModule?.('node:fs')?.readFileSync(file, 'utf8') ?? ''
  } catch {
    return ''
  }
}

/** Its own, and those of the suites that it is in. */
function namesOf({ name, suite }: Pick<RunnerTest, 'name' | 'suite'>): string[] {
  return suite ? [...namesOf(suite), name] : [name]
}
