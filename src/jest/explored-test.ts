import type { Body, Tasks } from '../runtime/index.ts'
import { mergeLayers, type DporOptions, type ExplorationDefaults } from '../options/index.ts'
import { checkInstrumented, deadlineBefore, endInconclusive, exploreBody, failsInSomeExecution } from '../testing/explored-body.ts'
import { ioOfTest } from '../testing/io-of-test.ts'
import { keptFilesOfTest } from '../testing/kept-files.ts'
import { tagOfTest } from '../testing/test-tag.ts'
import { metaOf } from '../testing/meta.ts'
import { verdictLines } from '../testing/verdict-lines.ts'
import { defaultsName } from './defaults.ts'
import type { Framework } from './framework.ts'
import { Surroundings } from './surroundings.ts'

interface Test {
  readonly framework: Framework
  /** Milliseconds, where the test has its own. */
  readonly timeout: number | undefined
}

/** The body of a test that explores `subject`: fails with an explanation, or prints the verdict. */
export async function exploreTest(subject: Body | Tasks, own: DporOptions, { framework, timeout }: Test): Promise<void> {
  const { expect } = framework
  const { currentTestName: name = '', testPath } = expect.getState()
  const options = mergeLayers({ plugin: Reflect.get(globalThis, defaultsName) as ExplorationDefaults | undefined, test: own })
  checkInstrumented(subject, notInstrumented)
  const test = { name, testFile: testPath }
  const explored = await exploreBody(subject, { ...options, ...keptFilesOfTest(options, test), drawsAs: tagOfTest(test), io: ioOfTest(testPath), ...deadlineBefore(timeout ?? commonTimeout()), surroundings: new Surroundings(expect) })
  const { result, explain } = explored
  print(['explored', ...verdictLines(name, metaOf(explored), { toSee: (packages) => `transformIgnorePatterns: ['/node_modules/(?!(?:${packages.join('|')})/)']` })])
  if (result.failures.length > 0) throw await explain({ name, testFile: testPath })
  if (result.verdict === 'inconclusive') endInconclusive(explored, options)
}

/** The same for a test that is expected to fail. */
export const exploreFailingTest = (...test: Parameters<typeof exploreTest>): Promise<void> => failsInSomeExecution(() => exploreTest(...test))

const notInstrumented = {
  noFile: "withDpor() is not in the Jest config, or another entry of `transform` comes before the one that it adds",
  notThisFile: 'another entry of `transform` comes before the one that withDpor() adds, or `transformIgnorePatterns` leaves its file out',
}

/** Jest's own, unless the config or `jest.setTimeout()` says another. */
export const commonTimeout = (): number => (Reflect.get(globalThis, Symbol.for('TEST_TIMEOUT_SYMBOL')) as number | undefined) ?? 5000

/** Past Jest's console, which would say of each line where it comes from. */
export function print([first, ...lines]: readonly string[]): void {
  process.stderr.write(`${[` DPOR  ${first}`, ...lines].join('\n')}\n`)
}
