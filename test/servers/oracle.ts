import { parseArgs } from 'node:util'
import type { Comparison } from './comparison.ts'

/** What a run of an oracle compares. */
export interface Oracle {
  /** What the program of a seed looks like. */
  print(seed: number): string
  /** Undefined where it has too many orders. */
  compare(seed: number, limit: number): Promise<Comparison | undefined>
}

/** The options of the command line. */
export function optionsOf(limit: number): { readonly programs: number; readonly seed: number; readonly limit: number; readonly each: boolean; readonly further: boolean; readonly show: number } {
  const { values } = parseArgs({
    options: {
      programs: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      /** Orders above which a program is passed over. */
      limit: { type: 'string', default: String(limit) },
      /** A line for each program. */
      each: { type: 'boolean', default: false },
      /** Programs of more kinds. */
      further: { type: 'boolean', default: false },
      show: { type: 'string', default: '3' },
    },
  })
  const { programs, seed, show, each, further } = values
  return { programs: Number(programs), seed: Number(seed), limit: Number(values.limit), each, further, show: Number(show) }
}

/** Compares one program after the other, and prints what it has found. Returns whether all agree. */
export async function runOracle({ print, compare }: Oracle, { programs, seed: first, limit, each, show }: Omit<ReturnType<typeof optionsOf>, 'further'>): Promise<boolean> {
  const total = { agree: 0, lost: 0, invented: 0, unseen: 0, 'no verdict': 0, 'up to the server': 0, 'too large': 0 }
  const counts = { executions: 0, orders: 0 }
  let shown = 0
  let told = Date.now()
  for (let seed = first; seed < first + programs; seed++) {
    const { kind, problem, comparison } = await judged(() => compare(seed, limit))
    total[kind]++
    if (!each && Date.now() - told > 20_000) {
      console.error(`${seed - first + 1} of ${programs}`)
      told = Date.now()
    }
    counts.executions += comparison?.executions ?? 0
    counts.orders += comparison?.orders ?? 0
    if (each) console.log(seed, kind, comparison?.executions, comparison?.orders)
    if (each && kind === 'up to the server') console.log(`${print(seed)}\n${comparison?.verdict}\nlost: ${comparison?.lost.slice(0, 2).join('\n')}\n`)
    if (problem !== undefined && shown++ < show) console.log(`seed ${seed}\n${print(seed)}\n${problem}\n`)
  }
  console.log({ ...total, ...counts })
  return total.lost + total.invented + total.unseen + total['no verdict'] === 0
}

interface Judged {
  readonly kind: 'agree' | 'lost' | 'invented' | 'unseen' | 'no verdict' | 'up to the server' | 'too large'
  readonly problem?: string
  readonly comparison?: Comparison
}

async function judged(compare: () => Promise<Comparison | undefined>): Promise<Judged> {
  try {
    const comparison = await compare()
    if (!comparison) return { kind: 'too large' }
    const { lost, invented, unseen = [], verdict, executions, orders } = comparison
    // What was given up has lost what comes later.
    const kind = lost.length > 0 && verdict === 'holds' ? 'lost' : invented.length > 0 ? 'invented' : unseen.length > 0 ? 'unseen' : verdict === 'holds' ? 'agree' : verdict.includes('the server alone decides') ? 'up to the server' : 'no verdict'
    if (kind === 'agree' || kind === 'up to the server') return { kind, comparison }
    return { kind, comparison, problem: `${kind} (${verdict}, ${executions} executions of ${orders} orders)\nlost: ${lost.slice(0, 2).join('\n')}\ninvented: ${invented.slice(0, 2).join('\n')}\nunseen: ${unseen.slice(0, 2).join('\n')}` }
  } catch (error) {
    return { kind: 'no verdict', problem: String(error) }
  }
}
