import type { Thread } from './operations.ts'

/** Threads that wait for each other, or for what nobody does. */
export class DeadlockError extends Error {
  override readonly name = 'DeadlockError'
}

/** Names who waits for what. */
export function deadlock(stuck: readonly Thread[]): DeadlockError {
  const waits = stuck.map((thread) => `'${thread.name}' waits for ${thread.pending?.waiting(thread.process).what}`)
  return new DeadlockError(`deadlock: ${waits.join('; ')}`)
}
