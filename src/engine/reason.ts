import type { Verdict } from './outcome.ts'

/** Why an exploration says nothing for certain, with what is explored all the same, in words for a report. */
export function withExplored(reason: string, { explored, hasFailures }: { readonly explored: string; readonly hasFailures: boolean }): string {
  return `${reason}; ${hasFailures ? `explored: ${explored}` : `holds for ${explored}`}`
}

const whatIsExplored = /; (?:holds for|explored:) [^;]*/

interface PartlyExplored {
  readonly verdict: Verdict
  readonly inconclusiveReason?: string | undefined
}

/** Why several that share the work say nothing for certain together. What is explored all the same is said only where all of them that left something out say the same. */
export function joinedReason(all: readonly PartlyExplored[]): string | undefined {
  // The names of bounds come before what is said where none of them was met.
  const reasons = all.flatMap(({ inconclusiveReason: reason }) => reason ?? []).toSorted()
  const [first] = reasons
  const areAlike = reasons.every((reason) => reason === first) && all.every(({ verdict }) => verdict !== 'fails')
  return areAlike ? first : first?.replace(whatIsExplored, '')
}
