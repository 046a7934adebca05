import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { renderRunPage, type RunLines, type RunRow } from '../page/index.ts'
import { pageType } from '../testing/failure-page.ts'
import type { Finding } from '../testing/finding.ts'
import type { DporMeta } from '../testing/meta.ts'
import { nameOf as nameOfRace } from '../testing/race.ts'
import { racingLinesOfAll } from '../testing/racing-lines.ts'
import { countsOf, plural, remarksOf } from '../testing/verdict-lines.ts'
import { asksForLines } from './asks-for-lines.ts'

export interface ReportOptions {
  /** Where to write it, seen from the root of the project. Default `dpor.html`. */
  readonly outputFile?: string
}

/** Writes one page for a run: every test that was explored, its verdict, and what that rests on. For `reporters` in the config, or `--reporter=vitest-dpor/report`. */
export default class DporReport implements Reporter {
  readonly #options: ReportOptions
  #vitest: Vitest | undefined

  constructor(options: ReportOptions = {}) {
    this.#options = options
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    vitest.provide(asksForLines as never, true as never)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!this.#vitest) return
    const { config, logger } = this.#vitest
    const file = path.resolve(config.root, this.#options.outputFile ?? 'dpor.html')
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const rows = tests.flatMap((test) => rowOf(test, path.dirname(file)))
    const lines = racingLinesOfAll(tests.map((test) => (test.meta().dpor || undefined)?.racingLines ?? []))
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, renderRunPage({ title: path.basename(config.root), totals: totalsOf(rows), rows, lines: lines.map((one) => shownLines(one, config.root)) }))
    logger.log(`DPOR report written to ${path.relative(process.cwd(), file) || file}`)
  }
}

function shownLines({ lines, seen, tests }: ReturnType<typeof racingLinesOfAll>[number], root: string): RunLines {
  const [first, second] = lines.map(({ file, line, text }) => ({ place: `${path.relative(root, file).replaceAll(path.sep, '/')}:${line}`, text }))
  return { first: first!, second: second!, seen, tests }
}

function totalsOf(rows: readonly RunRow[]): string {
  const counts = Object.entries(words).flatMap(([verdict, many]) => {
    const count = rows.filter((row) => row.verdict === verdict).length
    return count === 0 ? [] : [`${count} ${count === 1 ? verdict : many}`]
  })
  return `${plural(rows.length, 'explored test')}${counts.length === 0 ? '' : `: ${counts.join(', ')}`}`
}

/** By verdict: what is said of several. */
const words: Readonly<Record<string, string>> = { race: 'races', fails: 'fail', 'known race': 'known races', inconclusive: 'inconclusive', holds: 'hold', 'no concurrency': 'without concurrency', 'not explored': 'not explored' }

/** Nothing of a test that was not to be explored. */
function rowOf(test: TestCase, folder: string): RunRow[] {
  const { dpor, dporFound } = test.meta()
  const { state } = test.result()
  if ((!dpor && !dporFound) || state === 'skipped' || state === 'pending') return []
  const page = test.annotations().find(({ type }) => type === pageType)?.attachment?.path
  return [{
    name: `${test.module.relativeModuleId} > ${test.fullName}`,
    ...verdictOf(dpor || undefined, dporFound, state === 'failed'),
    counts: dpor ? countsOf(dpor) : undefined,
    remarks: [...storyOf(test), ...reasonsOf(dporFound), ...(dpor ? remarksOf(dpor, {}) : [])],
    page: page === undefined ? undefined : path.relative(folder, page).replaceAll(path.sep, '/'),
  }]
}

/** The first sentences of what it fails with. */
function storyOf(test: TestCase): string[] {
  const [error] = test.result().errors ?? []
  return error ? [stripVTControlCharacters(error.message).split('\n\n')[0]!.replaceAll(/\s+/g, ' ')] : []
}

function reasonsOf({ reason, race }: Finding = { found: 'holds' }): string[] {
  return [...(reason === undefined ? [] : [reason]), ...(race ? [nameOfRace(race)] : [])]
}

function verdictOf(dpor: DporMeta | undefined, found: Finding | undefined, hasFailed: boolean): Pick<RunRow, 'verdict' | 'tone'> {
  switch (found?.found ?? dpor?.verdict) {
    case 'race':
      return { verdict: 'race', tone: 'bad' }
    case 'fails':
      return { verdict: 'fails', tone: 'bad' }
    case 'known':
      return { verdict: 'known race', tone: 'open' }
    case 'inconclusive':
      return { verdict: 'inconclusive', tone: 'open' }
    case 'holds':
      return hasFailed ? { verdict: 'fails', tone: 'bad' } : { verdict: 'holds', tone: 'good' }
    case 'held':
      return hasFailed ? { verdict: 'fails', tone: 'bad' } : { verdict: 'holds as last time', tone: 'good' }
    case 'alone':
      return hasFailed ? { verdict: 'fails', tone: 'bad' } : { verdict: 'no concurrency', tone: 'plain' }
    default:
      return hasFailed ? { verdict: 'fails', tone: 'bad' } : { verdict: 'not explored', tone: 'plain' }
  }
}
