import { fork, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isRefusal, knownReason } from './known-differences.ts'
import type { Way } from './run.ts'
import { suiteFiles } from './suite.ts'
import type { Answer, Request } from './worker.ts'

const { values: given } = parseArgs({
  options: { path: { type: 'string' }, filter: { type: 'string' }, sample: { type: 'string', default: '1' }, offset: { type: 'string', default: '0' }, jobs: { type: 'string', default: '1' }, json: { type: 'string' }, again: { type: 'string' } },
})
if (!given.path || !existsSync(path.join(given.path, 'harness'))) throw new Error('--path must name a checkout of test262, with its folders harness and test')

const suite = path.resolve(given.path)
/** Files that differed in a run before. */
const again = given.again === undefined ? undefined : new Set((JSON.parse(readFileSync(given.again, 'utf8')) as { readonly name: string }[]).map(({ name }) => name))
const names = suiteFiles(suite, given.filter).filter((name, i) => i % Number(given.sample) === Number(given.offset) && again?.has(name) !== false)
const workerFile = fileURLToPath(new URL('worker.ts', import.meta.url))
/** Milliseconds without an answer after which a worker is given up. */
const patience = 60_000

/** A process that runs files, one after the other. */
class Runner {
  #worker: ChildProcess | undefined
  #ready = Promise.resolve()

  stop(): void {
    this.#worker?.kill('SIGKILL')
    this.#worker = undefined
  }

  /** What fails after others is tried again in a process of its own. */
  async resultsOf(name: string): Promise<Answer> {
    const all: Way[] = ['plain', 'outside', 'inside']
    const answer = await this.#ask({ suite, name, ways: all })
    if (answer.isSpoilt) this.stop()
    if (answer.results.plain || Object.values(answer.results).every(isRefusal)) return answer
    // Some files leave a process in which Node itself cannot go on.
    const plain = await this.#freshly({ suite, name, ways: ['plain'] })
    if (plain.results.plain) return plain
    const ran: Way[] = ['plain']
    const results: Answer['results'] = {}
    for (const way of ['outside', 'inside'] as const) {
      const alone = await this.#freshly({ suite, name, ways: [way] })
      ran.push(way)
      if (alone.results[way]) results[way] = alone.results[way]
    }
    return { name, results, ran, isSpoilt: false }
  }

  async #freshly(request: Request): Promise<Answer> {
    this.stop()
    const answer = await this.#ask(request)
    this.stop()
    return answer
  }

  #start(): ChildProcess {
    const worker = fork(workerFile, { execArgv: ['--import', 'tsx', '--no-warnings', '--max-old-space-size=1500'], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    this.#ready = new Promise((resolve) => worker.once('message', () => resolve()).once('exit', () => resolve()))
    return worker
  }

  async #ask(request: Request): Promise<Answer> {
    const asked = (this.#worker ??= this.#start())
    await this.#ready
    return new Promise((resolve) => {
      const fail = (): void => {
        this.stop()
        finish({ name: request.name, results: { [request.ways.at(-1)!]: 'the process gave no answer' }, ran: request.ways, isSpoilt: true })
      }
      const timer = setTimeout(fail, patience)
      const finish = (answer: Answer): void => {
        clearTimeout(timer)
        asked.off('message', finish)
        asked.off('exit', fail)
        resolve(answer)
      }
      asked.on('message', finish)
      asked.on('exit', fail)
      // The process of the file before may end at this moment.
      asked.send(request, (error) => {
        if (error) fail()
      })
    })
  }
}

const counts = { skipped: 0, plain: 0, passing: 0 }

interface Difference {
  readonly name: string
  readonly way: Way
  readonly result: string
  readonly reason: string | undefined
}

const differences: Difference[] = []
/** Listed as different, and are not. */
const same: string[] = []

function differ(difference: Difference): void {
  differences.push(difference)
  const { name, way, result, reason } = difference
  console.log(`${way} ${name}\n    ${result.slice(0, 300)}${reason ? `\n    known: ${reason}` : ''}`)
}

let begun = 0

async function runRest(): Promise<void> {
  const runner = new Runner()
  while (begun < names.length) {
    const name = names[begun++]!
    const { results, ran } = await runner.resultsOf(name)
    if (ran.length === 0) counts.skipped++
    else if (results.plain) counts.plain++
    else counts.passing++
    if (!results.plain) {
      for (const way of ['outside', 'inside'] as const) {
        const result = results[way]
        const reason = knownReason(name, way)
        if (result) differ({ name, way, result, reason })
        else if (reason) same.push(`${way} ${name}`)
      }
    }
    if (process.stderr.isTTY || begun % 500 === 0) process.stderr.write(`\r${begun}/${names.length}, ${differences.length} differ `)
  }
  runner.stop()
}

await Promise.all(Array.from({ length: Number(given.jobs) }, runRest))
const unexplained = differences.filter(({ reason }) => reason === undefined)
const refused = differences.filter(({ result }) => isRefusal(result))
const of = (way: Way): number => differences.filter((difference) => difference.way === way && !isRefusal(difference.result)).length
for (const line of same) console.log(`${line}\n    is listed, and does not differ`)
console.log(
  `${names.length} files: ${counts.skipped} are not for strict mode, ${counts.plain} do not pass as they are, ${counts.passing} do; of those differ ${of('outside')} outside, ` +
    `${of('inside')} inside, where ${refused.length} more are refused; ${unexplained.length} without a reason; ${same.length} are listed and do not differ`,
)
if (given.json) writeFileSync(given.json, JSON.stringify(differences, undefined, 2))
process.exitCode = unexplained.length + same.length > 0 ? 1 : 0
