/**
 * Decides for a test worker: what the test file loads from packages is loaded by Node itself, and the test runner never gets to
 * see it. A test file that does not explore loads them as ever.
 */
import vm from 'node:vm'
import { expect, inject } from 'vitest'
import type { CommandLineOptions, ProvidedRun } from '../../src/options/index.ts'
import { allAtOnce, allHeld, globalName, knowsTexts, namingName } from '../../src/runtime/calls/emitted.ts'
import { readHeld, type HeldFile, type ProvidedHeld } from '../../src/testing/held/held-file.ts'
import { runsWholeFiles } from '../../src/testing/held/whole-files.ts'
import { SharedCounts } from '../../src/testing/shared-counts.ts'
import { inContexts, type Switch } from './contexts.ts'
import { mayExplore, mayWait } from './explored-files.ts'
import type { ProvidedPackages } from './instrument.ts'

/** Of a worker that runs several test files. */
const done = Symbol.for('vitest-dpor: instruments what Node loads')

const provided = inject('dporPackages' as never) as ProvidedPackages
const run = inject('dporRun' as never) as ProvidedRun | undefined
const files = filesInHere()
const isInTime = run !== undefined && !isTooLate(run)
const mayBeKnown = isInTime && !provided.everywhere && isAlone(files) && !isReplay()
const areAtOnce = mayBeKnown && !files.some(mayWait)
const held = mayBeKnown && !areAtOnce ? wholeHeld() : undefined
const explores = provided.everywhere || (isInTime ? !areAtOnce && !held : files.some(saysThatItExplores))
Reflect.set(globalThis, allAtOnce, areAtOnce)
Reflect.set(globalThis, allHeld, held)
const tell = (name: string): void => globalThis[globalName]?.left(name)
const inThisContext = Reflect.get(vm, inContexts) as Switch | undefined

// Before the runtime itself says so: what never changes is a constant for compiled code.
if (!Object.hasOwn(globalThis, namingName)) Object.defineProperty(globalThis, namingName, { value: explores ? new Int32Array(1024) : null, writable: true, configurable: true, enumerable: false })
else if (explores && !Reflect.get(globalThis, namingName)) Reflect.set(globalThis, namingName, new Int32Array(1 << 20))
if (inThisContext) {
  Reflect.set(globalThis, knowsTexts, inThisContext(explores ? provided : undefined, tell))
} else if (explores && !provided.hasContexts && !Reflect.get(globalThis, done)) {
  Reflect.set(globalThis, done, true)
  const { hookNode } = await import('./hook-node.ts')
  Reflect.set(globalThis, knowsTexts, await hookNode(provided, files, tell))
}

function saysThatItExplores(file: string): boolean {
  return provided.exploring.includes(file) || mayExplore(file)
}

/** What was kept of the one file that runs here, if nothing of it is to be explored this time. */
function wholeHeld(): HeldFile | undefined {
  const heldAt = inject('dporHeld' as never) as ProvidedHeld | undefined
  const [file] = files
  if (!heldAt || new Set(files).size > 1 || saysThatItExplores(file!) || !runsWholeFiles()) return undefined
  return readHeld(heldAt, file!, ({ isWhole }) => isWhole === true)
}

/** Nobody else finds what the file loads. */
function isAlone({ length }: readonly string[]): boolean {
  const worker = Reflect.get(globalThis, '__vitest_worker__') as { readonly config?: { readonly isolate?: boolean } } | undefined
  return length > 0 && worker?.config?.isolate === true
}

/** One test is asked for; what others say of themselves is that they are not it. */
function isReplay(): boolean {
  return (inject('dporCommandLine' as never) as CommandLineOptions | undefined)?.replay !== undefined
}

/** Nothing of the time for explorations is left. */
function isTooLate({ until, counts }: ProvidedRun): boolean {
  return until !== undefined && (Date.now() >= until || new SharedCounts(counts!).of('time is up') > 0)
}

/** The test files that are to run in this context, one after the other: they share what they load. */
function filesInHere(): readonly string[] {
  const worker = Reflect.get(globalThis, '__vitest_worker__') as { readonly ctx?: { readonly files?: readonly { readonly filepath?: string }[] } } | undefined
  const listed = worker?.ctx?.files?.flatMap(({ filepath }) => filepath ?? []) ?? []
  const { testPath } = expect.getState()
  return testPath === undefined ? listed : [testPath, ...listed]
}
