import type { Random } from '../reference/random.ts'

/** What random programs are made of. */
export interface Kinds {
  /** Jobs of `queueMicrotask` and `process.nextTick`, of which Node fixes the order among themselves and to promises. */
  readonly jobs: boolean
  /** Timers of one length. */
  readonly timers: boolean
  /** `for await` and async generators. */
  readonly generators: boolean
  /** Objects with a `then` of their own, and a subclass of Promise. */
  readonly thenables: boolean
  /** `Promise.race` and `Promise.any`. */
  readonly races: boolean
  /** Promises of code that is not instrumented, which are settled already, and what stands for answers of something outside. */
  readonly answers: boolean
}

export const allKinds: Kinds = { jobs: true, timers: true, generators: true, thenables: true, races: true, answers: true }

/**
 * Writes a program that notes every moment in which a piece of its code runs, so that two runs of it tell of every difference in
 * their order of steps. It ends when all that it started has ended or waits for ever.
 */
export function generate(random: Random, kinds: Kinds = allKinds): string {
  return new Generator(random, kinds).program()
}

class Generator {
  readonly #random: Random
  readonly #kinds: Kinds
  #notes = 0
  #functions: string[] = []
  #budget = 26

  constructor(random: Random, kinds: Kinds) {
    this.#random = random
    this.#kinds = kinds
  }

  program(): string {
    const declared = Array.from({ length: 3 }, (_, i) => this.#function(i))
    const statements = this.#statements(3 + this.#random.below(4), 0, true)
    return `
const log = []
const note = (text) => { log.push(text) }
class Special extends Promise {}
const thenable = (value) => ({ then(resolve) { note('then'); resolve(value) } })
const d = [0, 1, 2].map(() => Promise.withResolvers ? Promise.withResolvers() : (() => { const made = {}; made.promise = new Promise((a, b) => { made.resolve = a; made.reject = b }); return made })())
for (const { promise } of d) promise.catch(() => {})
${declared.join('\n')}
const body = async () => {
${statements}
}
body().catch(() => note('body failed'))
for (let i = 0; i < 8; i++) await new Promise((end) => setTimeout(end, 25))
return log`
  }

  #note(): string {
    return `note(${this.#notes++})`
  }

  #function(index: number): string {
    const name = `f${index}`
    const isGenerator = this.#kinds.generators && index === 2
    const body = this.#statements(1 + this.#random.below(3), 1, true, isGenerator)
    const end = this.#random.percent(60) ? `return ${this.#value(1)}` : ''
    this.#functions.push(isGenerator ? `all(${name}())` : `${name}()`)
    const gathers = isGenerator ? `\nconst all = async (values) => { let last; for await (const value of values) { note(String(value)); last = value } return last }` : ''
    return `async function${isGenerator ? '*' : ''} ${name}() {\n${body}\n${end}\n}${gathers}`
  }

  #statements(count: number, depth: number, isAsync: boolean, isGenerator = false): string {
    return Array.from({ length: count }, () => this.#statement(depth, isAsync, isGenerator)).join('\n')
  }

  #statement(depth: number, isAsync: boolean, isGenerator: boolean): string {
    const random = this.#random
    if (this.#budget-- <= 0) return this.#note()
    const handler = (): string => `(${random.percent(50) ? 'v' : ''}) => { ${this.#note()}; ${random.percent(50) ? `return ${this.#value(depth + 1)}` : random.percent(15) ? `throw 'e'` : ''} }`
    const d = (): string => `d[${random.below(3)}]`
    const choices: (() => string)[] = [
      () => this.#note(),
      () => `${d()}.resolve(${this.#value(depth + 1)})`,
      () => `${d()}.reject('r')`,
      () => `${this.#promise(depth + 1)}.then(${handler()}).catch(() => ${this.#note()})`,
      () => `${this.#promise(depth + 1)}.then(${handler()}, ${handler()}).catch(() => {})`,
      () => `${this.#promise(depth + 1)}.finally(${handler()}).catch(() => ${this.#note()})`,
    ]
    if (depth < 3) choices.push(() => `(async () => { ${this.#statements(1 + random.below(2), depth + 1, true)} })().catch(() => ${this.#note()})`)
    if (isAsync) {
      const wait = (): string => `${this.#note()}; await ${this.#value(depth + 1)}; ${this.#note()}`
      choices.push(wait, wait, wait, () => `try { await ${this.#promise(depth + 1)}; ${this.#note()} } catch { ${this.#note()} } finally { ${this.#note()} }`)
      if (this.#kinds.generators) {
        choices.push(() => `for await (const v of [${this.#value(depth + 1)}, ${this.#value(depth + 1)}]) note('v' + String(v))`)
      }
    }
    if (isGenerator) {
      choices.push(() => `yield ${this.#value(depth + 1)}`, () => `yield ${this.#value(depth + 1)}; ${this.#note()}`, () => `yield* [1, ${this.#value(depth + 1)}]`)
    }
    const job = (): string => `() => { ${this.#note()}; ${random.percent(50) ? this.#statement(depth + 1, false, false) : ''} }`
    if (this.#kinds.jobs) choices.push(() => `process.nextTick(${job()})`, () => `queueMicrotask(${job()})`)
    if (this.#kinds.timers) choices.push(() => `setTimeout(${job()}, 3)`)
    return `${random.one(choices)()};`
  }

  /** Anything that may be awaited, returned, or resolved with. */
  #value(depth: number): string {
    return this.#random.percent(35) ? `'x'` : this.#promise(depth, true)
  }

  #promise(depth: number, mayBeThenable = false): string {
    const random = this.#random
    const leaves: (() => string)[] = [
      () => `Promise.resolve('p')`,
      () => `d[${random.below(3)}].promise`,
      () => `d[${random.below(3)}].promise`,
      () => `new Promise((resolve) => { ${this.#note()}; resolve('n') })`,
    ]
    if (this.#kinds.answers) leaves.push(() => `answer('a')`, () => `io('i')`, () => `io(${random.percent(50) ? this.#value(depth + 1) : `answer('b')`})`)
    if (this.#kinds.thenables) leaves.push(() => `Special.resolve('s')`)
    if (this.#kinds.thenables && mayBeThenable) leaves.push(() => `thenable('t')`)
    if (depth >= 4) return random.one(leaves)()
    const inner = (): string => this.#value(depth + 1)
    const several = (): string => `[${inner()}, ${inner()}]`
    const wrappers: (() => string)[] = [
      ...leaves,
      () => `Promise.resolve(${inner()})`,
      () => `new Promise((resolve) => resolve(${inner()}))`,
      () => `(async () => { ${this.#note()}; return ${inner()} })()`,
      () => `(async () => ${inner()})()`,
      () => `Promise.all(${several()})`,
      () => `Promise.allSettled(${several()})`,
      () => `${this.#promise(depth + 1)}.then((v) => { ${this.#note()}; return ${inner()} })`,
      () => `${this.#promise(depth + 1)}.then()`,
      () => `${this.#promise(depth + 1)}.catch(() => { ${this.#note()} })`,
      () => `${this.#promise(depth + 1)}.finally(() => { ${this.#note()}; return ${inner()} })`,
    ]
    if (this.#kinds.races) wrappers.push(() => `Promise.race(${several()})`, () => `Promise.any(${several()})`)
    if (this.#functions.length > 0) wrappers.push(...this.#functions.map((call) => () => call))
    return random.one(wrappers)()
  }
}
