import { changes, isOfControl, type Access } from './accesses.ts'
import { shows, type Asserted } from './asserted.ts'
import type { InputRecording } from './input.ts'
import { isFiring } from './timeouts.ts'

/** Somebody waits for a time instead of for another one, and looks before that one has come as far. */
export interface WaitedInVain {
  /** Of the timer. */
  readonly fired: Access
  readonly found: Access
  readonly late: Access
}

/** @param asserted what the failing assertion has found and missed: the one was found there, the other is put there later */
export function waitedInVainIn(accesses: readonly Access[], { recording: { steps, calls = [] }, asserted: { found, missed }, testFile }: { readonly recording: Pick<InputRecording, 'steps' | 'calls'>; readonly asserted: Asserted; readonly testFile: string | undefined }): WaitedInVain | undefined {
  for (const look of accesses) {
    if (look.kind !== 'read' || isOfControl(look) || look.place?.file === testFile || !shows(look, found)) continue
    const fired = timerBefore(look, accesses, steps)
    // What a timer begins waits for nothing.
    if (fired && !(look.within !== undefined && calls[look.within]!.step < fired.step)) continue
    const late = fired && accesses.find((access) => access.index > look.index && access.location === look.location && access.process !== look.process && changes(access))
    if (fired && late && (missed.length === 0 ? !shows(late, found) : shows(late, missed))) return { fired, found: look, late }
  }
  return undefined
}

/** That for which the process of a look has waited last: with what has fired nothing else has come to it. */
function timerBefore({ step: at, process }: Access, accesses: readonly Access[], steps: InputRecording['steps']): Access | undefined {
  for (let step = at, count = 0; step >= 0 && count < mostSteps; step--) {
    if (steps[step]!.process !== process && !steps[step]!.accesses.some(isFiring)) continue
    const fired = accesses.find((access) => access.step === step && isFiring(access))
    if (fired) return steps[step]!.process === process || step === at || settlesFor(step, { at, process, steps }) ? fired : undefined
    count++
  }
  return undefined
}

/** A step of the process waits for what the timer's step has settled. */
function settlesFor(step: number, { at, process, steps }: { readonly at: number; readonly process: number; readonly steps: InputRecording['steps'] }): boolean {
  const settled = new Set(steps[step]!.accesses.filter(({ kind }) => kind === 'settle').map(({ location }) => location))
  return steps.slice(step + 1, at + 1).some((one) => one.process === process && one.accesses.some(({ kind, location }) => kind === 'wait' && settled.has(location)))
}

/** A wait in a call that is awaited takes a few of them. */
const mostSteps = 4
