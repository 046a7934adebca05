import { inject } from 'vitest'
import type { Finding } from '../../testing/finding.ts'
import { digest, inputsOf, restsOn } from '../../testing/held/inputs.ts'
import { runsWholeFiles } from '../../testing/held/whole-files.ts'
import { readHeld, writeHeld, type HeldFile, type HeldTest, type ProvidedHeld } from '../../testing/held/held-file.ts'
import { isOverAtOnce } from '../ordinary/over-at-once.ts'
import type { RunnerSuite, RunnerTest } from '../passes/runner-test.ts'
import { loadedFiles } from './loaded-files.ts'

/**
 * Tests that hold, or have one order, are not explored again as long as nothing has changed that they rest on. Before the first test
 * of a file it is read what was found the last time, and after the last one it is written what is found now.
 */
export class HeldTests {
  readonly #provided: ProvidedHeld
  /** What is loaded from now on is as it is now, unless somebody changes it. */
  readonly #since = Date.now()
  #testFile = ''
  #last: HeldFile | undefined
  /** Of tests that have a name of their own: what ran before them. */
  #before: ReadonlyMap<string, string> = new Map()
  #now: Record<string, HeldTest> = {}
  /** Those of the file that are to be run. */
  #tests: readonly RunnerTest[] = []
  /** Of those that were not explored: what was known of them. */
  readonly #again = new Map<RunnerTest, HeldTest>()

  constructor(provided: ProvidedHeld) {
    this.#provided = provided
  }

  /** @param last what was kept of it, if that was read before */
  fileBegins(file: RunnerSuite, tests: readonly RunnerTest[], last?: HeldFile): void {
    this.#testFile = file.filepath!
    this.#last = last ?? readHeld(this.#provided, this.#testFile)
    this.#tests = tests
    this.#before = whatIsBefore(tests.map(fullNameOf))
    this.#now = {}
    this.#again.clear()
  }

  /** What is said of a test that held the last time, and so is not to be explored. */
  lastTime(test: RunnerTest): Finding | undefined {
    const name = fullNameOf(test)
    const held = this.#last?.tests[name]
    if (!held || held.before !== this.#before.get(name)) return undefined
    this.#again.set(test, held)
    return { found: 'held', ...(held.waits && { waits: held.waits }) }
  }

  /** A test was explored, and passes. */
  found(test: RunnerTest, { found, waits }: Finding): void {
    if (found !== 'holds' && found !== 'alone') return
    const name = fullNameOf(test)
    const before = this.#before.get(name)
    const { realIo = [] } = test.meta['dpor'] as { readonly realIo?: readonly string[] }
    if (before === undefined || realIo.length > 0) return
    this.#now[name] = { before, ...(waits && { waits }) }
  }

  fileEnds(): void {
    const failed = [...this.#again.keys()].filter(({ result }) => result?.state !== 'pass').map(fullNameOf)
    const isWhole = failed.length === 0 && (runsWholeFiles() ? this.#areAllHeld : this.#last?.isWhole === true)
    if (Object.keys(this.#now).length === 0 && failed.length === 0 && isWhole === (this.#last?.isWhole === true)) return
    const files = loadedFiles()
    if (files === undefined || files.some((file) => this.#hasChanged(file))) return
    const { root } = this.#provided
    const inputs = { ...this.#last?.inputs, ...inputsOf([...files.flatMap((file) => restsOn(file, root)), snapshotsOf(this.#testFile)]) }
    const tests = { ...this.#last?.tests, ...this.#now }
    for (const name of failed) Reflect.deleteProperty(tests, name)
    writeHeld(this.#provided, this.#testFile, { inputs, tests, ...(isWhole && { isWhole }) })
  }

  /** There is nothing to explore in the file, as long as it stays so. */
  get #areAllHeld(): boolean {
    return this.#tests.every((test) => isOverAtOnce(test) || this.#again.has(test) || Object.hasOwn(this.#now, fullNameOf(test)))
  }

  /** What was loaded may not be what is there now. */
  #hasChanged(file: string): boolean {
    return (process.getBuiltinModule('node:fs').statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) >= this.#since
  }
}

/** Undefined where nothing is kept: `plugin/held.ts` says why. */
export function heldTests(): HeldTests | undefined {
  const provided = inject('dporHeld' as never) as ProvidedHeld | undefined
  return provided && new HeldTests(provided)
}

function whatIsBefore(names: readonly string[]): ReadonlyMap<string, string> {
  const before = new Map<string, string>()
  const several = new Set<string>()
  let digested = ''
  for (const name of names) {
    if (before.has(name)) several.add(name)
    before.set(name, digested)
    digested = digest(digested, name)
  }
  for (const name of several) before.delete(name)
  return before
}

function fullNameOf({ name, suite }: Pick<RunnerTest, 'name' | 'suite'>): string {
  return suite ? `${fullNameOf(suite)} > ${name}` : name
}

/** Where Vitest keeps those of a test file. */
function snapshotsOf(testFile: string): string {
  const { dirname, basename, join } = process.getBuiltinModule('node:path')
  return join(dirname(testFile), '__snapshots__', `${basename(testFile)}.snap`)
}
