import type { Redis } from 'ioredis'
import type { Reference } from '../servers/comparison.ts'
import { contents, start, type Program, type Step } from './program.ts'

/** What a task has been answered. */
export interface Log {
  readonly answers: unknown[]
  last: string
}

/** Takes one step of a task, and notes what is answered. */
export async function take(client: Redis, { calls, isTransaction }: Step, log: Log): Promise<void> {
  const given = calls.map(([name, ...args]) => [name!, ...args.map((arg) => (arg === '$last' ? log.last : arg))] as const)
  let answer: unknown
  try {
    if (isTransaction) answer = await client.multi(given.map(([name, ...args]) => ['call', name, ...args])).exec()
    else answer = await client.call(given[0]![0], ...given[0]!.slice(1))
  } catch (error) {
    answer = (error as Error).message
  }
  // In which order a server has its keys is its own affair.
  log.answers.push(calls[0]![0] === 'KEYS' && Array.isArray(answer) ? answer.toSorted() : answer)
  if (!isTransaction && calls[0]![0] === 'GET') log.last = String(answer)
}

/** Runs a program on the server in every order of its steps. It knows nothing of the runtime. */
export class Enumeration {
  readonly #clients: readonly Redis[]

  constructor(clients: readonly Redis[]) {
    this.#clients = clients
  }

  /** How it can end; undefined where there are more orders than that. */
  async outcomes(program: Program, limit: number): Promise<Reference | undefined> {
    const orders = ordersOf(program)
    if (orders.length > limit) return undefined
    const outcomes = new Set<string>()
    for (const order of orders) outcomes.add(await this.#run(program, order))
    return { outcomes: [...outcomes].toSorted(), orders: orders.length }
  }

  async #run({ tasks, shares }: Program, order: readonly number[]): Promise<string> {
    const [first] = this.#clients
    for (const [name, ...args] of start) await first!.call(name!, ...args)
    const logs = tasks.map((): Log => ({ answers: [], last: '0' }))
    for (const task of order) await take(this.#clients[shares && task < 2 ? 0 : task]!, tasks[task]![logs[task]!.answers.length]!, logs[task]!)
    for (const client of this.#clients) await client.unwatch()
    return JSON.stringify([logs.map(({ answers }) => answers), await first!.eval(contents, 0)])
  }
}

/** All orders of the steps. What tasks of one connection ask first they ask before anything is answered, in their order. */
function ordersOf({ tasks, shares }: Program): readonly (readonly number[])[] {
  let found: (readonly number[])[] = [[]]
  const total = tasks.reduce((sum, steps) => sum + steps.length, 0)
  for (let i = 0; i < total; i++) found = found.flatMap((order) => [...tasks.keys()].filter((task) => order.filter((one) => one === task).length < tasks[task]!.length && !(shares && isTooEarly(order, task))).map((task) => [...order, task]))
  return found
}

function isTooEarly(order: readonly number[], task: number): boolean {
  if (task === 1) return !order.includes(0)
  return task === 0 && order.includes(0) && !order.includes(1)
}
