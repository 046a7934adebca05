import { ProgramError } from '../errors.ts'
import { Operation, Thread, type Run, type ThreadBody, type Waiting } from './operations.ts'

/** `spawn`. */
export class Spawn extends Operation<Thread> {
  readonly #name: string
  readonly #body: ThreadBody

  constructor(run: Run, name: string, body: ThreadBody) {
    super(run)
    this.#name = name
    this.#body = body
  }

  override get label(): string {
    return `spawn('${this.#name}', ...)`
  }

  protected override take(): Thread {
    return this.run.start(this.#name, this.#body, this.run.current)
  }
}

/** `join`. */
export class Join extends Operation<void> {
  readonly #thread: Thread

  constructor(run: Run, thread: Thread) {
    super(run)
    this.#thread = thread
    if (!(thread instanceof Thread) || thread.run !== run) {
      throw new ProgramError('join was given something that is no thread of this execution')
    }
  }

  override get label(): string {
    return `join(${this.#thread.name})`
  }

  override get enabled(): boolean {
    return this.#thread.ended
  }

  override waiting(): Waiting {
    return { what: `the end of '${this.#thread.name}'`, step: undefined }
  }

  protected override take(): void {
    this.run.search.join(this.#thread.process)
  }
}
