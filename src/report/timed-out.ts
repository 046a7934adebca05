import type { Access } from './accesses.ts'
import type { Waiter } from './deadlock.ts'
import { Descent } from './descent.ts'
import type { ExplainInput, InputRecording, InputValue } from './input.ts'
import { packageOf } from './places.ts'
import { isFiring } from './timeouts.ts'
import { wholeOf } from './values.ts'
import { isTooLate } from './words.ts'

/** Somebody is told by a timer that he has waited too long. */
export interface TimedOut {
  /** Of the timer. */
  readonly timer: number
  /** The step in which it fired. */
  readonly step: number
  /** The promise that it rejected. */
  readonly rejected: Access
  /** What a reader calls who waited for that, */
  readonly name: string
  /** and he himself, as he was before the timer fired. */
  readonly waiter: Waiter
}

/** Of those whose wait a timer has ended, the one whose error is that of the test. */
export function timedOutIn({ recording, failure }: Pick<ExplainInput, 'recording' | 'failure'>, accesses: readonly Access[]): TimedOut | undefined {
  if (failure.kind !== 'error') return undefined
  const rejections = accesses.filter(isRejection)
  const last = rejections.findLast(({ value }) => value.identity !== undefined && saysSo(value, failure.error))
  // An assertion of what a promise is rejected with makes an error of its own, which says that.
  const saying = last && rejections.findLast(({ value: { identity }, index }) => identity !== undefined && identity !== last.value.identity && index < last.index)
  for (const said of [last, saying]) {
    const rejected = said && saysSo(said.value, failure.error) ? rejections.find(({ value }) => value.identity === said.value.identity) : undefined
    const timedOut = rejected && !isOfCall(rejected) ? timedOutBy(rejected, recording, accesses) : undefined
    if (timedOut) return timedOut
  }
  return undefined
}

/** The last one whose wait a timer has ended: the test itself, which has heard nothing of that but what its code makes of it. */
export function lastTimedOutIn({ recording, failure }: Pick<ExplainInput, 'recording' | 'failure'>, accesses: readonly Access[]): TimedOut | undefined {
  if (failure.kind !== 'error') return undefined
  const timedOut = accesses.filter((access) => isRejection(access) && !isOfCall(access)).flatMap((rejected) => timedOutBy(rejected, recording, accesses) ?? []).at(-1)
  const isLast = timedOut && recording.steps.every(({ process }, step) => step <= timedOut.step || process === timedOut.waiter.process)
  return isLast && timedOut.waiter.process === 0 ? timedOut : undefined
}

/** Its message is that of the error, as far as it is shown. */
function saysSo(value: InputValue, error: unknown): boolean {
  const message: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : undefined
  if (typeof message !== 'string') return true
  const [rejected, said] = [lettersOf(wholeOf(value)), lettersOf(message)]
  // An assertion may say what else than it was to be a promise was rejected with.
  return rejected.includes(said.slice(0, mostShown)) || (rejected.length >= mostShown && said.includes(rejected))
}

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Of a message. */
const mostShown = 12

/** Where a step is an event, a call that waits for a timer goes on in the step of that, and throws for a reason of its own. */
export const isOfCall = ({ owner }: Pick<Access, 'owner'>): boolean => owner.startsWith('promise of ')

const isRejection = ({ kind, as }: Access): boolean => kind === 'settle' && as === 'rejected'

/** Where it was rejected in the step of a timer: that of who waited for it, where a step is no event, and else of who has set the timer. */
function timedOutBy(rejected: Access, recording: InputRecording, accesses: readonly Access[]): TimedOut | undefined {
  const { steps, names } = recording
  const { step } = rejected
  const timer = steps[step]!.process
  const birth = new Descent(recording).birthOf(timer)
  if (!birth || !steps[step]!.accesses.some(isFiring)) return undefined
  const setting = accesses.findLast((access) => access.step === birth.step && access.index < (birth.index ?? Infinity))
  if ([setting, ...steps[step]!.accesses.filter(({ kind }) => kind === 'settle')].some((access) => access?.place && isOfPoll(access.place))) return undefined
  const setter = setting?.process ?? birth.parent
  const isAtWork = (process: number): boolean => steps.some((one, at) => at < step && one.process === process)
  // A reaction begins only then.
  const goesOn = steps.find(({ accesses: own, process: whose }, at) => at > step && own.some(({ kind, location }) => kind === 'wait' && location === rejected.location) && isAtWork(whose))
  const { process, place } = goesOn ?? { process: setter, place: setting?.place }
  const name = (goesOn ? undefined : callNamed(setting?.within, recording)) ?? names[process]!
  return { timer, step, rejected, name, waiter: { process, line: process === setter ? [process] : [process, setter], awaits: [place], waiting: { process: names[process]!, place }, lastStep: birth.step, beganIn: birth.step } }
}

