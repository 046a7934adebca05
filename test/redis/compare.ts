import { createRequire } from 'node:module'
import type { Redis } from 'ioredis'
import { rememberDriver } from '../../src/runtime/execution/loaded-drivers.ts'
import { compareWith, type Comparison } from '../servers/comparison.ts'
import type { Enumeration } from './enumerate.ts'
import { contents, start, type Program } from './program.ts'

const require = createRequire(import.meta.url)
// What loads packages does so elsewhere.
for (const file of ['ioredis/built/Pipeline.js', 'ioredis/built/Redis.js']) rememberDriver(file, require(file))

const source = ({ tasks, shares }: Program): string => `
const run = async (client, steps) => {
  const answers = []
  let last = '0'
  for (const { calls, isTransaction } of steps) {
    const given = calls.map(([name, ...args]) => [name, ...args.map((arg) => (arg === '$last' ? last : arg))])
    let answer
    try {
      answer = isTransaction ? await client.multi(given.map((call) => ['call', ...call])).exec() : await client.call(...given[0])
    } catch (error) {
      answer = error.message
    }
    answers.push(calls[0][0] === 'KEYS' && Array.isArray(answer) ? answer.toSorted() : answer)
    if (!isTransaction && calls[0][0] === 'GET') last = String(answer)
  }
  return answers
}
for (const [name, ...args] of start) await clients[0].call(name, ...args)
const logs = await Promise.all([${tasks.map((steps, i) => `run(clients[${shares && i < 2 ? 0 : i}], ${JSON.stringify(steps)})`).join(', ')}])
return JSON.stringify([logs, await clients[0].eval(contents, 0)])`

/** Explores a program, and compares how it can end with all orders of its steps. Undefined where there are too many. */
export async function compare(program: Program, { clients, enumeration, limit }: { clients: readonly Redis[]; enumeration: Enumeration; limit: number }): Promise<Comparison | undefined> {
  const reference = await enumeration.outcomes(program, limit)
  return reference && compareWith(reference, source(program), { scope: { clients, start, contents }, limit })
}
