import { parseSchedule, Search, type Exploration } from '../src/engine/index.ts'
import type { ExecutionSearch } from '../src/runtime/execution/execution.ts'
import { explore } from '../src/runtime/exploration/explore.ts'
import { install } from '../src/runtime/index.ts'
import { load, type Subject } from './subject.ts'

/** Async programs. */
const programs: Record<string, string> = {
  '5 tasks, read and write': `
    const task = async (c) => { const v = c.n; await null; c.n = v + 1 }
    return { setup: () => ({ n: 0 }), tasks: Array(5).fill(task) }`,
  '2 tasks, 8 awaits each': `
    const task = async (c) => { for (let i = 0; i < 8; i++) { c.n++; await null } }
    return { setup: () => ({ n: 0 }), tasks: [task, task] }`,
  'cache, 3 callers': `
    class Cache {
      #entries = new Map()
      async load(key) { await null; return { key } }
      async get(key) {
        let entry = this.#entries.get(key)
        if (!entry) { entry = await this.load(key); this.#entries.set(key, entry) }
        return entry
      }
    }
    const task = async (cache) => { await cache.get('a'); await cache.get('b') }
    return { setup: () => new Cache(), tasks: Array(3).fill(task) }`,
  'service, 3 callers': `
    class Repository {
      rows = new Map()
      async find(id) { await null; return this.rows.get(id) }
      async save(row) { await null; this.rows.set(row.id, row); return row }
    }
    class Service {
      stats = { calls: 0, saved: 0 }
      constructor(repository) { this.repository = repository }
      async register(name, id) {
        this.stats.calls++
        if (await this.repository.find(id)) throw new Error('taken')
        const row = { id, name, sizes: [1, 2, 3].map((size) => size * 2) }
        const saved = await this.repository.save({ ...row, version: 1 })
        this.stats.saved++
        return saved.version
      }
    }
    const task = (name) => async (service) => { try { return await service.register(name, 'k') } catch (error) { return error.message } }
    return { setup: () => new Service(new Repository()), tasks: ['a', 'b', 'c'].map(task) }`,
  'queue, 2 consumers': `
    class Queue {
      items = []
      waiting = []
      log = []
      push(item) { const wake = this.waiting.shift(); if (wake) wake(item); else this.items.push(item) }
      async pop() { return this.items.length > 0 ? this.items.shift() : new Promise((resolve) => this.waiting.push(resolve)) }
      async work(count) { for (let i = 0; i < count; i++) { const item = await this.pop(); this.log.push(item); await null } }
    }
    const producer = async (queue) => { for (let i = 0; i < 3; i++) { queue.push(i); await null } }
    return { setup: () => new Queue(), tasks: [producer, async (queue) => { await queue.work(2) }, async (queue) => { await queue.work(1) }] }`,
}

/** More than 10^5 executions, each of which leaves timers, promises and an object behind. */
const manyExecutions = `
  const task = async (c) => { const v = c.n; await new Promise((resolve) => { setTimeout(resolve, 1); resolve() }); c.n = v + 1 }
  return { setup: () => ({ n: 0 }), tasks: Array(6).fill(task) }`

/** Runs given schedules and records nothing: what is left is the runtime's own work and the program's. */
class Bare implements ExecutionSearch {
  readonly #schedules: readonly (readonly number[])[]
  #execution = -1
  #step = 0
  #count = 0
  steps = 0

