import type { Access } from './accesses.ts'
import type { Waiter } from './deadlock.ts'
import type { InputCleared, InputRecording } from './input.ts'

/** The last timer that one of those who wait has set before it began to, and that was cleared by somebody who has settled nothing in that step. */
export function clearedTimerOf(waiters: readonly Waiter[], recording: InputRecording, accesses: readonly Access[]): InputCleared | undefined {
  const { steps, cleared = [] } = recording
  if (cleared.length === 0) return undefined
  return cleared.findLast(({ timer, step }) => {
    const set = steps.findIndex(({ spawned }) => spawned.includes(timer))
    if (set < 0) return false
    const setters = new Set([steps[set]!.process, ...accesses.filter((access) => access.step === set).map(({ process }) => process)])
    const waiting = [...setters].filter((setter) => waiters.some(({ line }) => line.includes(setter)))
    const goesOn = (process: number): boolean => steps.some((one, at) => at > set && one.process === process)
    const settles = accesses.some((access) => access.step === step && access.key.kind === 'settled' && (access.kind === 'settle' || access.as !== undefined))
    return waiting.length > 0 && !waiting.every(goesOn) && !settles
  })
}

export const clearedText = ({ timer, step }: InputCleared, { names, steps }: InputRecording): string => `${names[timer]} was still to fire, and ${names[steps[step]!.process]} cleared it.`
