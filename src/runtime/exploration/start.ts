import { promiseOfWaitedFor } from '../events/thenables.ts'
import { NativePromise, nativeThen } from '../execution/native.ts'
import { asProgram, calledByProgram } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import type { Call, FirstStep, Process } from '../execution/process.ts'
import type { PromiseRecord } from '../promises/promise-record.ts'
import { awaited } from '../promises/resolving.ts'

/** The first step of a body or a task, and how it ended. */
export class Start implements FirstStep {
  readonly name: string
  readonly site = 0
  process: Process | undefined
  isDone = false
  hasFailed = false
  /** What it returned, or what it threw. */
  value: unknown
  readonly #body: () => unknown
  #result: PromiseRecord | undefined

  constructor(name: string, body: () => unknown) {
    this.name = name
    this.#body = body
  }

  resume(): void {
    const execution = running!
    execution.enter(null)
    try {
      const result = asProgram(this.#body)
      if (execution.events) return this.#endLater(promiseOfWaitedFor(execution, result, execution.lastSite) ?? NativePromise.resolve(result))
      const record = awaited(execution, result, 0)
      if (!record) {
        this.#end(result, { failed: false })
        return
      }
      this.#result = record
      record.handle(0)
      record.whenSettled(() => this.#end(record.value, { failed: record.state === 'rejected' }))
    } catch (error) {
      this.#end(error, { failed: true })
    }
  }

  /** The platform tells when the body has ended. */
  #endLater(result: Promise<unknown>): void {
    nativeThen.call(
      result,
      calledByProgram((value) => this.#end(value, { failed: false })),
      calledByProgram((error: unknown) => this.#end(error, { failed: true })),
    )
  }

  delegate(): Call | undefined {
    const owner = this.#result?.owner
    return owner?.isSuspended ? owner : undefined
  }

  #end(value: unknown, { failed }: { failed: boolean }): void {
    this.isDone = true
    running?.startEnded()
    this.hasFailed = failed
    this.value = value
  }
}
