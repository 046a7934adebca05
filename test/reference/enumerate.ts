import { bounded, circles } from './asking-loops.ts'
import { asyncCalls } from './async-calls.ts'
import { asCoroutines, coroutineNames, returningText } from './coroutines.ts'
import { replaceGlobals } from './globals.ts'
import { fateOf, promiseClass } from './promises.ts'
import { type Call, type Job, type Line, Scheduler } from './scheduler.ts'
import { outcomeText } from './outcome.ts'

export interface EnumerateOptions {
  /** What the body can use by name: made anew for every execution. */
  readonly scope?: (() => Readonly<Record<string, unknown>>) | undefined
  /** Interleavings above which to give up. Default 20,000. */
  readonly limit?: number
  /** Keep the orders that the language fixes however long things take: reactions of one promise, microtasks, timers of one length. Default false. */
  readonly fixedOrders?: boolean
  /** Replaces the choice among so many jobs, of which `next` is the one that is due: plants a fault, to see that it is found. */
  readonly misschedule?: (count: number, next: number) => number
}

export interface Enumerated {
  /** How the body can end, sorted: see `outcomeText`. */
  readonly outcomes: readonly string[]
  readonly interleavings: number
  readonly isOverLimit: boolean
}

/**
 * Runs an async body, given as the statements of an async function, under every interleaving. What
 * the body returns it turns into JSON text itself.
 */
export async function enumerate(source: string, options: EnumerateOptions = {}): Promise<Enumerated> {
  const { limit = 20_000, scope = () => ({}), fixedOrders = false, misschedule } = options
  const make = compile(source, Object.keys(scope()))
  const outcomes = new Set<string>()
  const choices = new Choices()
  let interleavings = 0
  const restore = replaceGlobals()
  try {
    do {
      if (interleavings >= limit) return { outcomes: [...outcomes].toSorted(), interleavings, isOverLimit: true }
      interleavings++
      choices.begin()
      const choose = (count: number): number => {
        const next = choices.choose(count)
        return misschedule ? misschedule(count, next) : next
      }
      const scheduler = new Scheduler({ choose, fixedOrders })
      const outcome = await execute(scheduler, make(scheduler, Object.values(scope())))
      if (scheduler.circling.every(({ asks }) => asks())) outcomes.add(outcome === 'deadlock' && scheduler.circling.length > 0 ? 'livelock' : outcome)
    } while (choices.advance())
  } finally {
    restore()
  }
  return { outcomes: [...outcomes].toSorted(), interleavings, isOverLimit: false }
}

/** Goes through all sequences of choices, in lexical order. */
class Choices {
  readonly #taken: { next: number; count: number }[] = []
  #depth = 0

  begin(): void {
    this.#depth = 0
  }

  choose(count: number): number {
    const taken = (this.#taken[this.#depth] ??= { next: 0, count })
    if (taken.count !== count) throw new Error(`the body is not deterministic: ${count} choices where there were ${taken.count}`)
    this.#depth++
    return taken.next
  }

  /** Turns to the next sequence; false if there is none. */
  advance(): boolean {
    for (let last = this.#taken.at(-1); last; last = this.#taken.at(-1)) {
      if (++last.next < last.count) return true
      this.#taken.pop()
    }
    return false
  }
}

type Body = () => unknown

function compile(source: string, names: readonly string[]): (scheduler: Scheduler, values: unknown[]) => Body {
  const code = asCoroutines(returningText(`(async function body() {${bounded(source)}\n})`))
  const make = new Function('Promise', 'queueMicrotask', circles, ...coroutineNames, ...names, `'use strict'; return ${code}`)
  return (scheduler, values) => {
    const Promise = promiseClass(scheduler)
    const calls = asyncCalls(scheduler, Promise)
    const queueMicrotask = (callback: () => unknown): void => scheduler.queueMicrotask(callback)
    const circling = (asks: () => boolean, isForGood: boolean): unknown =>
      new Promise((resolve: (value?: unknown) => void) => {
        scheduler.circling.push({ asks, isForGood, goOn: () => resolve() })
      })
    return make(Promise, queueMicrotask, circling, ...coroutineNames.map((name) => calls[name]), ...values) as Body
  }
}

/** Runs one execution to its end. */
async function execute(scheduler: Scheduler, body: Body): Promise<string> {
  const start = new Start(scheduler, body)
  const run = scheduler.run(start, () => start.state !== 'pending')
  let step = run.next()
  while (!step.done) {
    await (step.value === 'microtasks' ? microtasks() : events())
    step = run.next()
  }
  if (step.value === 'deadlock') return outcomeText({ kind: 'deadlock' })
  if (start.state === 'rejected') return outcomeText({ kind: 'error', error: start.value })
  if (scheduler.uncaught.length > 0) return outcomeText({ kind: 'error', error: scheduler.uncaught[0] })
  if (scheduler.unhandled.length > 0) return outcomeText({ kind: 'unhandled-rejection', error: scheduler.unhandled[0] })
  return outcomeText({ kind: 'returned', text: start.value })
}

const { setImmediate, queueMicrotask } = globalThis
const nextTick = process.nextTick.bind(process)

function microtasks(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => nextTick(resolve)))
}

function events(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
}

/** The first step of the body, and how it ends. */
class Start implements Job {
  readonly kind = 'continuation'
  readonly after: readonly Job[] = []
  line: Line | undefined
  hasRun = false
  state: 'pending' | 'fulfilled' | 'rejected' = 'pending'
  value: unknown
  readonly #scheduler: Scheduler
  readonly #body: Body
  #call: Call | undefined

  constructor(scheduler: Scheduler, body: Body) {
    this.#scheduler = scheduler
    this.#body = body
  }

  run(): void {
    const fate = fateOf(this.#scheduler, this.#body())!
    this.#call = fate.waitsFor
    fate.isHandled = true
    fate.onSettled(() => {
      this.state = fate.state
      this.value = fate.value
    })
  }

  callee(): Call | undefined {
    return this.#call
  }
}
