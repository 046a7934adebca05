import { Clock, type Due } from './clock.ts'

/** A line of control: timers that one of them sets keep their order. */
export class Line {
  /** So many of them it has taken. */
  steps = 0
}

/** Something that a step can run: code after an `await`, a promise reaction, a timer callback. */
export interface Job {
  readonly kind: 'continuation' | 'microtask' | 'immediate' | 'timer'
  line: Line | undefined
  /** The jobs that have to run before this one. */
  readonly after: readonly Job[]
  hasRun: boolean
  run(): void
  /** The call that this job now waits for, if it waits for it alone: it goes on as the same line of control. */
  callee(): Call | undefined
}

/** A call of an async function that has not ended. */
export interface Call {
  line: Line | undefined
  callee(): Call | undefined
}

/** Thrown by the reference about a body it is not made for. */
export class UnsupportedError extends Error {
  override name = 'UnsupportedError'
}

/** Steps above which an execution counts as one that never ends. */
const mostSteps = 2000

/** The execution whose step runs now: what the replaced timers of the platform ask. */
export let current: Scheduler | null = null

/** A loop that waits by asking again, and has asked often enough. */
export interface Circling {
  /** Whether it would ask again. */
  readonly asks: () => boolean
  readonly isForGood: boolean
  readonly goOn: () => void
}

export interface SchedulerParts {
  /** Picks one of so many jobs that could go next. */
  readonly choose: (count: number) => number
  /** Whether to keep the orders that the language fixes however long things take. */
  readonly fixedOrders: boolean
}

/** One execution: what is ready, what runs, what time it is. */
export class Scheduler {
  readonly clock = new Clock()
  readonly fixedOrders: boolean
  /** The line of control of the running step. */
  line = new Line()
  /** Whether native promises take part, which settle in the real microtask queue. */
  usesNative = false
  /** Native promises that are waited for. */
  nativePending = 0
  /** Reasons of promises that were rejected in this step; their promises say whether somebody handles them. */
  readonly rejected: { readonly isHandled: boolean; readonly value: unknown }[] = []
  readonly unhandled: unknown[] = []
  /** Loops that have asked often enough. */
  circling: Circling[] = []
  /** What callbacks threw that nothing could catch. */
  readonly uncaught: unknown[] = []
  readonly #choose: (count: number) => number
  #ready: Job[] = []
  #stepEnd: (() => void)[] = []
  #born: Call[] = []
  #lastMicrotask: Job | undefined
  /** Of those that can go on: the microtask that stands in the queue before them. */
  readonly #behind = new WeakMap<Job, Job>()

  constructor({ choose, fixedOrders }: SchedulerParts) {
    this.#choose = choose
    this.fixedOrders = fixedOrders
  }