  constructor(schedules: readonly (readonly number[])[]) {
    this.#schedules = schedules
  }
  next(): boolean {
    this.#step = 0
    this.#count = 0
    return ++this.#execution < this.#schedules.length
  }
  spawn() {
    return this.#count++ as ReturnType<ExecutionSearch['spawn']>
  }
  ordinal(process: number): number {
    return process
  }
  choose() {
    this.steps++
    return this.#schedules[this.#execution]![this.#step++] as ReturnType<ExecutionSearch['choose']>
  }
  read(): void {}
  write(): void {}
  assign(): void {}
  add(): void {}
  append(): void {}
  combine(): void {}
  followAll(): void {}
  insert(): void {}
  remove(): void {}
  clear(): void {}
  look(): void {}
  shareBudget(): void {}
  saw(): void {}
  startAnew(): void {}
  wait(): void {}
  endStep(): void {}
  barrier(): void {}
  finish(): void {}
  stop(): void {}
  readonly exhausted = false
  readonly step = 0
  readonly isReplay = false
  awaitChange(): void {}
  hasChanged() {
    return true
  }
  isBefore() {
    return true
  }
  result(): Exploration {
    return { verdict: 'holds', executions: 0, blocked: 0, steps: 0, estimate: 0, interleave: 'await', equivalence: 'trace', passes: 1, failures: [] }
  }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Microseconds per execution and step of async bodies, beside the same schedules without the engine, and the plain program. */
export async function benchAsync(): Promise<void> {
  install()
  const rows: Record<string, Record<string, string | number>> = {}
  for (const [name, source] of Object.entries(programs)) {
    const subject = load(source, { isRewritten: true })
    const plain = load(source, { isRewritten: false })
    // By observation some of them are over after one execution.
    const options = { stopOnFirst: false, reproduce: 0, equivalence: 'trace' } as const
    const schedules = await collect(subject)
    const exploring: number[] = []
    const bare: number[] = []
    const native: number[] = []
    let steps = 0
    // Short explorations are over before the platform has compiled what they run: five of them, or as many as take a second.
    const end = performance.now() + 1_000
    for (let repetition = 0; repetition < 5 || performance.now() < end; repetition++) {
      exploring.push(await time(async () => (steps = (await explore(subject, options)).steps)))
      bare.push(await time(() => explore(subject, options, () => new Bare(schedules))))
      native.push(
        await time(async () => {
          for (let i = 0; i < schedules.length; i++) {
            const state = plain.setup()
            await Promise.all(plain.tasks.map((task) => task(state)))
          }
        }),
      )
    }
    const [best, bareBest, nativeBest] = [exploring, bare, native].map((times) => Math.min(...times)) as [number, number, number]
    rows[name] = {
      executions: schedules.length,
      'us/execution': round((best * 1000) / schedules.length),
      'us/step': round((best * 1000) / steps),
      'bare us/execution': round((bareBest * 1000) / schedules.length),
      'ratio to bare': round(best / bareBest),
      'plain us/run': round((nativeBest * 1000) / schedules.length),
      'ratio to plain': round(best / nativeBest),
    }
  }
  console.log('\nasync bodies')
  console.table(rows)
  await benchMemory()
}

/** What an exploration keeps of its executions: the heap after the first thousand of them, and what has come to it after 10^5. */
async function benchMemory(): Promise<void> {
  const { gc } = globalThis
  if (!gc) return console.log('memory: run with --expose-gc')
  const subject = load(manyExecutions, { isRewritten: true })
  const heap: number[] = []
  let count = 0
  const setup = (): unknown => {
    count++
    if (count === 1_000 || count === 100_000) {
      gc()
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      heap.push((heapUsed + arrayBuffers) / 2 ** 20)
    }
    return subject.setup()
  }
  await explore({ ...subject, setup }, { stopOnFirst: false, reproduce: 0, equivalence: 'trace', maxExecutions: 100_000, maxTime: 600_000 })
  const [first, last] = heap as [number, number]
  console.log(`memory after 1,000 executions ${first.toFixed(1)} MB, after 100,000 ${last.toFixed(1)} MB`)
}

async function collect(subject: Subject): Promise<number[][]> {
  const schedules: number[][] = []
  const failing = { ...subject, invariant: () => false }
  const { failures } = await explore(failing, { stopOnFirst: false, reproduce: 0, equivalence: 'trace' }, (given) => new Search(given))
  for (const { schedule } of failures) schedules.push([...parseSchedule(schedule)])
  return schedules
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
