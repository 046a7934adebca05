import test, { type TestContext, type TestOptions } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import type { Body, Tasks } from '../runtime/index.ts'
import { mergeLayers, type DporOptions } from '../options/index.ts'
import { checkInstrumented, deadlineBefore, endInconclusive, exploreBody } from '../testing/explored-body.ts'
import { keptFilesOfTest } from '../testing/kept-files.ts'
import { tagOfTest } from '../testing/test-tag.ts'
import { metaOf } from '../testing/meta.ts'
import { checkRegistered } from './registered.ts'
import { splitOptions } from '../testing/split-options.ts'
import { bind, given, type Given } from '../testing/subject.ts'
import { verdictLines } from '../testing/verdict-lines.ts'
import { Surroundings } from './surroundings.ts'

/** Options of `node:test` stand beside those of an exploration. */
export type DporTestOptions = DporOptions & TestOptions

type ContextBody = (context: TestContext) => unknown

/** `dporTest` has the shape of `test` of `node:test`; its body runs once for every class of its interleavings. */
export interface DporTest {
  (name: string, body: ContextBody): Promise<void>
  (name: string, options: DporTestOptions, body: ContextBody): Promise<void>
  <S>(name: string, tasks: Tasks<S>): Promise<void>
  <S>(name: string, options: DporTestOptions, tasks: Tasks<S>): Promise<void>
  readonly only: DporTest
  readonly skip: DporTest
  readonly todo: DporTest
}

/**
 * A test whose body is run once for every Mazurkiewicz class of its interleavings.
 *
 * `dporTest(name, options?, body)` or `dporTest(name, options?, { setup, tasks, invariant })`. Hooks (`beforeEach`, `afterEach`) run once
 * around the test, not around each execution; so does what the context of the test offers.
 * @throws the failure of the first failing execution, explained, with a schedule that replays it
 */
export const dporTest: DporTest = Object.assign(define({}), { only: define({ only: true }), skip: define({ skip: true }), todo: define({ todo: true }) }) as unknown as DporTest

function define(how: TestOptions) {
  return (name: string, ...rest: readonly unknown[]): Promise<void> => {
    checkRegistered()
    const [said, last] = rest.length > 1 ? rest : [{}, rest[0]]
    const subject = given(last)
    const { dpor: own, others: options } = splitOptions<TestOptions>(said as DporTestOptions, ofNode)
    const place = placeOfCaller()
    return Promise.resolve(test(name, { ...options, ...how }, (context) => explored(subject, own, { context, name, testFile: place, timeout: options.timeout })))
  }
}

interface Test {
  readonly context: TestContext
  readonly name: string
  readonly testFile: string | undefined
  readonly timeout: number | undefined
}

const notInstrumented = {
  noFile: 'vitest-dpor/node-test/register has to come before other loaders: node --import vitest-dpor/node-test/register --import tsx --test',
  notThisFile: 'a loader that comes before vitest-dpor/node-test/register has compiled it, or it lies in node_modules',
}

async function explored(subject: Given, own: DporOptions, { context, name, testFile, timeout }: Test): Promise<void> {
  const options = mergeLayers({ test: own })
  checkInstrumented(subject as Body, notInstrumented)
  await fileIsLoaded()
  const named = { name: context.fullName ?? name, testFile }
  const body = await exploreBody(bind(subject, [context]), { ...options, ...keptFilesOfTest(options, named), drawsAs: tagOfTest(named), ...deadlineBefore(timeout), surroundings: new Surroundings() })
  const { result, explain } = body
  // Reports for machines show it as well.
  for (const line of verdictLines(name, metaOf(body), {})) context.diagnostic(stripVTControlCharacters(line).trim())
  if (result.failures[0]) throw withoutDetails(await explain({ name, testFile }))
  if (result.verdict === 'inconclusive') endInconclusive(body, options)
}

/** The first test begins while the rest of its file is still loading, which is no part of an execution. It is over a few turns of the event loop later. */
async function fileIsLoaded(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate()
}

/** Reporters of `node:test` print every property of an error: what the story says is enough. */
function withoutDetails(error: Error): Error {
  for (const name of ['explanation', 'stacks']) if (name in error) Object.defineProperty(error, name, { enumerable: false })
  return error
}

const ofNode = { names: new Set(['timeout', 'skip', 'todo', 'only', 'concurrency', 'signal', 'plan']), called: "those of node:test's test()" }

/** The file whose code defines the test. */
function placeOfCaller(): string | undefined {
  const frames = (new Error().stack ?? '').split('\n').slice(1)
  const frame = frames.find((line) => !line.includes(ownFolder) && !line.includes('node:'))
  const file = frame && /(?:file:\/\/)?(\/[^():]+|[A-Z]:[^():]+):\d+:\d+\)?$/.exec(frame)?.[1]
  return file && decodeURIComponent(file)
}

const ownFolder = new URL('.', import.meta.url).pathname
