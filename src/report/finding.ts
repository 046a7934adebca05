import { isOfControl, type Access } from './accesses.ts'
import { mayDeriveFrom } from './values.ts'
import { isInside } from './words.ts'

interface Stale {
  /** What the process looked at. */
  readonly looked: Access
  /** Changes by others after that, the first one first. */
  readonly changed: readonly [Access, ...Access[]]
}

/** A pattern that the execution shows, which may explain its failure. */
export type Finding =
  /** The process writes what it made from the stale value. */
  | (Stale & { readonly pattern: 'lost-update'; readonly act: Access })
  /** The process acts on the stale answer: by a write, by using what it finds there now, or at another location. */
  | (Stale & { readonly pattern: 'check-then-act'; readonly act: Access; readonly how: 'write' | 'update' | 'use' | 'elsewhere' })
  /** Two accesses that nothing orders. */
  | { readonly pattern: 'order-violation'; readonly first: Access; readonly second: Access }

/** The location it is about. */
export function subjectOf(finding: Finding): Access {
  return finding.pattern === 'order-violation' ? finding.first : finding.looked
}

/** The access at which it came to pass. */
export function actOf(finding: Finding): Access {
  return finding.pattern === 'order-violation' ? finding.second : finding.act
}

/** What a finding is called: its pattern, or a case of it that has a name of its own. */
export type FindingKind = Finding['pattern'] | 'last-write-wins'

export function kindOf(finding: Finding): FindingKind {
  return finding.pattern === 'order-violation' && isOverwrite(finding) ? 'last-write-wins' : finding.pattern
}

/** Both give it a value, and the second keeps nothing of the first. */
function isOverwrite({ first, second }: Extract<Finding, { pattern: 'order-violation' }>): boolean {
  if (![first, second].every((access) => isGiven(access) && !isOfControl(access))) return false
  return second.value.type !== 'string' || !mayDeriveFrom(second.value, first.value)
}

/** It gets a value that is put there whatever was there before, as far as the access alone tells. */
const isGiven = (access: Access): boolean => (access.kind === 'write' || access.kind === 'assign') && !isInside(access)
