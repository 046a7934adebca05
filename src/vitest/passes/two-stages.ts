import { nativeSetTimeout, type Stages } from '../../runtime/index.ts'

/** Real milliseconds for what goes on without a stage. */
const patience = 1000

type Work = (...args: any[]) => unknown

interface Begun {
  readonly parts: TwoStages
  readonly done: Promise<unknown>
  /** What it has handed over in its middle, unless it has ended before. */
  readonly reached: { readonly value: unknown } | undefined
}

/** Begins in a stage of its own, which is over once the middle is reached. @throws what `work` throws before */
export async function beginAlone(test: { readonly stages: Stages | undefined; alone(name: string, work: Work): Promise<unknown> }, name: string, work: (wait: Work) => unknown): Promise<Begun> {
  let parts!: TwoStages
  let done!: Promise<unknown>
  let reached: Begun['reached']
  await test.alone(name, () => {
    parts = new TwoStages(test.stages!, name)
    return new Promise<void>((isReached, failed) => {
      done = parts.begin(work, (value) => {
        reached = { value }
        isReached()
      })
      done.then(() => isReached(), failed)
    })
  })
  return { parts, done, reached }
}

/**
 * Code that waits in its middle until all else is over, as a fixture does that is in use: what stands before that wait is part of the
 * stage that calls it, and what comes after it is a stage of its own.
 */
export class TwoStages {
  readonly #stages: Stages
  readonly #name: string
  readonly #resumed: Promise<unknown>
  #resume!: (value: unknown) => void
  #refuse!: (error: unknown) => void
  #done: Promise<unknown> | undefined
  #giveUp!: (error: unknown) => void
  /** Nobody waits for it any more. */
  readonly #givenUp: Promise<never>

  /** To be made in the first stage. */
  constructor(stages: Stages, name: string) {
    this.#stages = stages
    this.#name = name
    this.#resumed = new Promise((resume, refuse) => {
      this.#resume = resume
      this.#refuse = refuse
    })
    this.#givenUp = new Promise((_, giveUp) => {
      this.#giveUp = giveUp
    })
  }

  /** Begins; `wait` is called where it waits. Returns what it ends with. */
  begin(work: (wait: Work) => unknown, reached: Work): Promise<unknown> {
    const wait = (...args: unknown[]): Promise<unknown> => {
      // The text by which functions are known whose code tells what it does.
      '__dpor'
      reached(...args)
      return this.#resumed
    }
    this.#done = Promise.resolve(work(wait))
    return Promise.race([this.#done, this.#givenUp])
  }

  /** All else is over. */
  async end(failure?: { readonly error: unknown }): Promise<void> {
    const goOn = (): void => (failure ? this.#refuse(failure.error) : this.#resume(undefined))
    try {
      await this.#stages.alone(this.#name, () => {
        goOn()
        return this.#done
      })
    } catch (error) {
      // Where there is no stage any more it goes on by itself, if it can.
      goOn()
      nativeSetTimeout(() => this.#giveUp(error), patience)
    }
  }
}
