import type { AtEnd } from '../../runtime/index.ts'
import { expect } from 'vitest'
import { stateOf } from '../assertion-state.ts'
import { waitForLeft } from '../left-assertions.ts'
import type { Handler, RunnerTest } from './runner-test.ts'
import { TimeLimit } from './time-limit.ts'

/** What a handler was that runs in a stage of its own. */
const originals = new WeakMap<Handler, Handler>()

export const isStaged = (handler: Handler): boolean => originals.has(handler)

/** A handler that runs in a stage of its own. */
export function staged(handler: Handler, run: Handler): Handler {
  originals.set(run, handler)
  return run
}

const originalOf = (handler: Handler): Handler => originals.get(handler) ?? handler

/**
 * What Vitest calls after a test that has passed: hooks, then what the body has asked for. It begins in the step in which the body ends, so that nothing which that has left comes before. What
 * has not run to its end there, as the execution was given up, Vitest calls itself.
 */
export class HooksAtEnd {
  readonly #test: RunnerTest
  readonly #hooksAfter: (test: RunnerTest) => readonly Handler[]
  readonly #over = new Set<Handler>()
  /** Of those that have begun and are not over. */
  readonly #limits = new Map<Handler, TimeLimit>()
  /** Something comes between hooks and what the body has asked for: what hooks before the test have returned, fixtures. */
  hasCleanUps = false

  constructor(test: RunnerTest, hooksAfter: (test: RunnerTest) => readonly Handler[]) {
    this.#test = test
    this.#hooksAfter = hooksAfter
  }

  passBegins(): void {
    this.passEnds()
    this.#over.clear()
    this.hasCleanUps = false
  }

  /** What has begun is left. */
  passEnds(): void {
    for (const limit of this.#limits.values()) limit.end()
    this.#limits.clear()
  }

  /** In this pass. */
  haveRun(hook: Handler): boolean {
    return this.#over.has(hook)
  }

  take(part: Parameters<AtEnd>[0]): readonly (() => unknown)[] {
    const test = this.#test
    if (test.result?.state === 'fail') return []
    const wait = waitForLeft(test)
    // Vitest does so first, and calls the hooks itself.
    if (wait) return [wait]
    if (part === 'left by the body') return []
    const { context, suite, file } = test
    const hooks = this.#hooksAfter(test).map((hook) => ({ hook, run: () => hook(context, suite ?? file) }))
    const handlers = this.hasCleanUps ? [] : (test.onFinished ?? []).toReversed()
    return this.#works([...hooks, ...handlers.map((handler) => ({ hook: handler, run: () => originalOf(handler)(context) }))])
  }

  /** What is asserted there does not count. */
  #works(hooks: readonly { readonly hook: Handler; readonly run: () => unknown }[]): readonly (() => unknown)[] {
    if (hooks.length === 0) return []
    const { assertionCalls } = stateOf(expect) as unknown as { readonly assertionCalls: number }
    const works = hooks.map(({ hook, run }) => (): unknown => {
      '__dpor'
      const isOver = (): void => this.#isOver(hook)
      let result: unknown
      try {
        const limit = new TimeLimit()
        this.#limits.set(hook, limit)
        result = limit.of(run)
      } catch (error) {
        isOver()
        throw error
      }
      if (!(result instanceof Promise)) {
        isOver()
        return result
      }
      void result.then(isOver, isOver)
      return result
    })
    return [...works, () => expect.setState({ assertionCalls } as object)]
  }

  #isOver(hook: Handler): void {
    this.#over.add(hook)
    this.#limits.delete(hook)
    const { onFinished } = this.#test
    if (onFinished?.includes(hook)) this.#test.onFinished = onFinished.filter((one) => one !== hook)
  }
}
