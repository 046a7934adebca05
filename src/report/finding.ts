import type { Access } from './accesses.ts'
import { labelOf, ownerOf } from './naming.ts'

interface Stale {
  /** What the process looked at, or wrote there. */
  readonly looked: Access
  /** Changes by others after that, the first one first. */
  readonly changed: readonly [Access, ...Access[]]
  /** Where whoever has changed it takes that back, after the act: had that come before, nothing would be stale. */
  readonly undone?: Access | undefined
  /** Where whoever has changed it has looked at it by the same code. */
  readonly rival?: Access | undefined
  /** The platform brings the changes between the two in every order. */
  readonly isFixed?: true
  /** What was looked at is there again by the act. */
  readonly isBack?: true
  /** The end of the transaction that has changed it first: others see that from then on. */
  readonly committed?: Access | undefined
}

/** A pattern that the execution shows, which may explain its failure. */
export type Finding =
  /** The process writes what it made from the stale value. */
  | (Stale & { readonly pattern: 'lost-update'; readonly act: Access })
  /** The process acts on the stale answer: by a write, also after it has looked again, by using what it finds there now, which may not keep it from a write that comes later, or at another location, where it comes upon what the change has led to. */
  | (Stale & { readonly pattern: 'check-then-act'; readonly act: Access; readonly how: 'write' | 'update' | 'use' | 'elsewhere'; readonly again?: Access; readonly rewritten?: Access; readonly led?: Access })
  /** The process finds what others have written over its own. */
  | (Stale & { readonly pattern: 'overwritten'; readonly act: Access; /** What the last of them had held there before, which is something else than what it takes away. */ readonly held?: Access | undefined })
  /** Two accesses that nothing orders; or, where calls overlap in every order, that would come the other way round if one waited for the other, before which that one has looked by the same code. */
  | { readonly pattern: 'order-violation'; readonly first: Access; readonly second: Access; readonly isOverlap?: true; readonly rival?: Access | undefined; /** What the second one had held there before, which is something else than what it takes away. */ readonly held?: Access | undefined; /** Where another call, for which the first one was as well, does the same by the same line later, and how the test has found that it was at work. */ readonly meanwhile?: { readonly act: Access; readonly counted: { readonly first: Access; readonly second: Access } } }
  /** What is held by one, as was written down for it, another takes away, so that the holder finds nothing. */
  | { readonly pattern: 'wrong-holder-release'; readonly given: Access; readonly cleared: Access; readonly missed: Access; /** Who had found it there since, and goes on with it. */ readonly shared?: Access }

/** The location it is about. */
export function subjectOf(finding: Finding): Access {
  switch (finding.pattern) {
    case 'order-violation':
      return finding.first
    case 'wrong-holder-release':
      return finding.given
    default:
      return finding.looked
  }
}

/** The access at which it came to pass. */
export function actOf(finding: Finding): Access {
  switch (finding.pattern) {
    case 'order-violation':
      return finding.second
    case 'wrong-holder-release':
      return finding.cleared
    default:
      return finding.act
  }
}

/** What the last one has overwritten: what was left there before by somebody else. */
export function overwrittenIn({ looked, changed }: Extract<Finding, { pattern: 'overwritten' }>): Access {
  const last = changed.at(-1)!
  const before = [looked, ...changed.slice(0, -1)].findLast(({ process }) => process !== last.process)
  return before === undefined || changed.length > mostTold ? looked : before
}

/** Of more changes than these a story tells the first and the last. */
export const mostTold = 3

/** Who else has a part in it: whoever comes second, or has changed what was looked at. */
export function otherOf(finding: Finding): Access {
  switch (finding.pattern) {
    case 'order-violation':
      return finding.second
    case 'wrong-holder-release':
      return finding.missed
    default:
      return finding.changed[0]
  }
}

/** What it is about, by name; of a list that somebody puts something at the end of, what comes in which order, it is the list. */
export function raceName(finding: Finding): string {
  const subject = subjectOf(finding)
  const isList = subject.key.kind === 'order' && [subject, otherOf(finding)].some(({ kind }) => kind === 'append')
  return isList && subject.owner !== '' ? ownerOf(subject) : labelOf(subject)
}
