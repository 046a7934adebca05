import type { Staged } from './staged.ts'

/** A test body: it starts concurrent calls itself. */
export type Body = () => unknown

/** Concurrent tasks over a state that `setup` makes. */
export interface Tasks<S = any> {
  /** Runs alone, before; what it returns is given to every task. */
  readonly setup?: (() => S | Promise<S>) | undefined
  /** Run concurrently. The first step of each is scheduled like any other. */
  readonly tasks: readonly ((state: S) => unknown)[] | Readonly<Record<string, (state: S) => unknown>>
  /** Runs alone, after all tasks have ended. Fails by returning `false` or by throwing. */
  readonly invariant?: ((state: S, results: unknown[]) => unknown) | undefined
}

/** What can be explored. */
export type Subject<S = any> = Body | Tasks<S> | Staged
