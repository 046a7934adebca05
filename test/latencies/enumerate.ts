import { bounded, circles } from '../reference/asking-loops.ts'
import { returningText } from '../reference/coroutines.ts'
import { outcomeText } from '../reference/outcome.ts'
import { channelsOf, clockOf, timersPromises } from './platform-stand-ins.ts'
import { Times } from './times.ts'

/** How a body can end, if what it waits for from outside may take any time. */
export interface Latencies {
  /** Sorted. */
  readonly outcomes: readonly string[]
  readonly orders: number
  readonly isOverLimit: boolean
}

type Event = () => void
type Scope = Readonly<Record<string, unknown>>

/**
 * Runs a body as it is, on Node, once for each order in which its events can come: answers of `io(...)` in any order, `setImmediate`
 * in theirs and without anything else between those that are there when the first of them comes, and timers when nothing else is left, in the order of the times at which they are due. With `time: 'race'` answers take so long, or
 * timers fire so soon, as there are times for all events at which each timer fires just when it is due. What is between two events is the platform's own.
 */
export async function enumerate(source: string, { scope = () => ({}), limit, time = 'idle' }: { readonly scope?: () => Scope; readonly limit: number; readonly time?: 'idle' | 'race' }): Promise<Latencies> {
  const outcomes = new Set<string>()
  const path: { choice: number; of: number }[] = []
  let orders = 0
  do {
    if (orders++ >= limit) return { outcomes: [...outcomes], orders, isOverLimit: true }
    const outcome = await new Run(source, scope(), { path, time }).outcome()
    if (outcome !== undefined) outcomes.add(outcome)
    while (path.length > 0 && path.at(-1)!.choice + 1 === path.at(-1)!.of) path.pop()
    if (path.length > 0) path.at(-1)!.choice++
  } while (path.length > 0)
  return { outcomes: [...outcomes].toSorted(), orders, isOverLimit: false }
}

/** One run: takes the choices of the path, and then the first event every time. */
class Run {
  readonly #path: { choice: number; of: number }[]
  readonly #body: () => Promise<unknown>
  #answers: { readonly run: Event; /** Of those that have the same, one comes after the other. */ readonly order?: object }[] = []
  #immediates: Event[] = []
  #timers: { due: number; id: object; run: Event; length: number; event: number; number: number }[] = []
  /** With `time: 'race'`. */
  readonly #times: Times | undefined
  /** Immediates that come next, before anything else. */
  #checked = 0
  #immediateEvents: { event: number; number: number }[] = []
  #count = 0
  #due: { id: object; run: Event }[] = []
  #now = 0
  #depth = 0
  #rejections: unknown[] = []
  /** Loops that have asked often enough. */
  #circling: { readonly asks: () => boolean; readonly isForGood: boolean; readonly goOn: Event }[] = []
  #uncaught: unknown[] = []

