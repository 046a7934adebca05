import type { Evidence } from './evidence.ts'
import { shortExpression } from './expression.ts'
import type { Finding } from './finding.ts'
import type { InputRecording } from './input.ts'
import { isTooLate } from './words.ts'

/** What the promise is, as it is written where it was made. */
export function unheardText({ unheard }: Pick<InputRecording, 'unheard'>): string {
  return unheard && unheard.text !== '' ? ` It is that of ${shortExpression(unheard.text)}.` : ''
}

/** Which of two comes first may decide whether a rejection shows that nobody handles: it is not why nobody does, unless the line that throws looks there, or a handler comes too late. */
export function onlyShows(finding: Finding, { isThrowKnown, atThrow, atEnd }: Pick<Evidence, 'isThrowKnown' | 'atThrow' | 'atEnd'>): boolean {
  if (finding.pattern !== 'order-violation' || finding.first.key.kind === 'handled') return false
  const { first, second } = finding
  if (first.key.kind === 'settled') return isTooLate(second)
  return !(isThrowKnown ? atThrow : atEnd).has(first.location)
}
