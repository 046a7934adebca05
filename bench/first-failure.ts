import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { explore, program, type Program, type SearchOptions } from '../src/engine/index.ts'
import * as litmus from '../test/litmus/programs.ts'
import { communication } from '../test/litmus/communication.ts'
import { deadlocks } from '../test/litmus/deadlocks.ts'
import { mutualExclusion } from '../test/litmus/mutual-exclusion.ts'
import { toProgram } from '../test/oracle/adapter.ts'
import { generate, type Kind } from '../test/oracle/generate.ts'
import { Random } from '../test/oracle/random.ts'

const orders = ['dfs', 'preemptions', 'random-first'] as const
type Order = (typeof orders)[number]

/** Executions after which a failure counts as not met. */
const most = 20_000

/** By order: the number of the execution that failed first; undefined where none did. */
type Met = Readonly<Record<Order, number | undefined>>

/**
 * Executions to the first failure, by the order in which branches are taken: of litmus programs, of random programs that fail in one of their rarer ends, and of tests in
 * a folder, by default the examples. `npm run bench -- first-failure [folder]`.
 */
export function benchFirstFailure(folder: string = path.join(import.meta.dirname, '../examples')): void {
  const failing = [...litmus.fromPapers, ...litmus.smallOnes, ...litmus.severalAccesses, ...communication, ...deadlocks, ...mutualExclusion].filter(({ broken, deadlocks: ends, classes }) => broken + ends > 0 && classes > 50)
  table('model programs of more than 50 classes', [...failing.map(({ name, program: subject }) => [name, subject] as const), ...large].map(([name, subject]) => [name, metIn(subject)]))
  table('random programs of more than 100 classes', randomPrograms(60))
  table(`tests in ${path.basename(folder)}`, metInTests(folder))
}

/** Threads that each read a variable and write it back; what they were and found decides. */
const readersAndWriters = (threads: number, holds: (end: { readonly last: number; readonly sum: number }) => boolean): Program =>
  program(({ shared, thread }) => {
    const sum = shared('sum', 0)
    let last = 0
    for (let i = 0; i < threads; i++) {
      thread(`thread ${i}`, function* () {
        const found = yield* sum.read()
        yield* sum.write(found + 1)
        last = i
      })
    }
    return () => holds({ last, sum: sum.value })
  })

const large: readonly (readonly [string, Program])[] = [
  ['5 threads read and write: the first one last', readersAndWriters(5, ({ last }) => last !== 0)],
  ['7 threads: the first one last', readersAndWriters(7, ({ last }) => last !== 0)],
  ['6 threads: all updates but one are lost', readersAndWriters(6, ({ sum }) => sum !== 1)],
]

function metIn(subject: Program): Met {
  return byOrder((search) => explore(subject, { search, maxExecutions: most } satisfies SearchOptions).failures[0]?.execution)
}

function byOrder(find: (order: Order) => number | undefined): Met {
  return Object.fromEntries(orders.map((order) => [order, find(order)])) as Met
}

const kinds: readonly Kind[] = ['single', 'atomic', 'waits', 'compound', 'many']

/** Each fails where its variables end with the values of one of its ends, each end with the same chance. */
function randomPrograms(count: number): [string, Met][] {
  const found: [string, Met][] = []
  for (let seed = 0; found.length < count; seed++) {
    const kind = kinds[seed % kinds.length]!
    const random = new Random(seed)
    const ast = generate(kind, random)
    const ends: string[] = []
    const whole = explore(endingIn(toProgram(ast), (end) => void ends.push(end)), { stopOnFirst: false, maxExecutions: most })
    const others = [...new Set(ends)].filter((end) => end !== ends[0])
    if (whole.executions <= 100 || whole.executions === most || others.length === 0) continue
    const target = random.pick(others)
    found.push([`${kind} ${seed}`, metIn(endingIn(toProgram(ast), (end) => end !== target))])
  }
  return found
}

/** The same program, with an invariant that is told the values of all variables. */
function endingIn({ build }: Program, invariant: (end: string) => boolean | void): Program {
  return program((builder) => {
    const variables: { readonly value: unknown }[] = []
    const shared: typeof builder.shared = (name, initial) => {
      const made = builder.shared(name, initial)
      variables.push(made)
      return made
    }
    build({ ...builder, shared })
    return () => invariant(JSON.stringify(variables.map(({ value }) => value)))
  })
}

/** By the JSON report of Vitest. */
function metInTests(folder: string): [string, Met][] {
  const reports = new Map(orders.map((order) => [order, reportOf(folder, order)]))
  const names = new Set([...reports.values()].flatMap((report) => [...report.keys()]))
  return [...names].map((name) => [name, byOrder((order) => reports.get(order)!.get(name))])
}

interface Report {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly title: string; readonly meta?: { readonly dpor?: { readonly verdict: string; readonly executions: number } } }[] }[]
}

/** By title of a failing test: how many executions it took, in one pass, as those of earlier ones are not told. */
function reportOf(folder: string, order: Order): Map<string, number> {
  const vitest = path.join(path.dirname(createRequire(path.join(folder, '_')).resolve('vitest/package.json')), 'vitest.mjs')
  const scratch = mkdtempSync(path.join(tmpdir(), 'dpor-first-failure-'))
  const file = path.join(scratch, 'report.json')
  try {
    execFileSync(process.execPath, [vitest, 'run', '--root', folder, '--reporter=json', `--outputFile=${file}`, '--', `--dpor.search=${order}`, `--dpor.max-executions=${most}`, '--dpor.equivalence=trace'], { stdio: 'ignore' })
  } catch {
    // Tests fail.
  }
  try {
    const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report
    const failing = testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ meta }) => meta?.dpor?.verdict === 'fails')
    return new Map(failing.map(({ title, meta }) => [title, meta!.dpor!.executions]))
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

function table(title: string, found: readonly (readonly [string, Met])[]): void {
  console.log(`\n${title.padEnd(48)}${orders.map((order) => order.padStart(14)).join('')}`)
  const slow = found.filter(([, met]) => orders.some((order) => (met[order] ?? most) > 50))
  for (const [name, met] of slow) console.log(row(`  ${name}`, (order) => met[order]?.toString() ?? `over ${most}`))
  const sorted = (order: Order): number[] => found.map(([, met]) => met[order] ?? Infinity).toSorted((a, b) => a - b)
  for (const [words, share] of [['median', 0.5], ['nine of ten', 0.9]] as const) {
    console.log(row(`of ${found.length}: ${words} at most`, (order) => String(sorted(order)[Math.ceil(found.length * share) - 1])))
  }
}

function row(name: string, cell: (order: Order) => string): string {
  return name.slice(0, 47).padEnd(48) + orders.map((order) => cell(order).padStart(14)).join('')
}
