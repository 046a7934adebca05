import { running } from './execution.ts'
import { isThenable } from './native.ts'
import type { AsyncCallLike, Continuation, Process } from './process.ts'
import { recordOf, type PromiseRecord } from './promise-record.ts'

/** The first step of a body or a task, and how it ended. */
export class Start implements Continuation {
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
    execution.call = null
    try {
      const result = this.#body()
      if (!isThenable(result)) {
        this.#end(result, { failed: false })
        return
      }
      const record = recordOf(execution, result, 0)
      this.#result = record
      record.handle(0)
      record.subscribe(() => this.#end(record.value, { failed: record.state === 'rejected' }))
    } catch (error) {
      this.#end(error, { failed: true })
    }
  }

  delegate(): AsyncCallLike | undefined {
    const owner = this.#result?.owner
    return owner?.isSuspended ? owner : undefined
  }

  #end(value: unknown, { failed }: { failed: boolean }): void {
    this.isDone = true
    this.hasFailed = failed
    this.value = value
  }
}
