import { test as ordinaryTest } from 'vitest'
import { byFixture, byRunner, type Stages } from '../../runtime/index.ts'
import { beginAlone, TwoStages } from './two-stages.ts'

/** A test that is run again and again. */
export interface TestUnderWay {
  /** Of the execution that is under way. */
  readonly stages: Stages | undefined
  /** What is called now is part of one already. */
  readonly isInStage: boolean
  /** Runs code in a stage of its own. */
  alone(name: string, work: () => unknown): Promise<unknown>
  /** Its execution goes on until this is called off, */
  keepOpen(): void
  /** by this. */
  close(): Promise<void>
  /** Something went wrong of which Vitest hears when the execution is over. */
  fails(error: unknown): void
}

/** Who knows which test that is, if it is one: this one, or the one that runs now. */
export type FindTest = (task: object | undefined) => TestUnderWay | undefined

type Use = (value: unknown) => unknown
type Fixture = (context: { readonly task?: object }, use: Use | { readonly onCleanup: (cleanUp: () => unknown) => void }) => unknown
type AnyTest = Record<string, unknown>

const isStaged = Symbol.for('vitest-dpor: fixtures are parts of executions')

/** From now on the fixtures that tests are extended with are made, and taken down, as parts of executions. */
export function stageFixtures(find: FindTest): void {
  stageTest(ordinaryTest as unknown as AnyTest, find)
}

function stageTest(api: AnyTest, find: FindTest): void {
  if (Object.hasOwn(api, isStaged)) return
  Object.defineProperty(api, isStaged, { value: true })
  for (const name of ['extend', 'override', 'scoped']) {
    const original = api[name]
    if (typeof original !== 'function') continue
    api[name] = function (this: unknown, ...args: unknown[]): unknown {
      const extended = Reflect.apply(original, this, stagedArguments(args, find)) as AnyTest
      stageTest(extended, find)
      return extended
    }
  }
}

/** `({ name: fixture, other: [fixture, options] })`, or `(name, options?, fixture)`. */
function stagedArguments([first, ...rest]: unknown[], find: FindTest): unknown[] {
  if (typeof first === 'string') return [first, ...rest.map((value) => (typeof value === 'function' ? building(value as Fixture, find) : value))]
  if (typeof first !== 'object' || first === null) return [first, ...rest]
  const entries = Object.entries(first).map(([name, value]) => {
    if (typeof value === 'function') return [name, using(value as Fixture, find)]
    return [name, Array.isArray(value) && typeof value[0] === 'function' ? [using(value[0] as Fixture, find), ...(value as unknown[]).slice(1)] : value]
  })
  return [Object.fromEntries(entries), ...rest]
}

/** A fixture that gives what it has made to `use`, and goes on when the test is over. */
function using(fixture: Fixture, find: FindTest): Fixture {
  return likeIt(fixture, (context, use) => {
    const test = find(context.task)
    const stages = test?.stages
    if (!stages || typeof use !== 'function') return fixture(context, use)
    if (!context.task) return test.isInStage ? forFile(stages, () => fixture(context, keeps(use))) : fixture(context, use)
    if (!test.isInStage) return usingAlone(test, (wait) => fixture(context, wait), use)
    const parts = new TwoStages(stages, 'fixture')
    let closing: Promise<void> | undefined
    const begin = (wait: Use): unknown => byFixture(fixture, () => fixture(context, wait))
    const done = parts.begin(begin, (value) => {
      closing = byRunner(() => inUse(test, parts, () => use(value)))
    })
    const made = unlessUnmade(done, { test, use, isMade: () => closing !== undefined })
    return afterwards(made, () => closing)
  })
}

/** The same where no stage is under way. */
async function usingAlone(test: TestUnderWay, work: (wait: Use) => unknown, use: Use): Promise<unknown> {
  const begun = await unlessUnmade(beginAlone(test, 'fixture', work), { test, use, isMade: () => false })
  if (!begun) return undefined
  const { parts, done, reached } = begun
  done.catch((error: unknown) => test.fails(error))
  if (!reached) return done
  const closing = inUse(test, parts, () => use(reached.value))
  return afterwards(done, () => closing)
}

/** Of one that fails before it is made Vitest knows the same as of others, or it would not make it again in another pass; the body does not run. */
function unlessUnmade<T>(making: Promise<T>, { test, use, isMade }: { readonly test: TestUnderWay; readonly use: Use; readonly isMade: () => boolean }): Promise<T | undefined> {
  return making.catch((error: unknown) => {
    test.fails(error)
    if (isMade()) throw error
    use(undefined)
    return undefined
  })
}

/** @param used ends when the fixture is to be taken down */
function inUse(test: TestUnderWay, parts: TwoStages, used: () => unknown): Promise<void> {
  test.keepOpen()
  return closeAfter(test, async () => {
    await used()
    await parts.end()
  })
}

/** It belongs to the whole file: what it has made is there for other tests as well. */
function forFile(stages: Stages, work: () => unknown): unknown {
  stages.leaveState()
  return work()
}

async function closeAfter(test: TestUnderWay, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    test.fails(error)
    throw error
  } finally {
    await test.close()
  }
}

/** The same outcome, later. */
async function afterwards<T>(outcome: Promise<T>, wait: () => Promise<void> | undefined): Promise<T> {
  await outcome.catch(() => {})
  await wait()
  return outcome
}

/** A fixture that returns what it has made. One that fails Vitest takes for made, see {@link unlessUnmade}. */
function building(fixture: Fixture, find: FindTest): Fixture {
  return likeIt(fixture, async (context, given) => {
    const test = find(context.task)
    const stages = test?.stages
    if (!stages || typeof given !== 'object') return fixture(context, given)
    if (!context.task) return test.isInStage ? forFile(stages, () => fixture(context, given)) : fixture(context, given)
    let isMade = true
    const onCleanup = (cleanUp: () => unknown): void => {
      given.onCleanup(() => closeAfter(test, async () => void (isMade && (await stages.alone('fixture', cleanUp)))))
      test.keepOpen()
    }
    const build = (): unknown => byFixture(fixture, () => fixture(context, { ...given, onCleanup }))
    try {
      return await (test.isInStage ? build() : test.alone('fixture', build))
    } catch (error) {
      isMade = false
      test.fails(error)
      return undefined
    }
  })
}

/** What is waited for within code that runs outside of stages. */
function keeps(use: Use): Use {
  return (value) => {
    '__dpor'
    return use(value)
  }
}

/** Vitest reads from the text of a fixture which others it uses. */
function likeIt(fixture: Fixture, staged: Fixture): Fixture {
  const text = String(fixture)
  Object.defineProperties(staged, Object.getOwnPropertyDescriptors(fixture))
  return Object.defineProperty(staged, 'toString', { value: () => text, configurable: true })
}
