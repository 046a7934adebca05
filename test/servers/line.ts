import { valuesOf, type Level, type Script } from './scripts.ts'

/** A connection as a script uses it. */
export interface Session {
  begin(level: Level): Promise<void>
  rollBack(): Promise<void>
  /** Settles once it can be asked again. */
  ask(text: string, values: readonly number[]): Promise<{ readonly text: string; readonly read: number | undefined }>
  codeOf(error: unknown): string | number
  /** Whether its transaction goes on after that. */
  goesOnAfter?(error: unknown): boolean
}

/** A connection that takes the statements of a script one after the other. */
export class Line<Own extends Session = Session> {
  readonly session: Own
  /** What it was answered. */
  readonly log: (string | number)[] = []
  readonly #script: Script
  #next = 0
  #last = 0
  isWaiting = false
  #isFailed = false

  constructor(session: Own, script: Script) {
    this.session = session
    this.#script = script
  }

  get #length(): number {
    return this.#script.steps.length + (this.#script.level ? 1 : 0)
  }

  get isDone(): boolean {
    return this.#next >= this.#length
  }

  async begin(): Promise<void> {
    if (this.#script.level) await this.session.begin(this.#script.level)
  }

  /** Sends its next statement. */
  send(): void {
    const step = this.#script.steps[this.#next] ?? { text: 'commit', values: [] }
    this.isWaiting = true
    this.session.ask(step.text, valuesOf(step, this.#last)).then(
      ({ text, read }) => {
        this.log.push(text)
        this.#last = read ?? this.#last
        this.#next++
        this.isWaiting = false
      },
      (error: unknown) => {
        this.log.push(this.session.codeOf(error))
        this.#next = this.#script.level && !this.session.goesOnAfter?.(error) ? this.#afterFailure() : this.#next + 1
        this.#isFailed = this.isDone
        this.isWaiting = false
      },
    )
  }

  /** What goes back to a savepoint goes on. */
  #afterFailure(): number {
    const next = this.#script.steps.findIndex(({ text }, i) => i > this.#next && text.startsWith('rollback to'))
    return next < 0 ? this.#length : next
  }

  async end(): Promise<void> {
    if (this.#isFailed && this.#script.level) await this.session.rollBack()
    this.#isFailed = false
  }
}
