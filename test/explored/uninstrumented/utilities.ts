/** Code that is not instrumented: its promises are awaited, its state is not seen. */

let calls = 0

/** Hidden state that outlives an execution. */
export function countCalls(): number {
  return ++calls
}

export async function delayed<T>(value: T): Promise<T> {
  await Promise.resolve()
  await Promise.resolve()
  return value
}

/** Runs functions at most `limit` at a time. */
export function limiter(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  let active = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (active >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    active++
    try {
      return await task()
    } finally {
      active--
      waiting.shift()?.()
    }
  }
}

export async function mapAll<T, R>(items: readonly T[], mapper: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const item of items) results.push(await mapper(item))
  return results
}
