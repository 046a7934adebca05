import type { OrderData } from './execution-order.ts'

/** Some steps of the execution, in an order in which they could be the first ones. */
interface Prefix {
  readonly before: Prefix | undefined
  /** The last of them; -1 of the empty prefix. */
  readonly step: number
  readonly length: number
  /** How many steps of each process it has. */
  readonly counts: readonly number[]
  /** How often control left a process that could have gone on. */
  readonly switches: number
  /** How often it left one at all. */
  readonly changes: number
}

/** Prefixes that are looked at; what is longer goes on as it is likely to be best. */
const most = 10_000

/** The steps in the order of their class that has the fewest switches, and how many that has. */
export function fewestSwitches(order: OrderData): { readonly steps: readonly number[]; readonly switches: number } {
  const orders = new Orders(order)
  const best = orders.best()
  return best ? { steps: stepsOf(best), switches: best.switches } : { steps: [...order.steps.keys()], switches: switchesOf(order) }
}

export function switchesOf(order: OrderData): number {
  const orders = new Orders(order)
  let prefix = orders.empty
  for (const step of order.steps.keys()) prefix = orders.after(prefix, step)
  return prefix.switches
}

class Orders {
  readonly #order: OrderData
  /** By process: its steps. */
  readonly #steps: number[][] = []
  /** By step: its number within its process. */
  readonly #numbers: number[] = []
  /** Steps that another process has to wait for; all are that time has advanced after. */
  readonly #enabling = new Set<number>()
  readonly #lastAdvance: number

  constructor(order: OrderData) {
    this.#order = order
    this.#lastAdvance = order.steps.at(-1)?.since ?? 0
    for (const [step, { process, after }] of order.steps.entries()) {
      const own = (this.#steps[process] ??= [])
      this.#numbers[step] = own.length
      own.push(step)
      for (const before of after) if (before.reason !== 'conflict' && order.steps[before.step]!.process !== process) this.#enabling.add(before.step)
    }
  }

  get empty(): Prefix {
    return { before: undefined, step: -1, length: 0, counts: [...this.#steps].map(() => 0), switches: 0, changes: 0 }
  }

  /** Goes on with the best prefix there is, until one has all steps. */
  best(): Prefix | undefined {
    const waiting = new Waiting(this.empty)
    const known = new Set<string>()
    for (let looked = 0; ; ) {
      const prefix = waiting.take()
      if (prefix === undefined) return undefined
      const name = `${prefix.counts.join()} ${this.#processOf(prefix)}`
      if (known.has(name)) continue
      known.add(name)
      const next = this.#next(prefix)
      if (next.length === 0) return prefix
      if (++looked > most) waiting.keep(next)
      else for (const longer of next) waiting.add(longer)
    }
  }

  /** The same with one step more. */
  after(prefix: Prefix, step: number): Prefix {
    const { process } = this.#order.steps[step]!
    const last = this.#processOf(prefix)
    const changes = last !== undefined && last !== process
    const counts = [...prefix.counts]
    counts[process]!++
    return {
      before: prefix,
      step,
      length: prefix.length + 1,
      counts,
      switches: prefix.switches + (changes && this.#couldGoOn(prefix, last) ? 1 : 0),
      changes: prefix.changes + (changes ? 1 : 0),
    }
  }

  /** Whoever runs goes on, where that makes no difference to others: what comes later is not better. */
  #next(prefix: Prefix): Prefix[] {
    const last = this.#processOf(prefix)
    const own = last === undefined ? undefined : this.#nextOf(prefix, last)
    if (own !== undefined && !this.#isEnabling(own) && this.#mayCome(prefix, own)) return [this.after(prefix, own)]
    const next: Prefix[] = []
    for (const process of this.#steps.keys()) {
      const step = this.#nextOf(prefix, process)
      if (step !== undefined && this.#mayCome(prefix, step)) next.push(this.after(prefix, step))
    }
    return next
  }

  #processOf({ step }: Prefix): number | undefined {
    return this.#order.steps[step]?.process
  }

  #nextOf({ counts }: Prefix, process: number): number | undefined {
    return this.#steps[process]?.[counts[process]!]
  }

  /** In this class it may be the next one. */
  #mayCome(prefix: Prefix, step: number): boolean {
    return this.#isDue(prefix, step) && this.#order.steps[step]!.after.every((before) => this.#has(prefix, before.step))
  }

  /** The process has a step that it could take now, in this class or in another one. */
  #couldGoOn(prefix: Prefix, process: number): boolean {
    const step = this.#nextOf(prefix, process)
    return step !== undefined && this.#isDue(prefix, step) && this.#order.steps[step]!.after.every((before) => before.reason === 'conflict' || this.#has(prefix, before.step))
  }

  /** Time has advanced as far as it must have: nothing else can come after that before all that comes before it has. */
  #isDue({ length }: Prefix, step: number): boolean {
    return length >= this.#order.steps[step]!.since
  }

  #isEnabling(step: number): boolean {
    return step < this.#lastAdvance || this.#enabling.has(step)
  }

  #has({ counts }: Prefix, step: number): boolean {
    return counts[this.#order.steps[step]!.process]! > this.#numbers[step]!
  }
}

/** Prefixes that may be made longer, the best ones first. */
class Waiting {
  /** By switches, then by changes. */
  #prefixes: Prefix[][][] = []

  constructor(first: Prefix) {
    this.add(first)
  }

  add(prefix: Prefix): void {
    ;((this.#prefixes[prefix.switches] ??= [])[prefix.changes] ??= []).push(prefix)
  }

  /** Of equals the one that was found last: it is the longest one. */
  take(): Prefix | undefined {
    for (const equal of this.#prefixes) {
      for (const prefixes of equal ?? []) {
        const prefix = prefixes?.pop()
        if (prefix) return prefix
      }
    }
    return undefined
  }

  /** Only these, from now on. */
  keep(prefixes: readonly Prefix[]): void {
    this.#prefixes = []
    for (const prefix of prefixes) this.add(prefix)
  }
}

function stepsOf(last: Prefix): number[] {
  const steps: number[] = []
  for (let prefix: Prefix | undefined = last; prefix && prefix.step >= 0; prefix = prefix.before) steps[prefix.length - 1] = prefix.step
  return steps
}
