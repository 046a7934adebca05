import type { Events } from '../execution/execution.ts'

/**
 * What is an event, besides timers and answers of real I/O, in one exploration. The plain run has no stand-ins for I/O: there they
 * go on as the platform has it. Where it has met one, it is one run of many, and the exploration starts anew after it.
 */
export class EventOptions {
  readonly #isIo: (file: string) => boolean
  readonly #files = new Map<string, boolean>()
  readonly #standIns = new Set<string>()
  /** Something in the plain run would have stood for I/O. */
  hasMissed = false

  constructor(isIo: (file: string) => boolean) {
    this.#isIo = isIo
  }

  of({ isPlain }: { readonly isPlain: boolean }): Events {
    return {
      isIo: (file) => this.#isIoFile(file),
      hasStandIns: (name) => {
        this.#standIns.add(name)
        this.hasMissed ||= isPlain
        return !isPlain
      },
    }
  }

  /** What stood for I/O, by name. */
  get standIns(): readonly string[] {
    return [...this.#standIns]
  }

  #isIoFile(file: string): boolean {
    let isIo = this.#files.get(file)
    if (isIo === undefined) this.#files.set(file, (isIo = this.#isIo(file)))
    return isIo
  }
}
