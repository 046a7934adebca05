import type { ExecutionEnd, ExecutionHooks } from '../runtime/index.ts'
import { ConsoleOutput } from '../testing/console-output.ts'

/** What is around the executions of a body: what it prints is shown once. */
export class Surroundings implements ExecutionHooks {
  #console: ConsoleOutput | undefined

  begin(): void {
    this.#console = new ConsoleOutput()
  }

  beforeEach(): void {
    this.#console!.begin()
  }

  ended(end: ExecutionEnd, number: () => number): void {
    this.#console!.ended(end, number)
  }

  end(): void {
    this.#console!.end()
  }
}
