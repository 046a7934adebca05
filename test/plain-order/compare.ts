import { io } from '../../src/runtime/index.ts'
import { exploreBody } from '../reference/project.ts'

/** The order in which Node runs the pieces of a program, and that of the first execution. */
export interface Orders {
  readonly source: string
  readonly plain: string
  readonly first: string | undefined
}

/** Rejections that nobody handles are the program's own affair here. */
export async function withoutRejections<T>(work: () => Promise<T>): Promise<T> {
  const before = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', () => {})
  try {
    return await work()
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const listener of before) process.on('unhandledRejection', listener as never)
  }
}

/** What programs have by name: what stands for answers, and a function that is not instrumented. */
const usual: Scope = { io, answer: (value: unknown) => Promise.resolve(value) }

type Scope = Readonly<Record<string, unknown>>

interface Options {
  readonly interleave?: 'await' | 'event-loop' | undefined
  /** What programs have by name, besides. */
  readonly scope?: Scope | undefined
}

export function runPlainly(source: string, scope = usual): Promise<string> {
  const compiled = new Function(...Object.keys(scope), `'use strict'; return (async function () {${source}\n})()`) as (...values: unknown[]) => Promise<unknown>
  const body = (): Promise<unknown> => compiled(...Object.values(scope))
  return new Promise((resolve) => {
    // From a turn of its own, as the first code in it.
    setImmediate(() => resolve(Promise.resolve().then(body).then((value) => JSON.stringify(value), (error: unknown) => `error ${String(error)}`)))
  })
}

/** Runs the programs as Node does, all at once: no order within a program hangs on another program. */
export async function compareOrders(sources: readonly string[], { interleave, scope: given = {} }: Options = {}): Promise<Orders[]> {
  const scope = { ...usual, ...given }
  const plain = await withoutRejections(() => Promise.all(sources.map((source) => runPlainly(source, scope))))
  const orders: Orders[] = []
  for (const [i, source] of sources.entries()) {
    const { first } = await exploreBody(source, { scope: () => scope, limit: 1, interleave })
    orders.push({ source, plain: first?.startsWith(unhandled) ? await rejectionOf(source, scope) : plain[i]!, first })
  }
  return orders
}

const unhandled = 'unhandled rejection'

/** What the runtime says of a plain run, if a rejection is not handled in it. */
async function rejectionOf(source: string, scope: Scope): Promise<string> {
  let found = 'every rejection is handled'
  await withoutRejections(async () => {
    process.prependOnceListener('unhandledRejection', (error) => (found = `${unhandled} ${String(error)}`))
    await runPlainly(source, scope)
  })
  return found
}
