import { inject } from 'vitest'
import { mergeLayers, type ProvidedRun } from '../../options/index.ts'
import { leftOutByComments } from '../../testing/comments.ts'
import { keyOf } from '../../testing/race.ts'
import { runOptions } from '../explored-test.ts'
import { pluginOptions } from '../plugin-options.ts'
import { forTest } from '../replay-tag.ts'
import { Surroundings } from '../surroundings.ts'
import { Budget } from './budget.ts'
import type { RunnerTest, Wanted } from './ordinary-test.ts'
import { exploreOrdinaryTests } from './runner.ts'

/** If this is a run with `--dpor`: its ordinary tests are explored. */
export function exploreIfAsked(): void {
  const run = inject('dporRun' as never) as ProvidedRun | undefined
  if (!run) return
  const budget = new Budget(run)
  exploreOrdinaryTests({
    wantedOf: (test) => wanted(test, run, budget),
    fileBegins: (tests) => budget.fileBegins(tests),
    fileEnds: () => budget.fileEnds(),
  })
}

function wanted(test: RunnerTest, { races, known }: ProvidedRun, budget: Budget): Wanted | undefined {
  // What explores by itself.
  if (test.meta['dporTest']) return undefined
  if (test.meta['dpor'] === false) return { reason: 'it is left out, by meta' }
  if (isLeftOutByComment(test)) return { reason: 'it is left out, by a comment' }
  if (test.fails) return { reason: 'it is expected to fail' }
  const { plugin, commandLine } = pluginOptions()
  const asked = forTest(commandLine, test as never)
  if (!asked) return { reason: '--dpor.replay belongs to another test' }
  const share = budget.share()
  if (typeof share === 'string') return { reason: share }
  const options = mergeLayers({ plugin: { ...plugin, interleave: 'event-loop' }, commandLine: asked })
  const run = { ...runOptions(options, undefined), ...share, surroundings: new Surroundings(undefined), leavesState: true, trustsPassing: true }
  return { run, failsByRace: races === 'fail', isKnown: (race) => known === 'all' || known.includes(keyOf(race)), failsByInconclusive: options.onInconclusive === 'fail', isReplay: options.replay !== undefined, spend: (spent) => budget.spend(spent) }
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
