import { readFileSync } from 'node:fs'
import type { Result, Way } from './run.ts'

interface Known {
  readonly reason: string
  readonly ways: readonly Way[]
  readonly names: readonly string[]
}

const known = JSON.parse(readFileSync(new URL('known-differences.json', import.meta.url), 'utf8')) as readonly Known[]

const reasons = new Map(known.flatMap(({ reason, ways, names }) => ways.flatMap((way) => names.map((name): [string, string] => [`${way} ${name}`, reason]))))

/** Why a file of the suite does not behave as it does without the project. */
export function knownReason(name: string, way: Way): string | undefined {
  return reasons.get(`${way} ${name}`)
}

/** There is no verdict, and an error says why: the program replaces what explores it. */
export function isRefusal(result: Result): boolean {
  return result?.startsWith('the exploration fails: RefusedError') ?? false
}
