import { OptionError } from '../../engine/index.ts'
import type { Execution } from '../execution/execution.ts'
import { leadsToOwnJobs } from '../execution/native.ts'
import type { Call } from '../execution/process.ts'
import { areKeptApart, asRuntime, programGoesOn, runtimeGoesOn } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { tie, tiedTo } from '../execution/tie.ts'
import { cellOf, makeCell, PromiseCell } from './promise-cell.ts'

/** What `node:v8` tells of promises: each in the moment in which it is made, settled, and goes on. */
interface PromiseHooks {
  createHook(callbacks: {
    init?: (promise: object, parent: object | undefined) => void
    settled: (promise: object) => void
    before?: (promise: object) => void
    after?: (promise: object) => void
  }): () => void
}

/** What is about to happen to a promise in the code that runs now. */
interface Expected {
  /** `await` of it, by this call, */
  promise: object | undefined
  call: Call | undefined
  /** or nothing that the code under test does. */
  isOurs: boolean
}

const expected: Expected = { promise: undefined, call: undefined, isOurs: false }

/** Of reactions for our own needs, where a loop has to know what else goes on. */
const ours = new WeakSet<object>()
/** Of jobs in which no code of the program runs, where it matters how many there are. */
const besideLine = new WeakSet<object>()

/** What promises are tied to that were made while something is explored, but not by a step for the program. */
const besideProgram = {}

/** Code that is not instrumented runs now. */
let isForeign = false

/** Runs code that is not instrumented: what it makes has names of its own. */
export function inForeignCode<T>(execution: Execution, work: () => T): T {
  if (!execution.events) return work()
  const outer = isForeign
  isForeign = true
  try {
    return work()
  } finally {
    isForeign = outer
  }
}

/** The next thing that happens is an `await` of this promise by this call. */
export function expectAwait(promise: object, call: Call): void {
  expected.promise = promise
  expected.call = call
}

/** Registers a reaction for our own needs: it asks for nothing. */
export function unseen<T>(work: () => T): T {
  const outer = expected.isOurs
  expected.isOurs = true
  try {
    return work()
  } finally {
    expected.isOurs = outer
  }
}

/** The execution that runs, if its steps are events: in the others, whose calls are held back, each `await` is a step, and goes on by itself. */
const inEvents = (): Execution | undefined => (running?.events === undefined ? undefined : running)

function init(promise: object, parent: object | undefined): void {
  const execution = inEvents()
  if (execution === undefined) return tie(promise, besideProgram)
  if (execution.line !== undefined) {
    if (expected.isOurs || leadsToOwnJobs(parent)) {
      besideLine.add(promise)
      if (parent !== undefined) execution.line.hears(parent)
    } else execution.line.made(promise, parent, { isInCall: execution.call !== null })
  }
  if (expected.isOurs) {
    tie(promise, besideProgram)
    if (execution.accesses.loop !== undefined) ours.add(promise)
    return
  }
  const cell = makeCell(execution, promise, { isForeign, isDerived: parent !== undefined })
  if (parent === undefined) return
  cellOf(execution, parent)?.ask(execution.call?.site ?? 0)
  if (parent === expected.promise) {
    cell.resumes = expected.call
    expected.promise = expected.call = undefined
  }
}

function settled(promise: object): void {
  const execution = inEvents()
  if (execution === undefined) return
  const known = tiedTo(promise)
  if (known instanceof PromiseCell && known.execution === execution) known.settled()
  else if (known === undefined || (known instanceof PromiseCell && known.execution.isLeft)) execution.settlesOlder()
  execution.line?.settled(promise)
}

function before(promise: object): void {
  const execution = inEvents()
  if (execution === undefined) return
  execution.cut.countReaction()
  if (execution.line !== undefined && !besideLine.has(promise)) execution.line.jobBegins(promise)
  const cell = cellOf(execution, promise)
  const { loop } = execution.accesses
  if (loop !== undefined && !ours.has(promise)) loop.runs(cell?.object)
  isForeign = cell?.isForeign === true && cell.resumes === undefined
  const call = cell?.resumes
  if (call) execution.resumed(call)
  else execution.enter(null)
  execution.isEventsOwnCode = false
  cell?.begins()
}

function after(): void {
  isForeign = false
  inEvents()?.enter(null)
}

/**
 * Lets the platform tell of all promises, whoever makes them and waits for them: they stay as they are, and so does the order
 * of what they lead to. Returns what ends it. @throws OptionError where the platform does not tell
 */
export function watchPromises(): () => void {
  const hooks = platformHooks()
  if (hooks === undefined) throw new OptionError('interleave', 'event-loop', "it needs Node.js 20.16 or later; 'await' works everywhere")
  return hooks.createHook(areKeptApart ? hooksApart : { init, settled, before, after })
}

const platformHooks = (): PromiseHooks | undefined => (globalThis.process?.getBuiltinModule?.('node:v8') as unknown as { promiseHooks?: PromiseHooks } | undefined)?.promiseHooks

/** Where every `await` is a step the platform is not asked all the time: during one call, if it tells at all. */
export function whileSettling<T>(tell: (promise: object) => void, call: () => T): T {
  const stop = platformHooks()?.createHook({ settled: tell })
  try {
    return call()
  } finally {
    stop?.()
  }
}

/** Where the program replaces what the runtime works with: between the two the platform runs its code. */
const hooksApart = {
  init: (promise: object, parent: object | undefined): void => asRuntime(() => init(promise, parent)),
  settled: (promise: object): void => asRuntime(() => settled(promise)),
  before(promise: object): void {
    asRuntime(() => before(promise))
    if (running !== null) programGoesOn()
  },
  after(): void {
    runtimeGoesOn()
    after()
  },
}

