import type { Execution } from '../execution/execution.ts'
import type { Reserved } from '../execution/jobs.ts'
import type { Place } from '../execution/place.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { running } from '../execution/running.ts'

/** Jobs after which nothing is expected of a call any more. */
const mostJobs = 16
/** Calls of one step that are followed. */
const mostCalls = 64

/**
 * A call of code that is not instrumented, or of the platform, may settle a promise that a step before has waited for, by itself or by jobs. The runtime hears of
 * that a job later. So a place in the queue is kept in front of each such call, and in each job after it: jobs run in the order in which they were queued, so the
 * place whose job has run last stands where the promise was settled, and what waits for it belongs there in a plain run.
 */
class PlatformJobs {
  readonly #execution: Execution
  #step = 0
  #calls = 0
  #last: Reserved | undefined

  constructor(execution: Execution) {
    this.#execution = execution
  }

  begin(): void {
    const { stepCount } = this.#execution
    if (this.#step !== stepCount) {
      this.#step = stepCount
      this.#calls = 0
      this.#last = undefined
    }
    if (this.#calls++ < mostCalls) this.#follow(stepCount, 0)
  }

  #follow(step: number, jobs: number): void {
    const execution = this.#execution
    const place = execution.reservePlace()
    execution.jobs.later(() => {
      if (running !== execution || execution.stepCount !== step) return
      this.#last = place
      if (jobs < mostJobs && execution.foreign.isWatching) this.#follow(step, jobs + 1)
    })
  }

  /** Where what the running job tells of was settled, as far as that is known. */
  get last(): Reserved | undefined {
    return this.#execution.stepCount === this.#step ? this.#last : undefined
  }
}

const all = new PerExecution((execution) => new PlatformJobs(execution))

/** Code is called that may settle what others wait for. */
export function followCall(execution: Execution): void {
  if (execution.foreign.isWatching && !execution.events) all.of(execution).begin()
}

/** Where the jobs stand that a promise takes for itself before anything can settle it. */
interface OwnJobs {
  readonly execution: Execution
  first?: Place | undefined
  last?: Place | undefined
}

const ownJobs = new WeakMap<object, OwnJobs>()

/** The running step has called a function of the platform that is async and returns another promise: its own is settled two jobs later at the earliest. */
export function takesJobs(execution: Execution, promise: object): void {
  if (execution.events) return
  const known: OwnJobs = { execution }
  ownJobs.set(promise, known)
  const { jobs } = execution
  jobs.later(() => {
    known.first = jobs.place
    jobs.later(() => (known.last = jobs.place))
  })
}

/** The job that settles such a promise, where what it returns was settled before a plain run had come to ask for that. */
export function placeOfLastJob(execution: Execution, promise: object): Place | undefined {
  const known = ownJobs.get(promise)
  return known?.execution === execution && known.first?.isReached === false ? known.last : undefined
}

/** Where the promise was settled of which the running job tells, if a call of the running step has done so. */
export const placeOfSettling = (execution: Execution): Reserved | undefined => all.known(execution)?.last
