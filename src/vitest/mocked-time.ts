import { vi } from 'vitest'
import { fakeClock } from '../runtime/index.ts'

/** The time that Vitest mocks around an explored body. Each execution finds it as the first one did. */
export class MockedTime {
  #clock = fakeClock()
  readonly #isFaked = vi.isFakeTimers()
  /** Of `vi.setSystemTime()` without fake timers. */
  readonly #date = this.#isFaked ? null : vi.getMockedSystemTime()

  restore(): void {
    if (this.#isFaked) this.#restoreClock()
    else this.#restoreDate()
  }

  /** What the clock shows the runtime puts back; but the body may have put another in its place, or none. */
  #restoreClock(): void {
    const before = this.#clock!
    if (vi.isFakeTimers() && fakeClock()?.clock === before.clock) return
    const { now, tickMode } = before
    const shouldAdvanceTime = tickMode?.mode === 'interval'
    vi.useFakeTimers({ toFake: [...before.methods] as never, now, shouldAdvanceTime, ...(shouldAdvanceTime && { advanceTimeDelta: tickMode.delta ?? 20 }) })
    before.handOn()
    this.#clock = fakeClock()
  }

  #restoreDate(): void {
    const mocked = vi.isFakeTimers() ? null : vi.getMockedSystemTime()
    if (!vi.isFakeTimers() && mocked?.getTime() === this.#date?.getTime()) return
    vi.useRealTimers()
    if (this.#date) vi.setSystemTime(this.#date)
  }
}
