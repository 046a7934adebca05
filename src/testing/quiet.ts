import type { ExecutionHooks } from '../runtime/index.ts'

/** Nobody is to hear of what these executions print. */
export function quiet(given: ExecutionHooks): ExecutionHooks {
  return {
    begin: () => given.begin(),
    beforeEach: () => given.beforeEach(),
    afterEach: () => given.afterEach?.(),
    atEnd: (part) => given.atEnd?.(part) ?? [],
    cleanUps: (end) => given.cleanUps?.(end) ?? [],
    ended: () => {},
    end: (last) => given.end(last),
  }
}
