import { fakeClock } from '../runtime/index.ts'

/** Functions of `jest`, as far as they are used here. */
export interface JestTimers {
  useRealTimers(): void
  useFakeTimers(config: { readonly now: number; readonly doNotFake: readonly string[] }): void
}

/** All that Jest fakes. */
const faked = [
  'Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'requestAnimationFrame', 'cancelAnimationFrame', 'requestIdleCallback', 'cancelIdleCallback',
  'setImmediate', 'clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout',
]

/** The fake timers around an explored body, if there are any. Each execution finds them as the first one did. */
export class MockedTime {
  readonly #jest: JestTimers
  #clock = fakeClock()

  constructor(jest: JestTimers) {
    this.#jest = jest
  }

  /** What the clock shows the runtime puts back; but the body may have put another in its place, or none. */
  restore(): void {
    const before = this.#clock
    if (!before) return this.#jest.useRealTimers()
    if (fakeClock()?.clock === before.clock) return
    this.#jest.useFakeTimers({ now: before.now, doNotFake: faked.filter((name) => !before.methods.includes(name)) })
    before.handOn()
    this.#clock = fakeClock()
  }
}
