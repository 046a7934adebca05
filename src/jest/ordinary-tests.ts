import { mergeLayers, ofOneTest, type ExplorationDefaults } from '../options/index.ts'
import type { RunOptions } from '../runtime/index.ts'
import { leftOutByComments } from '../testing/comments.ts'
import { ioOfTest } from '../testing/io-of-test.ts'
import { labelOf, linesOf, totals, type FoundTest, type SummaryLine } from '../testing/summary.ts'
import { executionsOf } from '../testing/verdict-lines.ts'
import { blocksAround, listenToCircus, type CircusEvent, type CircusTest } from './circus.ts'
import { defaultsName } from './defaults.ts'
import { isOfDporTest } from './dpor-test.ts'
import { commonTimeout, print } from './explored-test.ts'
import type { JestExpect } from './framework.ts'
import { OrdinaryTest } from './ordinary-test.ts'
import { Surroundings } from './surroundings.ts'

/** What the ordinary tests of a file are explored with. */
export interface Exploring {
  readonly options: RunOptions
  /** One schedule is to be run, of a test that Jest is told the name of. */
  readonly isReplay: boolean
  readonly testFile: string | undefined
  /** Milliseconds for one run of a test that has no other timeout. */
  readonly timeout: number
}

/** From now on the ordinary tests of this file are explored, and what was found is printed when they are over. */
export function exploreOrdinaryTests(expect: JestExpect): void {
  const found: FoundTest[] = []
  const { testPath: testFile } = expect.getState()
  const leavesOut = leftOutByComments(textOf(testFile))
  let underWay: OrdinaryTest | undefined
  listenToCircus((event: CircusEvent) => {
    switch (event.name) {
      case 'test_started':
        if (isOfDporTest(event.test.fn)) return
        underWay = new OrdinaryTest(event.test, { ...exploring(expect), testFile })
        if (leavesOut(namesOf(event.test))) underWay.leave('it is left out, by a comment')
        else underWay.takeOver()
        break
      case 'test_done':
        if (underWay) found.push(foundOf(underWay, { name: expect.getState().currentTestName ?? '', hasFailed: event.test.errors.length > 0 }))
        underWay?.giveBack()
        underWay = undefined
        break
      case 'run_finish':
        if (found.length > 0) print([totals(found), ...linesOf(found, { timeRace: "the option time: 'race'", unexplored: 'a run without dpor' }).map(lineOf)])
        break
      default:
        event satisfies never
    }
  })
}

function exploring(expect: JestExpect): Omit<Exploring, 'testFile'> {
  const replay = process.env['DPOR_REPLAY']
  const plugin = { ...ofOneTest, ...(Reflect.get(globalThis, defaultsName) as ExplorationDefaults | undefined), interleave: 'event-loop' as const }
  const options = mergeLayers({ plugin, test: replay === undefined ? {} : { replay } })
  return {
    options: { ...options, io: ioOfTest(expect.getState().testPath), surroundings: new Surroundings(expect), trustsPassing: true },
    isReplay: replay !== undefined,
    timeout: commonTimeout(),
  }
}

function foundOf({ finding, executions }: OrdinaryTest, { name, hasFailed }: { readonly name: string; readonly hasFailed: boolean }): FoundTest {
  return { name, finding: hasFailed && finding.found === 'unexplored' ? { found: 'fails' } : finding, counts: executions === undefined ? undefined : executionsOf(executions) }
}

/** Its own, and those of the suites that it is in, but for what stands around them all. */
const namesOf = (test: CircusTest): string[] => [...blocksAround(test).slice(1), test].map(({ name }) => name)

const textOf = (file: string | undefined): string => (file === undefined ? '' : process.getBuiltinModule('node:fs').readFileSync(file, 'utf8'))

const lineOf = ({ found, text, remark }: SummaryLine): string => `  ${labelOf(found)}  ${[text, remark].filter((part) => part !== '').join('  ')}`
