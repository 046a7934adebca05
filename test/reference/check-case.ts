import { readFileSync, writeFileSync } from 'node:fs'
import type { Case } from './corpus/case.ts'
import { type Comparison, compare } from './compare.ts'
import { runPlainly } from './plain.ts'
import { keepsFixedOrders } from './project.ts'
import { scope } from './scope.ts'

/** What is wrong with a case: with the case itself, and with what the project did. */
export interface Problems {
  readonly ofTheCase: readonly string[]
  readonly ofTheProject: readonly string[]
}

/** Runs one body of the corpus through the reference and through the project. */
export async function checkCase({ source, outcomes: anyOrder, fixedOutcomes, executions, atMost = Infinity, overtaken = [] }: Case): Promise<Problems> {
  const comparison = await compare(source, { scope })
  const ofTheCase: string[] = []
  const outcomes = (keepsFixedOrders && fixedOutcomes) || anyOrder
  if (comparison.status === 'too large') ofTheCase.push(`more than ${comparison.interleavings} interleavings`)
  if (!isExpected(comparison.outcomes, outcomes)) {
    ofTheCase.push(`the reference finds ${comparison.outcomes.length} outcomes: ${comparison.outcomes.join(' / ')}`)
  }
  const ofTheProject = problemsOf({
    ...comparison,
    lost: [...comparison.lost, ...overtaken.filter((outcome) => !comparison.invented.includes(outcome))],
    invented: comparison.invented.filter((outcome) => !overtaken.includes(outcome)),
  })
  const plain = canRunPlainly(source, comparison) ? await runPlainly(source, scope) : undefined
  if (plain !== undefined && !comparison.outcomes.includes(plain) && !overtaken.includes(plain)) ofTheCase.push(`Node's own outcome is not among those of the reference: ${plain}`)
  if (plain !== undefined && ofTheProject.length === 0 && comparison.first !== plain) ofTheProject.push(`the first execution is ${comparison.first}, Node's own ${plain}`)
  if (ofTheProject.length === 0 && comparison.executions > atMost) ofTheProject.push(`${comparison.executions} executions where ${atMost} are enough`)
  if (ofTheProject.length === 0 && executions !== undefined && comparison.executions !== executions) {
    ofTheProject.push(`${comparison.executions} executions where ${executions} are enough`)
  }
  return { ofTheCase, ofTheProject }
}

/** Real time is not exact, a rejection that nobody handles is the test runner's, and a deadlock takes long. */
function canRunPlainly(source: string, { outcomes }: Comparison): boolean {
  return !/setTimeout|setInterval|\.timeout\(/.test(source) && !outcomes.some((outcome) => outcome === 'deadlock' || outcome === 'livelock' || outcome.startsWith('unhandled'))
}

/** What the project lost, invented or threw. */
export function problemsOf({ lost, invented, error }: Comparison): string[] {
  const problems: string[] = []
  if (error !== undefined) problems.push(`error: ${error.split('\n')[0]}`)
  if (error === undefined && lost.length > 0) problems.push(`lost: ${lost.join(' / ')}`)
  if (invented.length > 0) problems.push(`invented: ${invented.join(' / ')}`)
  return problems
}

function isExpected(actual: readonly string[], expected: Case['outcomes']): boolean {
  if (expected === undefined) return true
  return typeof expected === 'number' ? actual.length === expected : isEqual(actual, expected.toSorted())
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, i) => item === other[i])
}

const file = new URL('known-gaps.json', import.meta.url)

/** Cases that the project does not yet pass, as `group: name`. */
export function readKnownGaps(): ReadonlySet<string> {
  return new Set(JSON.parse(readFileSync(file, 'utf8')) as string[])
}

export function writeKnownGaps(gaps: Iterable<string>): void {
  writeFileSync(file, `${JSON.stringify([...gaps], undefined, 1)}\n`)
}
