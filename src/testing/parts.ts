import { joinedReason } from '../engine/reason.ts'
import { reasonOf, type Finding, type Found } from './finding.ts'
import type { DporMeta } from './meta.ts'

/** What one of several machines has found out about a test. Each has explored a part of its executions. */
export interface FoundByPart {
  readonly dpor?: DporMeta | undefined
  /** Of an ordinary test. */
  readonly dporFound?: Finding | undefined
}

/** What they have found out together: a test holds only if all parts are there, and hold. */
export function joinParts(all: readonly FoundByPart[]): FoundByPart {
  const explored = all.flatMap(({ dpor }) => dpor ?? [])
  const findings = all.flatMap(({ dporFound }) => dporFound ?? [])
  const parts = explored.filter(({ part }) => part !== undefined)
  const [first] = parts
  if (!first) return { dpor: explored[0], dporFound: worstOf(findings) }
  const missing = missingOf(parts)
  const dpor = joinMeta(parts, { missing, isOrdinary: findings.length > 0 })
  if (findings.length === 0) return { dpor }
  const worst = worstOf(findings)!
  if (missing && (worst.found === 'holds' || worst.found === 'alone' || worst.found === 'inconclusive')) return { dpor, dporFound: { found: 'inconclusive', reason: missing } }
  if (worst.found === 'inconclusive') return { dpor, dporFound: { ...worst, reason: reasonOf(dpor) } }
  const isAlone = worst.found === 'holds' && dpor.executions === (hasStandIns(dpor) ? 2 : 1)
  return { dpor, dporFound: isAlone ? { ...worst, found: 'alone' } : worst }
}

/** The first that is there goes before all that follow. */
const order: readonly Found[] = ['race', 'fails', 'known', 'unexplored', 'inconclusive', 'holds', 'held', 'alone']

function worstOf(findings: readonly Finding[]): Finding | undefined {
  return findings.toSorted((one, other) => order.indexOf(one.found) - order.indexOf(other.found))[0]
}

function joinMeta(parts: readonly DporMeta[], { missing, isOrdinary }: { readonly missing: string | undefined; readonly isOrdinary: boolean }): DporMeta {
  const failing = parts.find(({ verdict }) => verdict === 'fails')
  const inconclusive = parts.find(({ verdict }) => verdict === 'inconclusive')
  const { part: _, inconclusiveReason: __, estimate: ___, estimateRange: ____, ...said } = failing ?? inconclusive ?? parts[0]!
  const reason = missing ?? joinedReason(parts)
  const verdict = failing ? 'fails' : missing || inconclusive ? 'inconclusive' : 'holds'
  return {
    ...said,
    verdict,
    executions: executionsOf(parts, { isOrdinary }),
    blocked: sum(parts.map(({ blocked }) => blocked)),
    steps: sum(parts.map(({ steps }) => steps)),
    ...(verdict === 'inconclusive' && reason !== undefined && { inconclusiveReason: reason }),
    ...(verdict === 'inconclusive' && !missing && guessOf(parts)),
  }
}

/** How many executions all parts have; nothing where one of them has no idea of its own. */
function guessOf(parts: readonly DporMeta[]): Pick<DporMeta, 'estimate' | 'estimateRange'> {
  const guesses = parts.map(({ verdict, executions, estimate, estimateRange }) => (verdict === 'holds' ? { estimate: executions, estimateRange: [executions, executions] as const } : { estimate, estimateRange }))
  if (guesses.some(({ estimateRange }) => estimateRange === undefined)) return {}
  const end = (which: 0 | 1): number => sum(guesses.map(({ estimateRange }) => estimateRange![which]))
  return { estimate: sum(guesses.map(({ estimate }) => estimate!)), estimateRange: [end(0), end(1)] }
}

/** Each part of an ordinary test begins with the plain run, which is one of the others unless something in it stands for I/O. */
function executionsOf(parts: readonly DporMeta[], { isOrdinary }: { readonly isOrdinary: boolean }): number {
  const all = sum(parts.map(({ executions }) => executions))
  if (!isOrdinary) return all
  return all - parts.length + (parts.some(hasStandIns) ? 1 : 0)
}

const hasStandIns = ({ standIns = [] }: DporMeta): boolean => standIns.length > 0

/** Says which parts are not there. */
function missingOf(parts: readonly DporMeta[]): string | undefined {
  const there = new Set(parts.map(({ part }) => part))
  const [, count] = parts[0]!.part!.split('/')
  const missing = Array.from({ length: Number(count) }, (_, i) => `${i + 1}/${count}`).filter((part) => !there.has(part))
  return missing.length === 0 ? undefined : `${missing.length === 1 ? 'part' : 'parts'} ${missing.join(', ')} missing`
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
