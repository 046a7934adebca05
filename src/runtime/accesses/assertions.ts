import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isMock, lookAtMock } from './mocks.ts'
import { readDeep } from './whole.ts'

/** An assertion looks at all of what it is given. */
export function lookAtArguments(execution: Execution, args: readonly unknown[], site: SiteId): void {
  for (const arg of args) {
    if (isMock(arg)) lookAtMock(execution, arg, site)
    else readDeep(execution, arg, site)
  }
}
