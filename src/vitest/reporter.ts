import { writeFileSync } from 'node:fs'
import pc from 'picocolors'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { baselineText } from '../testing/baseline.ts'
import { cacheFolderBeside, keepFailures } from '../testing/kept-failures.ts'
import type { DporMeta } from '../testing/meta.ts'
import { labelOf, linesOf, totals, type FoundTest, type SummaryLine } from '../testing/summary.ts'
import { plural, verdictLines } from '../testing/verdict-lines.ts'
import { SharedCounts } from '../testing/shared-counts.ts'
import { runForCoverage } from './coverage-run.ts'
import { tellGitHub } from './github.ts'
import type { Progress } from './progress.ts'
import { progressText } from './progress-text.ts'
import { isForPeople } from '../testing/for-people.ts'
import { partsOf } from './replay-tag.ts'
import { foundOf, nameOf, shownName } from './reported-test.ts'
import { tagOfName } from '../testing/test-tag.ts'

const ofCoverage = `  ${pc.yellow('coverage')}  of files that were explored it counts what instrumentation adds as well: take percentages, and hold thresholds against them, from a run without --dpor`

interface ReporterOptions {
  /** Where the workers of a run with a bound count together. */
  readonly counts?: string | undefined
  /** Ordinary tests are to be explored. */
  readonly explores?: boolean
  /** The file to write races to. */
  readonly baseline?: string | undefined
  /** That of a run of its own which takes coverage. */
  readonly coverageReporter?: string | undefined
  /** The schedule that the command line asks for. */
  readonly replay?: string | undefined
}

/** Prints the verdict of every explored test after the run. `dpor()` adds it. */
export default class DporReporter implements Reporter {
  #vitest: Vitest | undefined
  /** What is known of tests that are being explored, by id. */
  readonly #underWay = new Map<string, { readonly test: TestCase; readonly progress: Progress }>()
  readonly #counts: SharedCounts | undefined

  readonly #baseline: string | undefined

  readonly #coverageReporter: string | undefined
  readonly #replay: string | undefined
  readonly #explores: boolean

  constructor({ counts, explores = false, baseline, coverageReporter, replay }: ReporterOptions = {}) {
    this.#replay = replay
    this.#explores = explores
    this.#coverageReporter = coverageReporter
    if (counts !== undefined) this.#counts = new SharedCounts(counts)
    this.#baseline = baseline
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    vitest.onCancel(() => this.#printProgress())
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const interrupted = (): void => this.#interrupted(signal)
      process.once(signal, interrupted)
      vitest.onClose(() => void process.off(signal, interrupted))
    }
  }

  onTestRunStart(files: readonly unknown[]): void {
    this.#counts?.add('files', files.length)
  }

  onTestCaseArtifactRecord(test: TestCase, artifact: { readonly type: string }): void {
    if (artifact.type !== 'dpor:progress') return
    const progress = artifact as Progress
    this.#underWay.set(test.id, { test, progress })
    const vitest = this.#vitest
    if (vitest && process.stdout.isTTY && isForPeople(vitest)) vitest.logger.log(`  ${pc.cyan('exploring')}  ${test.module.relativeModuleId} > ${test.fullName}  ${pc.dim(progressText(progress))}`)
  }

  onTestCaseResult(test: TestCase): void {
    this.#underWay.delete(test.id)
  }

