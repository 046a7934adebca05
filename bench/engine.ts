import { Search, type AlgorithmName, type Outcome, type ProcessId, type Program } from '../src/engine/index.ts'
import { ProgramDriver } from '../src/engine/program/program-driver.ts'
import * as papers from '../test/litmus/from-papers.ts'
import { readThenWrite } from '../test/litmus/small.ts'

/** What exploring one program costs. Times are in microseconds; executions include the blocked ones. */
export interface EngineRow {
  readonly name: string
  readonly algorithm: AlgorithmName
  readonly executions: number
  readonly blocked: number
  readonly perExecution: number
  readonly perStep: number
  /** The same schedules run by a driver that records nothing, per step. */
  readonly barePerStep: number
  /** Exploring over bare running. */
  readonly ratio: number
}

const programs: readonly (readonly [string, Program])[] = [
  ['readers(10)', papers.readers(10)],
  ['lastzero(8)', papers.lastzero(8)],
  ['lastzero(10)', papers.lastzero(10)],
  ['(N!)^2 at 4', readThenWrite(4)],
  ['indexer(12)', papers.indexer(12)],
  ['indexer(13)', papers.indexer(13)],
  ['filesystem(16)', papers.filesystem(16)],
  ['length-param(50)', papers.lengthParam(50)],
  ['circular buffer(5)', papers.circularBuffer(5)],
]

const algorithms: readonly AlgorithmName[] = ['source', 'optimal', 'pop', 'trust']

/** Measures all programs under every algorithm, prints a table, and returns its rows. */
export function benchEngine(): EngineRow[] {
  const rows = programs.flatMap(([name, program]) => algorithms.map((algorithm) => measure(name, program, algorithm)))
  console.log('program              algorithm executions  blocked  us/execution  us/step  bare us/step  ratio')
  for (const row of rows) console.log(format(row))
  return rows
}

function measure(name: string, program: Program, algorithm: AlgorithmName): EngineRow {
  const options = { algorithm, stopOnFirst: false }
  const schedules = collectSchedules(program, algorithm)
  const steps = schedules.reduce((total, schedule) => total + schedule.length, 0)
  const [engine, bare] = fastest(
    () => exploreAll(program, new Search(options)),
    () => runBare(program, schedules),
  )
  const { executions, blocked } = exploreAll(program, new Search(options)).result()
  return {
    name,
    algorithm,
    executions,
    blocked,
    perExecution: engine / schedules.length,
    perStep: engine / steps,
    barePerStep: bare / steps,
    ratio: engine / bare,
  }
}

function exploreAll(program: Program, search: Search): Search {
  const driver = new ProgramDriver(program, search)
  while (search.next()) driver.execute()
  return search
}

/** Those of the blocked executions too. */
function collectSchedules(program: Program, algorithm: AlgorithmName): number[][] {
  const search = new RecordingSearch({ algorithm, stopOnFirst: false })
  exploreAll(program, search)
  return search.schedules
}

class RecordingSearch extends Search {
  readonly schedules: number[][] = []
  #schedule: number[] = []

  override choose(enabled: readonly ProcessId[]): ProcessId | undefined {
    const process = super.choose(enabled)
    if (process !== undefined) this.#schedule.push(this.ordinal(process))
    return process
  }

  override finish(outcome: Outcome): void {
    super.finish(outcome)
    this.schedules.push(this.#schedule)
    this.#schedule = []
  }
}

/** Answers a driver from a list of schedules and records nothing. */
class BareSearch {
  readonly #schedules: readonly (readonly number[])[]
  #execution = -1
  #step = 0
  #processes = 0
  readonly exhausted = false

  constructor(schedules: readonly (readonly number[])[]) {
    this.#schedules = schedules
  }

  next(): boolean {
    this.#execution++
    this.#step = 0
    this.#processes = 0
    return this.#execution < this.#schedules.length
  }

  spawn(): number {
    return this.#processes++
  }

  choose(): number | undefined {
    return this.#schedules[this.#execution]?.[this.#step++]
  }

  read(): void {}
  write(): void {}
  assign(): void {}
  add(): void {}
  append(): void {}
  combine(): void {}
  insert(): void {}
  remove(): void {}
  clear(): void {}
  look(): void {}
  order(): void {}
  isOrdered(): boolean {
    return true
  }

  barrier(): void {}
  wait(): void {}
  join(): void {}
  acquire(): void {}
  release(): void {}
  until(): void {}
  saw(): void {}
  endStep(): void {}
  /** None of the programs fails: this would be a call that is missing here. */
  finish(outcome: Outcome): void {
    if (outcome.status === 'complete' && outcome.failure !== undefined) throw outcome.failure.error
  }
}

function runBare(program: Program, schedules: readonly (readonly number[])[]): void {
  exploreAll(program, new BareSearch(schedules) as unknown as Search)
}

/** Microseconds of the fastest of several runs of each, in turn, so that noise meets both. */
function fastest(one: () => void, other: () => void): [number, number] {
  const best: [number, number] = [Infinity, Infinity]
  const start = performance.now()
  for (let i = 0; i < 100 && performance.now() - start < 800; i++) {
    best[0] = Math.min(best[0], microseconds(one))
    best[1] = Math.min(best[1], microseconds(other))
  }
  return best
}

function microseconds(run: () => void): number {
  const start = performance.now()
  run()
  return (performance.now() - start) * 1000
}

function format(row: EngineRow): string {
  return [
    row.name.padEnd(20),
    row.algorithm.padEnd(9),
    String(row.executions).padStart(10),
    String(row.blocked).padStart(8),
    row.perExecution.toFixed(2).padStart(13),
    row.perStep.toFixed(3).padStart(8),
    row.barePerStep.toFixed(3).padStart(13),
    row.ratio.toFixed(2).padStart(6),
  ].join(' ')
}
