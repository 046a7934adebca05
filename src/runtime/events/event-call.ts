import type { SiteId } from '../../engine/ids.ts'
import { isPromise } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { hear, NativePromise } from '../execution/native.ts'
import type { Loop } from '../execution/loops.ts'
import type { Call, Process } from '../execution/process.ts'
import { running } from '../execution/running.ts'
import { answerOfFake, answerTo } from './answers.ts'
import { gatedIfReal } from './from-outside.ts'
import { cellOf, asksNothingOfProgram, tellsOfItsClass, type PromiseCell } from './promise-cell.ts'
import { expectAwait, unseen } from './promise-hooks.ts'
import { asAwaitedBy, asWaitedFor, promiseOfWaitedFor } from './thenables.ts'
import { waitsFor } from './waiting-for-older.ts'

/**
 * One call of an instrumented async function where a step is an event: the platform runs it, and this says whose code runs. It
 * has a process of its own from its first answer on.
 */
export class EventCall implements Call {
  readonly name: string
  readonly caller: Call | undefined
  process: Process | undefined
  loop: Loop | undefined
  awaitedBy: Call | undefined
  site: SiteId
  isSuspended = false
  /** It has awaited something. */
  hasSuspended = false
  endsWith: object | undefined
  #waits: object | undefined
  readonly #execution: Execution

  constructor(execution: Execution, name: string, site: SiteId) {
    this.#execution = execution
    this.name = name
    this.site = site
    this.caller = execution.call ?? undefined
    execution.accesses.loop?.own.add(this)
    execution.recorder?.began(this)
    // What an event calls itself goes on as that event's line of control.
    if (this.caller === undefined && execution.isEventsOwnCode) {
      this.process = execution.process
      execution.isEventsOwnCode = false
    }
  }

  suspend(promise: object, site: SiteId): void {
    this.site = site
    this.isSuspended = true
    this.hasSuspended = true
    this.#waits = promise
    const { awaits } = this
    if (awaits instanceof EventCall) awaits.awaitedBy = this
    const { loop } = this.#execution.accesses
    const cell = loop && cellOf(this.#execution, promise)
    this.#execution.suspend(this, { others: loop !== undefined && !cell?.isSettled && !loop.isOwn(cell?.object) })
  }

  resume(): void {
    this.isSuspended = false
    this.#waits = undefined
    this.#execution.resumed(this)
  }

  takesOver({ process, awaitedBy }: Call): void {
    this.process ??= process
    this.awaitedBy ??= awaitedBy
  }

  get awaits(): Call | undefined {
    return this.#waitsFor?.owner
  }

  get awaitsParts(): readonly Call[] {
    return (this.#waitsFor?.parts ?? []).flatMap((part) => cellOf(this.#execution, part)?.owner ?? [])
  }

  get leftTo(): Call | undefined {
    const call = this.#waitsFor?.leftTo
    return call?.isSuspended ? call : undefined
  }

  blockers(): readonly Call[] {
    return this.#waitsFor?.blockers() ?? []
  }

  get #waitsFor(): PromiseCell | undefined {
    return this.#waits && cellOf(this.#execution, this.#waits)
  }

  delegate(): Call | undefined {
    const { awaits } = this
    return awaits?.isSuspended ? awaits : undefined
  }
}

/** `async function`: the platform runs it as it is. */
export function runInEvent<T>(execution: Execution, body: () => Promise<T>, name: string, site: SiteId): Promise<T> {
  const callers = [execution.call?.site ?? 0, execution.lastSite]
  const isOfMock = execution.isInMock
  execution.isInMock = false
  const call = new EventCall(execution, name, site)
  const isTest = call.caller === undefined && execution.line?.begins() === true
  const result = execution.within(call, body)
  if (isTest) execution.line!.returned(result)
  const cell = cellOf(execution, result)
  if (cell) {
    cell.owner = call
    cell.site = site
    cell.heardByCaller()
  }
  // The mock's own answer stands for that of what it calls.
  return call.hasSuspended || isOfMock ? result : answerOfFake(execution, result, { name, site, callers })
}

/** `return e`: the platform passes on what a promise comes to. Gives what is to be returned. */
export function returnedInEvent(execution: Execution, value: unknown): unknown {
  if (execution.call === null) return value
  if (!isPromise(value as object)) return asWaitedFor(execution, value, execution.call.site)
  if (asksNothingOfProgram(value)) (execution.call as EventCall).endsWith = value
  return value
}

/** What is never settled. */
export function never(): Promise<never> {
  return new NativePromise<never>(() => {})
}

/** `await`: of what is returned here, which the platform waits for as it would have for the value. */
export function suspendInEvent(execution: Execution, value: unknown, site: SiteId): unknown {
  execution.line?.calls({ isInCall: execution.call !== null })
  const call = (execution.call as EventCall | null) ?? new EventCall(execution, 'continuation', site)
  call.site = site
  const promise = execution.isCut ? never() : (answerTo(execution, value, site) ?? promiseOfWaitedFor(execution, value, site) ?? (isPromiseWithClass(value) ? value : gatedIfReal(execution, NativePromise.resolve(asAwaitedBy(call, execution, value)), { site })))
  execution.line?.awaits(promise as object)
  waitsFor(execution, promise)
  call.suspend(promise, site)
  expectAwait(promise, call)
  return promise
}

function isPromiseWithClass(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && isPromise(value) && tellsOfItsClass(value)
}

/** The same for what is told of each value, before whoever waits for it goes on. */
export function suspendAndTell(execution: Execution, value: unknown, site: SiteId, told: (value: unknown) => void): unknown {
  const promise = suspendInEvent(execution, value, site) as Promise<unknown>
  const tell = (settled: unknown): void => {
    if (running === execution) told(settled)
  }
  unseen(() => hear(promise, tell, () => {}))
  return promise
}

