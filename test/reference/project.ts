import { stateOf } from '../../plugin/2-analyse/closed.ts'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import { restored } from '../../plugin/4-restore/restore.ts'
import { Search, type Exploration, type Outcome } from '../../src/engine/index.ts'
import { knowsTexts } from '../../src/runtime/calls/emitted.ts'
import { explore, install, type IoPart } from '../../src/runtime/index.ts'
import { returningText } from './coroutines.ts'
import { outcomeText } from './outcome.ts'

install()
Reflect.set(globalThis, knowsTexts, { instrument: () => undefined, stateOf, written: restored })

/** Whether the runtime keeps the orders that the language fixes however long things take. What it is compared with then does too. */
export const keepsFixedOrders = true

const nativeThen = Promise.prototype.then

export interface Explored {
  /** How the body ended in the executions, sorted. */
  readonly outcomes: readonly string[]
  /** How it ended in the first execution. */
  readonly first: string | undefined
  readonly executions: number
  readonly verdict: Exploration['verdict']
  readonly inconclusiveReason?: string | undefined
}

export interface ExploreOptions {
  readonly scope?: (() => Readonly<Record<string, unknown>>) | undefined
  /** Executions after which to give up. Default 20,000. */
  readonly limit?: number
  /** Where a switch may happen. With 'event-loop', `io` says what of it stands for I/O. Default 'await'. */
  readonly interleave?: 'await' | 'event-loop' | undefined
  readonly io?: IoPart
  readonly time?: 'idle' | 'race' | undefined
  /** Leaves out how the plain run ended, where that is no order among the others. */
  readonly skipsPlainRun?: boolean
  /** How often what the verdict rests on is run again. Default 0. */
  readonly reproduce?: number
}

let files = 0

/** Explores the same body with the project, as an instrumented file. */
export async function exploreBody(source: string, { scope = () => ({}), limit = 20_000, interleave, io = 'nothing', time, skipsPlainRun = false, reproduce = 0 }: ExploreOptions = {}): Promise<Explored> {
  const body = compile(source, Object.keys(scope()))
  const outcomes = new Set<string>()
  let text: unknown
  const run = (): unknown => {
    text = undefined
    const result = body(...Object.values(scope()))
    nativeThen.call(
      result,
      (value) => (text = value),
      () => {},
    )
    return result
  }
  const makeSearch = (given: object): Search => {
    if (skipsPlainRun) outcomes.clear()
    const search = new Search(given)
    const finish = search.finish.bind(search)
    search.finish = (outcome: Outcome) => {
      if (outcome.status === 'complete') outcomes.add(textOf(outcome, text))
      finish(outcome)
    }
    return search
  }
  const { executions, verdict, inconclusiveReason } = await explore(run, { stopOnFirst: false, reproduce, maxExecutions: limit, interleave, time, io: () => io }, makeSearch)
  return { outcomes: [...outcomes].toSorted(), first: [...outcomes][0], executions, verdict, inconclusiveReason }
}

function textOf({ failure }: Extract<Outcome, { status: 'complete' }>, text: unknown): string {
  switch (failure?.kind) {
    case undefined:
      return outcomeText({ kind: 'returned', text })
    case 'deadlock':
    case 'livelock':
      return outcomeText({ kind: failure.kind })
    case 'unhandled-rejection':
      return outcomeText({ kind: 'unhandled-rejection', error: failure.error })
    default:
      return outcomeText({ kind: 'error', error: failure!.error })
  }
}

function compile(source: string, names: readonly string[]): (...values: unknown[]) => Promise<unknown> {
  const code = returningText(`export default async function body(${names.join(', ')}) {${source}\n}`)
  const { code: emitted } = rewrite(code, `/body-${files++}.js`)!
  return new Function(`'use strict'; ${emitted.replace('export default', '')}; return body`)() as (...values: unknown[]) => Promise<unknown>
}
