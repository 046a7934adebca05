import type { Access } from './accesses.ts'

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