  /** Prints what is known, and ends the process if nobody else does. */
  #interrupted(signal: 'SIGINT' | 'SIGTERM'): void {
    this.#printProgress()
    if (process.listenerCount(signal) === 0) process.exit(signal === 'SIGINT' ? 130 : 143)
  }

  #printProgress(): void {
    const lines = [...this.#underWay.values()].map(({ test, progress: { executions, blocked, steps } }) => {
      const counts = [plural(executions, 'execution'), ...(blocked > 0 ? [`${blocked} blocked`] : []), plural(steps, 'step')]
      return `  ${pc.yellow('inconclusive')}  ${shownName(test)}  ${pc.dim(`${counts.join(', ')} so far`)}`
    })
    this.#underWay.clear()
    if (lines.length > 0) this.#vitest?.logger.log([`${pc.bold(pc.inverse(' DPOR '))} interrupted`, ...lines, ''].join('\n'))
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    this.#tell(modules)
    if (this.#coverageReporter !== undefined) await runForCoverage(this.#coverageReporter)
  }

  #tell(modules: readonly TestModule[]): void {
    const vitest = this.#vitest
    if (!vitest) return
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    this.#checkReplay(tests, vitest)
    // Who merges reports does not say again what their runs were asked for.
    const isAsked = this.#explores || (vitest.config.mergeReports !== undefined && tests.some((test) => test.meta().dporFound))
    const ordinary = tests.flatMap((test) => foundOf(test, { isAsked }))
    if (this.#baseline !== undefined) this.#writeBaseline(this.#baseline, ordinary)
    keepFailuresOf(tests)
    if (process.env['GITHUB_ACTIONS']) tellGitHub(tests, ordinary, vitest)
    if (!isForPeople(vitest)) return
    const ids = new Set(ordinary.map(({ id }) => id))
    const lines = tests.filter((test) => !ids.has(test.id)).flatMap(lineOf)
    if (ordinary.length > 0) vitest.logger.log([`${pc.bold(pc.inverse(' DPOR '))} ${totals(ordinary)}`, ...linesOf(ordinary).map(lineOfFound), ...(vitest.config.coverage?.enabled ? [ofCoverage] : []), ''].join('\n'))
    if (lines.length > 0) vitest.logger.log([`${pc.bold(pc.inverse(' DPOR '))} explored`, ...lines, ''].join('\n'))
  }

  /** All explored tests are skipped but the one that the replay belongs to: if there is none, that is no success. */
  #checkReplay(tests: readonly TestCase[], vitest: Vitest): void {
    if (this.#replay === undefined) return
    const { schedule, tag } = partsOf(this.#replay)
    if (tag === undefined || vitest.config.watch || vitest.config.shard || tests.some((test) => tagOfName(nameOf(test)) === tag)) return
    process.exitCode = 1
    vitest.logger.error(`vitest-dpor: --dpor.replay=${this.#replay} belongs to none of the tests of this run. A test that has been renamed or moved is replayed by \`-t 'its name' -- --dpor.replay=${schedule}\``)
  }

  #writeBaseline(file: string, tests: readonly FoundTest[]): void {
    const known = tests.flatMap(({ name, finding: { found, race } }) => (found === 'known' && race ? [{ test: name, race }] : []))
    writeFileSync(file, baselineText(known))
    this.#vitest?.logger.log(`vitest-dpor: the races of ${plural(known.length, 'test')} are written to ${file}: from now on they fail nothing. Commit it`)
  }
}

/** Each project keeps those of its own tests. */
function keepFailuresOf(tests: readonly TestCase[]): void {
  const byFolder = new Map<string, { readonly tag: string; readonly meta: DporMeta }[]>()
  for (const test of tests) {
    const meta = test.meta().dpor
    if (!meta) continue
    const folder = cacheFolderBeside(test.project.vite.config.cacheDir)
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), { tag: tagOfName(nameOf(test)), meta }])
  }
  for (const [folder, explored] of byFolder) keepFailures(folder, explored)
}

function lineOfFound({ found, text, remark }: SummaryLine): string {
  const dim = remark === '' ? '' : `  ${pc.dim(remark)}`
  const colour = found === 'race' || found === 'fails' ? pc.red : pc.yellow
  return `  ${colour(labelOf(found))}  ${text}${dim}`
}

function lineOf(test: TestCase): string[] {
  const meta = test.meta().dpor
  return meta ? verdictLines(shownName(test), meta, { toSee: (packages) => `dpor({ inline: ['auto', ${packages.map((name) => `'${name}'`).join(', ')}] })` }) : []
}