/** `waitFor` asks again and again: what it has found last is wrong, and nobody was to wake it. */
const isOfPoll = (place: NonNullable<Access['place']>): boolean => packageOf(place)?.endsWith('/@testing-library/dom') === true

/** The outermost call that it is of, but for that of the body. */
function callNamed(within: number | undefined, { calls = [], steps }: InputRecording): string | undefined {
  const around = new Set<number>()
  for (let call = within; call !== undefined && !around.has(call); call = calls[call]?.caller ?? undefined) around.add(call)
  const outermost = [...around].at(-2)
  return outermost === undefined ? undefined : steps.flatMap(({ accesses }) => accesses).find((access) => access.within === outermost)?.call
}

/** Who had given up before what he waited for was given to him. */
export interface GivenUp {
  readonly name: string
  /** By the timer that fired then; or by another one who rejected that, as it was aborted. */
  readonly by: { readonly timer: number } | { readonly rejecter: number }
  /** What came too late. */
  readonly late: Access
}

/** Of a step that has come too late to settle what somebody waited for. */
export function givenUpIn(step: number, recording: InputRecording, accesses: readonly Access[]): GivenUp | undefined {
  return givenInVain(recording, accesses).find(({ late }) => late.step === step)
}

/** All who have given up before, with what came too late for them, the last one first. */
export function givenInVain(recording: InputRecording, accesses: readonly Access[]): GivenUp[] {
  return accesses.toReversed().flatMap((late): GivenUp[] => {
    if (!isTooLate(late) || late.as !== 'fulfilled') return []
    const rejected = accesses.find((access) => access.index < late.index && access.location === late.location && isRejection(access))
    const timedOut = rejected && timedOutBy(rejected, recording, accesses)
    if (timedOut) return [{ name: timedOut.name, by: { timer: timedOut.timer }, late }]
    const waiter = rejected && waiterFor(rejected, recording)
    return waiter === undefined || waiter === rejected!.process ? [] : [{ name: recording.names[waiter]!, by: { rejecter: rejected!.process }, late }]
  })
}

/** Who goes on with the rejection. */
const waiterFor = ({ step, location }: Access, { steps }: InputRecording): number | undefined =>
  steps.find(({ accesses: own }, at) => at > step && own.some((access) => access.kind === 'wait' && access.location === location))?.process

/** The timer in whose step this rejects what somebody waits for. */
export const endedByTimer = (access: Access, recording: InputRecording, accesses: readonly Access[]): number | undefined => (isRejection(access) ? timedOutBy(access, recording, accesses)?.timer : undefined)

/** Whose wait was ended by a timer lets in another one, who waits for that. */
export interface LetIn {
  readonly timer: number
  /** The timer's rejection, */
  readonly rejected: Access
  /** and what was fulfilled by whoever went on with that, */
  readonly released: Access
  /** for this one. */
  readonly next: number
}

export function letInByTimedOut(recording: InputRecording, accesses: readonly Access[]): LetIn | undefined {
  for (const rejected of accesses.filter(isRejection)) {
    const timedOut = timedOutBy(rejected, recording, accesses)
    if (!timedOut) continue
    const { process } = timedOut.waiter
    const goesOn = recording.steps.findIndex(({ accesses: own, process: whose }, at) => at > rejected.step && whose === process && own.some(({ kind }) => kind === 'wait'))
    for (const released of accesses.filter((access) => access.step === goesOn && access.process === process && access.kind === 'settle' && access.as === 'fulfilled' && access.within !== undefined)) {
      const next = recording.steps.find(({ accesses: own }, at) => at > goesOn && own.some(({ kind, location }) => kind === 'wait' && location === released.location))
      if (next && next.process !== process) return { timer: timedOut.timer, rejected, released, next: next.process }
    }
  }
  return undefined
}

/** The execution up to a step. */
export const accessesBefore = (step: number, accesses: readonly Access[]): Access[] => accesses.filter((access) => access.step < step)