  /** The job can be taken from the next switch point on. */
  wake(job: Job): void {
    this.#ready.push(job)
    if (this.fixedOrders && this.#lastMicrotask && job.kind === 'continuation') this.#behind.set(job, this.#lastMicrotask)
  }

  /** A call began in the running step. */
  began(call: Call): void {
    this.#born.push(call)
  }

  /** Runs the work in this step, after the code that is running. */
  atStepEnd(work: () => void): void {
    this.#stepEnd.push(work)
  }

  /** `queueMicrotask`. */
  queueMicrotask(callback: () => unknown): void {
    const after = this.fixedOrders && this.#lastMicrotask ? [this.#lastMicrotask] : []
    const job = new Callback(this, { kind: 'microtask', callback, line: new Line(), after })
    this.#lastMicrotask = job
    this.wake(job)
  }

  /** `setImmediate`. */
  setImmediate(callback: () => unknown): Job {
    const job = new Callback(this, { kind: 'immediate', callback, line: new Line(), after: [] })
    this.wake(job)
    return job
  }

  /** Runs the execution; pauses where the real microtask queue has to be emptied. Ends when nothing can run. */
  *run(start: Job, isFinished: () => boolean): Generator<'microtasks' | 'events', 'finished' | 'deadlock'> {
    this.wake(start)
    let patience = 3
    for (let steps = 0; steps < mostSteps; steps++) {
      this.#goOn()
      const jobs = this.#next()
      if (jobs.length > 0) {
        yield* this.#step(jobs[jobs.length === 1 ? 0 : this.#choose(jobs.length)]!)
      } else if (isFinished()) {
        return 'finished'
      } else {
        const due = this.clock.advance({ keepsLengths: this.fixedOrders })
        for (const firing of due) this.#fire(firing)
        if (due.length > 0) continue
        if (this.nativePending === 0 || patience-- === 0) return 'deadlock'
        yield 'events'
        this.#endStep()
      }
    }
    throw new UnsupportedError(`more than ${mostSteps} steps`)
  }

  /** Loops go on that would not ask again. */
  #goOn(): void {
    const over = this.circling.filter(({ asks, isForGood }) => !isForGood && !asks())
    if (over.length === 0) return
    this.circling = this.circling.filter((loop) => !over.includes(loop))
    this.#inStep(() => {
      for (const { goOn } of over) goOn()
    })
    this.#endStep()
  }

  #fire({ timer, after }: Due): void {
    const fire = (): unknown => {
      if (timer.repeats) this.clock.schedule(timer)
      return timer.callback()
    }
    timer.firing = new Callback(this, { kind: 'timer', callback: fire, line: timer.line, after: after.map((earlier) => earlier.firing!) })
    this.wake(timer.firing)
  }

  /** The jobs that can go next. */
  #next(): Job[] {
    this.#ready = this.#ready.filter((job) => !job.hasRun)
    const free = this.#ready.filter((job) => job.after.every((earlier) => earlier.hasRun) && this.#behind.get(job)?.hasRun !== false)
    if (!this.fixedOrders || !free.some((job) => job.kind === 'microtask')) return free
    return free.filter((job) => job.kind === 'continuation' || job.kind === 'microtask')
  }

  *#step(job: Job): Generator<'microtasks'> {
    this.line = job.line ??= new Line()
    job.hasRun = true
    this.line.steps++
    this.#inStep(() => job.run())
    this.#endStep()
    while (this.usesNative) {
      // oxlint-disable-next-line no-this-alias
      current = this
      yield 'microtasks'
      current = null
      if (this.#stepEnd.length === 0) break
      this.#endStep()
    }
    this.#assignLines(job)
    for (const rejection of this.rejected.splice(0)) if (!rejection.isHandled) this.unhandled.push(rejection.value)
  }

  /** The microtasks that pass outcomes on. */
  #endStep(): void {
    for (let work = this.#stepEnd.shift(); work; work = this.#stepEnd.shift()) this.#inStep(work)
  }

  #inStep(work: () => void): void {
    // oxlint-disable-next-line no-this-alias
    current = this
    try {
      work()
    } finally {
      current = null
    }
  }

  /** A call that its caller awaits goes on as the caller's line of control; the others get one of their own. */
  #assignLines(job: Job): void {
    const assign = (call: Call | undefined, line: Line): void => {
      for (let next = call; next && next.line === undefined; next = next.callee()) next.line = line
    }
    assign(job.callee(), this.line)
    for (const call of this.#born.splice(0)) assign(call, new Line())
  }
}

interface CallbackParts {
  readonly kind: 'microtask' | 'immediate' | 'timer'
  readonly callback: () => unknown
  readonly line: Line
  readonly after: readonly Job[]
}

/** A callback that is a step of its own: of `queueMicrotask`, `setImmediate` or a timer. */
class Callback implements Job {
  readonly kind: CallbackParts['kind']
  readonly line: Line
  readonly after: readonly Job[]
  hasRun = false
  readonly #scheduler: Scheduler
  readonly #callback: () => unknown

  constructor(scheduler: Scheduler, { kind, callback, line, after }: CallbackParts) {
    this.#scheduler = scheduler
    this.kind = kind
    this.#callback = callback
    this.line = line
    this.after = after
  }

  run(): void {
    try {
      this.#callback()
    } catch (error) {
      this.#scheduler.uncaught.push(error)
    }
  }

  callee(): undefined {
    return undefined
  }
}
