import { changes, isOfControl, isSamePlace, type Access } from './accesses.ts'
import { Descent } from './descent.ts'
import type { Evidence } from './evidence.ts'
import type { InputRecording } from './input.ts'
import { isFiring, settingOf } from './timeouts.ts'
import { isFunction } from './values.ts'

/** A timer fires for what somebody has turned to since it was set, as nobody has cleared it. */
export interface LeftRunning {
  /** What tells where it was set. */
  readonly set: Access
  /** A method of what the timer works with is called from elsewhere, or something there is changed. */
  readonly since: Access
  /** Of the timer. */
  readonly fired: Access
  readonly deed: Access
}

/** @param timer the name of the timer that decides the failure; `deeds`: what would be told of it, one of them its own */
export function leftRunningIn(accesses: readonly Access[], { timer, deeds, recording, isTestCode }: { readonly timer: string; readonly deeds: readonly Access[]; readonly recording: InputRecording; readonly isTestCode: Evidence['isTestCode'] }): LeftRunning | undefined {
  const process = recording.names.indexOf(timer)
  const descent = new Descent(recording)
  const birth = descent.birthOf(process)
  const isItsOwn = (access: Access): boolean => descent.isFrom(access.process, process)
  const deed = deeds.find(isItsOwn)
  if (!birth || !deed) return undefined
  const set = settingOf(birth, accesses)
  const fired = accesses.find((access) => access.process === process && isFiring(access))
  if (!set || !fired || isTestCode(set.place)) return undefined
  const used = new Set(accesses.flatMap((access) => (isItsOwn(access) && !isOfControl(access) ? [access.object] : [])))
  const isSince = ({ step, index }: Access): boolean => step > birth.step || (step === birth.step && index >= (birth.index ?? Infinity))
  const between = accesses.filter((access) => isSince(access) && access.index < fired.index && !isItsOwn(access) && used.has(access.object))
  const isCalled = ({ kind, key, value, place }: Access): boolean => kind === 'read' && key.kind === 'property' && isFunction(value) && place !== undefined && place.file !== set.place!.file
  const isChanged = (access: Access): boolean => changes(access) && access.place?.file === set.place!.file
  // A method of a class is looked for in what that extends as well.
  const called = between.findLast(isCalled)
  const since = called ? between.find((access) => isCalled(access) && access.step === called.step && isSamePlace(access, called)) : between.findLast(isChanged)
  return since && { set, since, fired, deed }
}
