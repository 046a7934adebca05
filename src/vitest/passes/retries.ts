import { nativeSetTimeout } from '../../runtime/index.ts'

/** What Vitest is told by the option `retry` of a test. */
interface Retry {
  readonly count?: number
  readonly delay?: number
  readonly condition?: RegExp | ((error: Error) => boolean)
}

const asRetry = (retry: unknown): Retry => (typeof retry === 'object' && retry !== null ? retry : { count: Number(retry ?? 0) })

/** Whether a test that has failed is tried once more. @param tried how often it was before */
export function isTriedAgain(retry: unknown, error: Error, tried: number): boolean {
  const { count = 0, condition } = asRetry(retry)
  if (tried >= count) return false
  if (condition === undefined) return true
  return condition instanceof RegExp ? condition.test(error.message) : condition(error)
}

/** It is tried not before that. */
export async function delayOf(retry: unknown): Promise<void> {
  const { delay = 0 } = asRetry(retry)
  if (delay > 0) await new Promise((done) => nativeSetTimeout(done, delay))
}
