import { dporTest } from 'vitest-dpor'

/** A use of a library that has a race, and the same put right. */
export function race(name: string, body: (use: { isRight: boolean }) => () => Promise<void>): void {
  dporTest(`${name}, with a race`, { timeout: 30_000 }, body({ isRight: false }))
  dporTest(`${name}, without`, { timeout: 30_000 }, body({ isRight: true }))
}
