/** What `bind` made a function of. */
export interface Bound {
  readonly target: (...args: unknown[]) => unknown
  readonly receiver: unknown
  readonly args: readonly unknown[]
}

const known = new WeakMap<object, Bound>()

export function rememberBound(fn: object, bound: Bound): void {
  known.set(fn, bound)
}

/** What a bound function was made of, where instrumented code made it. */
export function boundOf(fn: unknown): Bound | undefined {
  return typeof fn === 'function' ? known.get(fn) : undefined
}
