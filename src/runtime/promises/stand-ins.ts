import { answerOfMock, answerToIo } from '../events/answers.ts'
import { cellOf } from '../events/promise-cell.ts'
import { unseen } from '../events/promise-hooks.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { hear, NativePromise } from '../execution/native.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { running } from '../execution/running.ts'
import { resolvedWith } from './making.ts'
import { recordOf } from './foreign-promises.ts'
import { knownRecord, PromiseRecord } from './promise-record.ts'
import { follow } from './resolving.ts'

/** What stands for answers of something outside, where every `await` is a step. */
const answers = new PerExecution(() => new WeakSet<object>())

/** Whether this may take any time. */
export const isAnswer = (execution: Execution, promise: object): boolean => answers.known(execution)?.has(promise) === true

/**
 * Says that what is waited for stands for an answer of something outside: a request, a file, a person. It may take any time, so what
 * happens at its end is explored in every order with other such answers. Outside an exploration it is `Promise.resolve(value)`, and with
 * `interleave: 'await'`, where every `await` may take any time, a race may be decided by what else takes part in it as well.
 */
export function io<T>(value: T): Promise<Awaited<T>> {
  // The text by which functions are known whose code tells what it does.
  '__dpor'
  const execution = running
  if (execution === null) return NativePromise.resolve(value) as Promise<Awaited<T>>
  if (execution.events) return answerToIo(execution, value, NativePromise.resolve(value)) as Promise<Awaited<T>>
  const site = execution.call?.site ?? 0
  const resolved = resolvedWith(execution, NativePromise, value, site) as Promise<Awaited<T>>
  const promise = resolved === (value as unknown) ? answerAfter(recordOf(execution, resolved, site), site) : resolved
  isAnswerOf(execution, promise)
  return promise as Promise<Awaited<T>>
}

/** The answer to what has waited for that promise: it may come after all that waits for the promise itself, or before it. */
function answerAfter(source: PromiseRecord, site: SiteId): Promise<unknown> {
  // Its outcome is on its way: what waits for it stands in the queue already.
  if (source.isEnding) return source.promise
  const answer = new PromiseRecord(source.execution, site)
  follow(answer, source, site)
  source.whenSettled(() => answer.settleLike(source))
  return answer.promise
}

function isAnswerOf(execution: Execution, promise: object): void {
  answers.of(execution).add(promise)
  knownRecord(execution, promise)?.standsForAnswer()
}

/** What a mock returns: it stands for an answer of something outside. @param isHeard the mock waits for it itself, so that a rejection which nobody else handles is none that the platform would tell of */
export function answeredByMock(execution: Execution, promise: object, { site, isHeard }: { readonly site: SiteId; readonly isHeard: boolean }): unknown {
  execution.line?.mockReturns(promise)
  if (execution.events) {
    const answer = answerOfMock(execution, promise, site)
    if (isHeard && answer !== promise) mockHears(execution, answer as Promise<unknown>)
    return answer
  }
  if (isHeard) knownRecord(execution, promise)?.heardByMock()
  isAnswerOf(execution, promise)
  return promise
}

/** The platform takes its rejection for handled. Without the mock it would not be, where the program handles it later than in the event that has brought it. */
function mockHears(execution: Execution, answer: Promise<unknown>): void {
  let rejected: { readonly value: unknown; readonly step: number } | undefined
  let isAsked = false
  unseen(() => hear(answer, undefined, (value) => (rejected = { value, step: execution.stepCount })))
  cellOf(execution, answer)?.whenAsked(() => {
    if (rejected && !isAsked && running === execution && rejected.step !== execution.stepCount) execution.unhandled.push({ handled: false, value: rejected.value })
    isAsked = true
  })
}
