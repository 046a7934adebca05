import type { Reference } from '../servers/comparison.ts'
import { contents, start, type Ask, type Program, type Step } from './program.ts'

/** As much of a connection as programs use. */
export interface Connection {
  exec(source: string): unknown
  prepare(source: string): Record<'run' | 'get' | 'all', (...values: unknown[]) => unknown>
  transaction?(work: () => void): () => void
  close(): void
  readonly open?: boolean
  readonly isOpen?: boolean
}

/** Connections to one database that is new. */
export type Open = (count: number) => Connection[]

export interface Log {
  readonly answers: unknown[]
  last: number
}

/** Asks once, and notes what is answered. */
function ask(connection: Connection, { text, values, by }: Ask, log: Log): void {
  const given = values.map((value) => (value === '$last' ? log.last : value === '$next' ? log.last + 1 : value))
  const answer = by === 'exec' ? (connection.exec(text), null) : connection.prepare(text)[by](...given)
  // Of what inserts nothing the last number is any that the connection has given before.
  log.answers.push(by === 'run' && !text.startsWith('insert') ? (answer as { changes: number }).changes : (answer ?? null))
  const { n } = (Array.isArray(answer) ? answer[0] : answer) ?? {}
  if (typeof n === 'number') log.last = n
}

/** Takes one step of a task. */
export function take(connection: Connection, { asks, isTransaction }: Step, log: Log): void {
  const all = (): void => {
    for (const one of asks) ask(connection, one, log)
  }
  try {
    if (isTransaction && connection.transaction) connection.transaction(all)()
    else all()
  } catch (error) {
    log.answers.push((error as Error).message)
  }
}

export const contentsOf = (connection: Connection): unknown => contents.map((text) => {
  try {
    return connection.prepare(text).all()
  } catch (error) {
    return (error as Error).message
  }
})

/** Runs a program in every order of its steps. It knows nothing of the runtime. */
export function outcomesOf({ tasks, connections }: Program, open: Open, limit: number): Reference | undefined {
  let orders: number[][] = [[]]
  const total = tasks.reduce((sum, steps) => sum + steps.length, 0)
  for (let i = 0; i < total; i++) {
    orders = orders.flatMap((order) => [...tasks.keys()].filter((task) => order.filter((one) => one === task).length < tasks[task]!.length).map((task) => [...order, task]))
    if (orders.length > limit) return undefined
  }
  const outcomes = new Set<string>()
  for (const order of orders) {
    const opened = open(Math.max(...connections) + 1)
    opened[0]!.exec(start)
    const logs = tasks.map((): Log => ({ answers: [], last: 0 }))
    const taken = tasks.map(() => 0)
    for (const task of order) take(opened[connections[task]!]!, tasks[task]![taken[task]!++]!, logs[task]!)
    outcomes.add(JSON.stringify([logs.map(({ answers }) => answers), contentsOf(opened[0]!)]))
  }
  return { outcomes: [...outcomes].toSorted(), orders: orders.length }
}