  constructor(source: string, scope: Scope, { path, time }: { readonly path: { choice: number; of: number }[]; readonly time: 'idle' | 'race' }) {
    this.#path = path
    if (time === 'race') this.#times = new Times()
    const names = { ...scope, ...this.#platform() }
    const code = returningText(`export default async function body(${Object.keys(names).join(', ')}) {${bounded(source)}\n}`)
    const made = new Function(`'use strict'; ${code.replace('export default', 'return ')}`)() as (...values: unknown[]) => Promise<unknown>
    this.#body = () => made(...Object.values(names))
  }

  #platform(): Scope {
    const call = (callback: (...args: unknown[]) => unknown, args: unknown[]): Event => () => {
      try {
        callback(...args)
      } catch (error) {
        this.#uncaught.push(error)
      }
    }
    const start = (callback: (...args: unknown[]) => unknown, delay: number, args: unknown[], repeats: boolean): object => {
      const id = {}
      const length = Math.max(1, Math.trunc(Number(delay)) || 1)
      const run: Event = () => {
        if (repeats) this.#timers.push({ due: this.#now + length, id, run, length, event: this.#times?.last ?? 0, number: this.#count++ })
        call(callback, args)()
      }
      this.#timers.push({ due: this.#now + length, id, run, length, event: this.#times?.last ?? 0, number: this.#count++ })
      return id
    }
    const clear = (id: unknown): void => {
      for (const timer of this.#timers) if (timer.id === id) this.#times?.isPending(timer)
      this.#timers = this.#timers.filter((timer) => timer.id !== id)
      this.#due = this.#due.filter((timer) => timer.id !== id)
    }
    return {
      [circles]: (asks: () => boolean, isForGood: boolean) => new Promise<void>((resolve) => this.#circling.push({ asks, isForGood, goOn: resolve })),
      io: (value: unknown) => {
        const isThenable = ((typeof value === 'object' && value !== null) || typeof value === 'function') && 'then' in value
        return new Promise((fulfil, reject) => {
          if (!isThenable) return void this.#answers.push({ run: () => fulfil(value) })
          Promise.resolve(value).then(
            (result) => this.#answers.push({ run: () => fulfil(result) }),
            (error: unknown) => this.#answers.push({ run: () => reject(error) }),
          )
        })
      },
      setTimeout: (callback: () => unknown, delay: number, ...args: unknown[]) => start(callback, delay, args, false),
      setInterval: (callback: () => unknown, delay: number, ...args: unknown[]) => start(callback, delay, args, true),
      setImmediate: (callback: () => unknown, ...args: unknown[]) => void this.#setImmediate(call(callback, args)),
      clearTimeout: clear,
      clearInterval: clear,
      Date: clockOf(() => this.#now),
      performance: { now: () => this.#now },
      timersPromises: timersPromises({ start, clear, setImmediate: (run) => this.#setImmediate(call(run, [])) }),
      MessageChannel: channelsOf((order, run) => this.#answers.push({ order, run: call(run, []) })),
    }
  }

  /** Undefined where it ended before a loop had gone on that would have, or could not come at any times: all immediates that are there were taken, and a timer was due before one of them. */
  async outcome(): Promise<string | undefined> {
    const others = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', (error) => this.#rejections.push(error))
    const uncaught = (error: unknown): void => void this.#uncaught.push(error)
    process.on('uncaughtException', uncaught)
    try {
      const outcome = await this.#run()
      if (this.#times?.exist === false) return undefined
      if (!this.#circling.every(({ asks }) => asks())) return undefined
      return outcome === 'deadlock' && this.#circling.length > 0 ? 'livelock' : outcome
    } finally {
      process.off('uncaughtException', uncaught)
      process.removeAllListeners('unhandledRejection')
      for (const listener of others) process.on('unhandledRejection', listener as never)
    }
  }

  async #run(): Promise<string> {
    let ending: Parameters<typeof outcomeText>[0] | undefined
    const take = (event: Event): Promise<void> => new Promise((done) => setImmediate(() => (setImmediate(done), event())))
    await take(() =>
      queueMicrotask(() => {
        this.#body().then(
          (text) => (ending = { kind: 'returned', text }),
          (error: unknown) => (ending = { kind: 'error', error }),
        )
      }),
    )
    for (;;) {
      const event = this.#next(ending !== undefined)
      if (!event) break
      await take(event)
    }
    if (ending === undefined) return outcomeText({ kind: 'deadlock' })
    if (ending.kind === 'error') return outcomeText(ending)
    if (this.#uncaught.length > 0) return outcomeText({ kind: 'error', error: this.#uncaught[0] })
    return outcomeText(this.#rejections.length > 0 ? { kind: 'unhandled-rejection', error: this.#rejections[0] } : ending)
  }

  #next(isOver: boolean): Event | undefined {
    if (this.#checked > 0) return this.#nextImmediate()
    if (this.#times) return this.#nextInTime(this.#times, isOver)
    const over = this.#circling.filter(({ asks, isForGood }) => !isForGood && !asks())
    if (this.#answers.length + this.#immediates.length + this.#due.length + over.length === 0) {
      if (isOver || this.#timers.length === 0) return undefined
      this.#now = Math.min(...this.#timers.map(({ due }) => due))
      this.#due = this.#timers.filter(({ due }) => due === this.#now)
      this.#timers = this.#timers.filter(({ due }) => due !== this.#now)
    }
    const choices: (() => Event)[] = this.#firstAnswers().map((i) => () => this.#answers.splice(i, 1)[0]!.run)
    for (const loop of over) {
      choices.push(() => {
        this.#circling = this.#circling.filter((other) => other !== loop)
        return loop.goOn
      })
    }
    if (this.#immediates.length > 0) choices.push(() => this.#check())
    if (this.#due.length > 0) choices.push(() => this.#due.shift()!.run)
    return choices[this.#choose(choices.length)]!()
  }

  /** Where the answers stand that can come next. */
  #firstAnswers(): number[] {
    const isFirst = ({ order }: { readonly order?: object }, at: number): boolean => order === undefined || this.#answers.findIndex((other) => other.order === order) === at
    return [...this.#answers.keys()].filter((at) => isFirst(this.#answers[at]!, at))
  }

  #setImmediate(run: Event): () => void {
    const one: Event = () => run()
    this.#immediates.push(one)
    this.#immediateEvents.push({ event: this.#times?.last ?? 0, number: this.#count++ })
    return () => {
      const at = this.#immediates.indexOf(one)
      if (at < 0) return
      this.#immediates.splice(at, 1)
      this.#immediateEvents.splice(at, 1)
      if (at < this.#checked) this.#checked--
    }
  }

  /** Node takes all immediates that are there. */
  #check(): Event {
    this.#checked = this.#immediates.length
    return this.#nextImmediate()
  }

  #nextImmediate(): Event {
    this.#checked--
    const event = this.#immediateEvents.shift()!
    this.#times?.add({ timer: { ...event, length: 0 }, earlier: this.#timers.filter(({ number }) => number < event.number) })
    return this.#immediates.shift()!
  }

  /** Of all events that can come next at some time. */
  #nextInTime(times: Times, isOver: boolean): Event | undefined {
    const timers = this.#timers
    const immediates = this.#immediateEvents.map((immediate) => ({ ...immediate, length: 0 }))
    const pending: readonly { event: number; length: number; number: number }[] = [...timers, ...immediates]
    const choices: (() => Event)[] = []
    if (times.allows({ pending })) {
      for (const i of this.#firstAnswers()) choices.push(() => (times.add({}), this.#answers.splice(i, 1)[0]!.run))
    }
    const [now] = immediates
    const before = timers.filter(({ number }) => now && number < now.number)
    if (now && times.allows({ timer: now, pending, earlier: before })) {
      choices.push(() => this.#check())
    }
    for (const timer of isOver ? [] : timers) {
      const others = pending.filter((other) => other !== timer)
      const earlier = others.filter(({ number }) => number < timer.number)
      if (!times.allows({ timer, pending: others, earlier })) continue
      choices.push(() => {
        times.add({ timer, earlier })
        this.#now = Math.max(this.#now, timer.due)
        this.#timers.splice(this.#timers.indexOf(timer), 1)
        return timer.run
      })
    }
    return choices.length === 0 ? undefined : choices[this.#choose(choices.length)]!()
  }

  #choose(of: number): number {
    if (of === 1) return 0
    const at = this.#depth++
    if (at === this.#path.length) this.#path.push({ choice: 0, of })
    return this.#path[at]!.choice
  }
}
