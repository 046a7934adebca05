import type { Staged, Stages } from '../runtime/index.ts'

interface Pass {
  readonly end: (errors: readonly unknown[]) => void
  readonly giveUp: (reason: unknown) => void
}

/**
 * Joins an exploration, which asks for one execution after the other, and a test runner, whose own loop runs a test again as long as it
 * is told to: a pass of the loop is an execution. Either waits for the other.
 */
export class Passes implements Staged {
  /** Of the pass that is under way. */
  stages: Stages | undefined
  #pass: Pass | undefined
  #isOver = false
  #tell: ((isAsked: boolean) => void) | undefined

  /** The exploration asks for a pass. */
  run(stages: Stages): Promise<readonly unknown[]> {
    this.stages = stages
    return new Promise((end, giveUp) => {
      this.#pass = { end, giveUp }
      this.#tell?.(true)
    })
  }

  /** The exploration has ended. */
  over(): void {
    this.#isOver = true
    this.#tell?.(false)
  }

  /** The runner waits until it knows whether one more pass is asked for. */
  asked(): Promise<boolean> {
    if (this.#pass) return Promise.resolve(true)
    if (this.#isOver) return Promise.resolve(false)
    return new Promise((resolve) => {
      this.#tell = (isAsked) => {
        this.#tell = undefined
        resolve(isAsked)
      }
    })
  }

  /** The runner's pass is over, with these errors; tells whether one more is asked for. */
  ended(errors: readonly unknown[]): Promise<boolean> {
    this.#take().end(errors)
    return this.asked()
  }

  /** The runner's pass is over, and there is to be no other. */
  giveUp(reason: unknown): Promise<boolean> {
    this.#take().giveUp(reason)
    return this.asked()
  }

  /** No pass is asked for any more, and the one that is under way does not end. */
  abandon(reason: unknown): void {
    if (this.#pass) this.#take().giveUp(reason)
  }

  #take(): Pass {
    const pass = this.#pass!
    this.#pass = undefined
    this.stages = undefined
    return pass
  }
}
