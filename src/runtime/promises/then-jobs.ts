import { PerExecution } from '../execution/per-execution.ts'
import type { Rejection } from '../execution/process.ts'
import { tellOf } from './late-rejections.ts'

interface Left {
  /** The step in which it was rejected. */
  readonly step: number
  /** The jobs that were in the queue then. */
  readonly jobs: Set<object>
}

/** A promise that was rejected. */
interface Rejected extends Rejection {
  readonly promise: Promise<unknown>
}

/**
 * Jobs in which the `then` of a thenable is called. However long things take, they come before the platform tells of what nobody has handled: a promise
 * that is rejected while one is in the queue may be what it hears.
 */
class ThenJobs {
  readonly #queued = new Set<object>()
  readonly #left = new Map<Rejected, Left>()
  #running: object | undefined

  /** What a job puts into the queue goes on for it. */
  add(job: object): void {
    this.#queued.add(job)
    for (const { jobs } of this.#left.values()) if (this.#running && jobs.has(this.#running)) jobs.add(job)
  }

  /** Whether it is left to jobs to handle a rejection: nobody else is in time. */
  isLeft(rejected: Rejected, step: number): boolean {
    if (this.#queued.size === 0) return false
    this.#left.set(rejected, { step, jobs: new Set(this.#queued) })
    return true
  }

  run(job: object, call: () => void): void {
    this.#queued.delete(job)
    this.#running = job
    call()
    this.#running = undefined
    for (const [rejected, { jobs }] of this.#left) if (jobs.delete(job) && jobs.size === 0 && !rejected.handled) this.#tell(rejected)
  }

  /** Somebody handles it now. */
  handled(rejected: Rejected, step: number): void {
    const left = this.#left.get(rejected)
    if (left && left.step !== step && !(this.#running && left.jobs.has(this.#running))) this.#tell(rejected)
    this.#left.delete(rejected)
  }

  #tell(rejected: Rejected): void {
    this.#left.delete(rejected)
    tellOf(rejected)
  }
}

export const thenJobs = new PerExecution(() => new ThenJobs())
