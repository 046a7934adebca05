import { explore } from 'vitest-dpor'

export interface Outcomes {
  /** What the body returned, in all executions, each once. */
  readonly seen: string[]
  readonly executions: number
  readonly verdict: string
  /** Why it is `inconclusive`. */
  readonly reason?: string
}

/** Explores the body; collects what it returns where nothing is put back between executions. */
export async function outcomes(body: () => Promise<unknown>, options: Parameters<typeof explore>[1] = {}): Promise<Outcomes> {
  const seen = new Set<string>()
  const collected = (): Promise<void> =>
    body().then((value) => {
      seen.add(JSON.stringify(value))
    })
  const { executions, verdict, inconclusiveReason: reason } = await explore(collected, { stopOnFirst: false, ...options })
  return { seen: [...seen].toSorted(), executions, verdict, ...(reason !== undefined && { reason }) }
}

/** What the body returns in the first execution. */
export async function firstOutcome(body: () => Promise<unknown>, options: Parameters<typeof explore>[1]): Promise<unknown> {
  const seen: unknown[] = []
  await explore(() => body().then((value) => void seen.push(value)), options)
  return seen[0]
}

/** The same where a step is an event, and what the body returns by itself. */
export async function besidePlain(body: () => Promise<unknown>): Promise<Outcomes & { readonly plain: string }> {
  const plain = JSON.stringify(await body())
  return { plain, ...(await outcomes(body, { interleave: 'event-loop' })) }
}

/** Does something the n-th time it is called, whichever execution that is in: the body does not know. */
export function onlyOnce(n: number, work: () => void): () => void {
  let count = 0
  return () => {
    if (++count === n) work()
  }
}

/** Stops processes, or lets them go on. */
export function signal(processes: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of processes) process.kill(pid, name)
}

/** Stops processes the n-th time it is called. */
export const stopsOnce = (n: number, processes: readonly number[]): (() => void) => onlyOnce(n, () => signal(processes, 'SIGSTOP'))

/** What is true the n-th time it is called, whichever execution that is in. */
export function counting(n: number): () => boolean {
  let count = 0
  return () => ++count === n
}
