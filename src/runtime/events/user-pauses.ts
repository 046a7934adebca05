import type { Execution } from '../execution/execution.ts'
import { placeOf } from '../execution/sources.ts'
import { lengthOf, type TimerRequest } from '../execution/timer.ts'

const libraries = '/@testing-library/'
const library = `${libraries}user-event/`

/**
 * Whether the timer that is set stands for the time that a user takes between two keys, or two movements, of one call of `@testing-library/user-event`: answers
 * may come later than what is done next. So do timers of no length that are set by what the user does, before which no later one fires. The timer at the end of a
 * call is one of the test's own: what is under way has come by then.
 */
export function isPauseOfUser({ accesses, call, clock, events, process }: Execution, request: TimerRequest): boolean {
  if (!events?.areLaterThanUsers || !call || !accesses.isExploring || clock.races || request.repeats || lengthOf(request) > 1) return false
  const waiting = placeOf(call.site)?.file ?? ''
  const isUsers = waiting.includes(library) && !waiting.includes('/setup/')
  if (process.isUsers) return isUsers || !waiting.includes(libraries)
  return isUsers && /\/user-event\/.*\/wait\.c?js$/.test(placeOf(accesses.lastSite)?.file ?? '')
}
