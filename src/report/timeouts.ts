import { changes, type Access } from './accesses.ts'
import type { Birth } from './descent.ts'
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

/** What tells where a timer was set: it is put somewhere at once; or else what was done last before. */
export function settingOf({ step, index = Infinity }: Birth, accesses: readonly Access[]): Access | undefined {
  const put = accesses.find((access) => access.step === step && access.index >= index)
  return put && changes(put) && isTimer(put) && put.place ? put : accesses.findLast((access) => access.step === step && access.index < index && access.place !== undefined)
}

/** What `setTimeout`, or `setImmediate`, gives back. */
export const isTimer = ({ value }: Access): boolean => /^\[Timeout\]$|^\[Immediate\]$/.test(value.text)
