import pc from 'picocolors'
import { contendedText } from '../report/index.ts'
import { few } from '../report/lists.ts'
import type { OpaqueCalls } from '../runtime/index.ts'
import { estimateText } from './estimate-text.ts'
import type { DporMeta } from './meta.ts'

/** What a user does in the framework that runs the test. */
export interface Advice {
  /** How packages are instrumented, by name; left out where nobody can have those that are not. */
  readonly toSee?: (packages: readonly string[]) => string
}

/** The verdict on a test, for people: what it is, what it took, and what it rests on. */
export function verdictLines(name: string, meta: DporMeta, advice: Advice): string[] {
  return [`  ${verdictOf(meta)}  ${name}  ${pc.dim(countsOf(meta))}`, ...remarksOf(meta, advice).map((remark) => `         ${pc.dim(remark)}`)]
}

/** What the verdict rests on. */
export function remarksOf({ contended = [], opaque = [], packages = [], outside = [], missingParsers = [], served = [], sharesNothing, mergesCauses }: DporMeta, { toSee }: Advice): string[] {
  const remarks = sharesNothing ? ['nothing that two processes share was accessed; what a call does before its first await belongs to its caller'] : []
  if (contended.length > 0) remarks.push(contendedText(contended))
  if (packages.length > 0) remarks.push(`packages seen: ${listedShortly(packages)}`)
  if (opaque.length > 0) remarks.push(`not instrumented, merged: ${listed(opaque)}${adviceOn(opaque, toSee)}`)
  if (missingParsers.length > 0) remarks.push(`each statement counted as a change of the whole database; to have rows told apart: npm install --save-dev ${missingParsers.join(' ')}`)
  if (outside.length > 0) remarks.push(`not explored, as packages called it in turns of the event loop of their own: ${few(outside, mostNamed)}`)
  if (served.length > 0) remarks.push(`not explored, as a server that was there before the test calls it: ${few(served, mostNamed)}; start the server in beforeEach or in the body`)
  if (mergesCauses) remarks.push('not run: orders in which an answer of a socket, process or thread comes before what another call has asked for outside')
  return remarks
}

const mostNamed = 4

function listed(opaque: readonly OpaqueCalls[]): string {
  const named = opaque.map(({ name, calls, processes, isPartial }) => `${name} (${plural(calls, 'call')} by ${plural(processes, 'process', 'processes')}${isPartial ? ', with more objects in its hands than are compared: changes of the rest are not seen' : ''})`)
  return few(named, mostNamed)
}

function adviceOn(opaque: readonly OpaqueCalls[], toSee: Advice['toSee']): string {
  const packages = [...new Set(opaque.flatMap((calls) => calls.packages))].slice(0, mostNamed)
  return toSee && packages.length > 0 ? `; to see what they do: ${toSee(packages)}` : ''
}

function verdictOf({ verdict }: DporMeta): string {
  switch (verdict) {
    case 'holds':
      return pc.green('holds')
    case 'fails':
      return pc.red('fails')
    case 'inconclusive':
      return pc.yellow('inconclusive')
    default:
      return verdict satisfies never
  }
}

/** How much was explored, and how. */
export function countsOf({ executions, blocked, steps, interleave, standIns, realIo = [], time, boundsTimers, equivalence, inconclusiveReason, part, ...guess }: DporMeta): string {
  const estimate = estimateText(guess)
  const counts = [...(part === undefined ? [] : [`part ${part}`]), plural(executions, 'execution'), ...(blocked > 0 ? [`${blocked} blocked`] : []), plural(steps, 'step')]
  return `${counts.join(', ')}, switches at '${interleave}'${standIns ? ` (I/O: ${listedShortly([...realIo, ...standIns]) || 'none seen'})` : ''}${time ? `, timers race${boundsTimers ? ' (those of a loop three times)' : ''}` : ''}, classes by ${equivalence}${inconclusiveReason === undefined ? '' : `; ${inconclusiveReason}`}${estimate === undefined ? '' : `; ${estimate}`}`
}

const listedShortly = (names: readonly string[]): string => few(names, mostNamed)

/** How many executions of a test there were whose plain run passes; where that is all that has come to an end, it is none of those that are counted. */
export const executionsOf = (executions: number): string => (executions === 0 ? 'only its plain run' : plural(executions, 'execution'))

export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`
}
