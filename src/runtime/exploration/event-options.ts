import type { Events, IoPart } from '../execution/execution.ts'
import type { SourcePlace } from '../execution/sources.ts'

/** What stands for I/O at this place, besides mocks. */
export type IoAt = (place: SourcePlace) => IoPart

/**
 * What is an event, besides timers and answers of real I/O, in one exploration. The plain run has no stand-ins for I/O: there they
 * go on as the platform has it. Where it has met one, it is one run of many, and the exploration starts anew after it.
 */
export class EventOptions {
  readonly #io: IoAt
  readonly #standIns = new Set<string>()
  readonly #kinds = new Set<string>()
  readonly #fakes = new Set<string>()
  /** Of a schedule that is run again by itself there is none before it. */
  #hasPlainRun = false
  /** Something in the plain run would have stood for I/O. */
  hasMissed = false

  constructor(io: IoAt) {
    this.#io = io
  }

  of({ isPlain }: { readonly isPlain: boolean }): Events {
    this.#hasPlainRun ||= isPlain
    return {
      io: this.#io,
      areLaterThanUsers: !isPlain && (this.hasMissed || !this.#hasPlainRun),
      hasStandIns: (name) => {
        this.#standIns.add(name)
        this.hasMissed ||= isPlain
        return !isPlain
      },
      meets: (kind) => void this.#kinds.add(kind),
      answersAtOnce: (name) => void this.#fakes.add(name),
    }
  }

  /** Kinds of real I/O. */
  get realIo(): readonly string[] {
    return [...this.#kinds]
  }

  /** Async functions of the test file that others call, and that answer at once, by name. */
  get fakes(): readonly string[] {
    return [...this.#fakes]
  }

  /** What stood for I/O, by name. */
  get standIns(): readonly string[] {
    return [...this.#standIns]
  }
}
