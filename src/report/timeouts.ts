import type { Access } from './accesses.ts'
import { actOf, otherOf, subjectOf, type Finding } from './finding.ts'
import type { InputAccess, InputRecording } from './input.ts'

/** What came first of the two that a finding is about, and what that decided. */
function orderOf(finding: Finding): readonly [Access, Access] {
  return 'changed' in finding ? [otherOf(finding), actOf(finding)] : [subjectOf(finding), actOf(finding)]
}

/** The step is that of a timer, which fires. */
export const isFiring = ({ kind, key, value }: Pick<InputAccess, 'kind' | 'key' | 'value'>): boolean => kind === 'read' && key.kind === 'fired' && value.text === '"due"'

/** Where timers may fire before anything else is over: the timer, if it is one that came first of those that a finding is about. */
export function timeoutThatWon(finding: Finding, { steps, names }: InputRecording): string | undefined {
  const [first, second] = orderOf(finding)
  const fires = ({ step }: Access): boolean => steps[step]!.accesses.some(isFiring)
  return fires(first) && !fires(second) ? names[first.process] : undefined
}
