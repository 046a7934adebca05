import { Object } from '../intrinsics.ts'
import { Operation, currentThread, isThenable, type Run, type Waiting } from './operations.ts'
import type { Signal } from './signal.ts'

/** `after`: the step is enabled once this signal is raised. */
export type Atomic = <T>(body: () => T, options?: { readonly after?: Signal }) => Operation<T>

/** One step over several variables. */
export class AtomicStep<T> extends Operation<T> {
  readonly #body: () => T
  readonly #after: Signal | undefined

  constructor(run: Run, body: () => T, after: Signal | undefined) {
    super(run)
    this.#body = body
    this.#after = after
  }

  override get label(): string {
    return 'atomic(...)'
  }

  override get fixed(): boolean {
    return false
  }

  override get enabled(): boolean {
    return this.#after === undefined || this.#after.isRaised
  }

  override waiting(): Waiting {
    return { what: `signal ${this.#after?.name}`, step: undefined }
  }

  protected override take(): T {
    if (this.#after !== undefined) this.run.search.wait(this.#after.location)
    this.run.inAtomic = true
    try {
      const result = this.#body()
      if (typeof result === 'object' && (isThenable(result) || isGenerator(result))) {
        this.run.refuse(`the body of atomic in ${currentThread(this.run)} must be a plain function: async functions and generators do not run in one step`)
      }
      return result
    } finally {
      this.run.inAtomic = false
    }
  }
}

export function checkAtomic(run: Run, call: string): void {
  if (!run.inAtomic) run.refuse(`${call} was called outside atomic: use the yield* operations there`)
}

function isGenerator(value: unknown): boolean {
  const tag = Object.prototype.toString.call(value)
  return tag === '[object Generator]' || tag === '[object AsyncGenerator]'
}
