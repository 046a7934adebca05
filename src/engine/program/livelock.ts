import type { Thread } from './operations.ts'

/** Threads that ask again and again for what nobody changes any more. */
export class LivelockError extends Error {
  override readonly name = 'LivelockError'
}

/** Names who asks for what. */
export function livelock(circling: readonly Thread[]): LivelockError {
  const asks = circling.map(({ name, waitsFor }) => {
    const labels = new Set(waitsFor?.map(({ operation }) => operation.label))
    return `'${name}' goes round for ever with ${[...labels].join(', ')}`
  })
  return new LivelockError(`livelock: nothing changes any more that somebody waits for: ${asks.join('; ')}`)
}
