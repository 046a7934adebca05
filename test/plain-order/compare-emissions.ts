import { createSocket } from 'node:dgram'
import { EventEmitter, on, once } from 'node:events'
import { readFile } from 'node:fs'
import { connect, createServer } from 'node:net'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { MessageChannel as Channel } from 'node:worker_threads'
import { exploreBody } from '../reference/project.ts'
import { Random } from '../reference/random.ts'
import { runPlainly, withoutRejections } from './compare.ts'
import { emitting, generateEmissions } from './generate-emissions.ts'

const scope = { EventEmitter, createSocket, connect, createServer, on, once, readFile, PassThrough, Channel, path: fileURLToPath(import.meta.url) }

interface Difference {
  readonly source: string
  readonly plain: string
  readonly outcomes: readonly string[]
}

/** The first of so many programs whose executions are not all as Node runs them, or, by awaits, none of which begins with that. */
export async function findDifference(kind: string, { seed, count, interleave }: { readonly seed: number; readonly count: number; readonly interleave: 'await' | 'event-loop' }): Promise<Difference | undefined> {
  const limit = interleave === 'await' ? 1 : 50
  for (let i = 0; i < count; i++) {
    const source = generateEmissions(new Random(seed + i), emitting[kind]!)
    const plain = await withoutRejections(() => runPlainly(source, scope as never))
    const { outcomes } = await exploreBody(source, { scope: () => scope, limit, interleave })
    if (outcomes.length !== 1 || !outcomes[0]!.endsWith(plain)) return { source, plain, outcomes }
  }
  return undefined
}
