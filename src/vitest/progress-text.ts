import { plural } from '../testing/verdict-lines.ts'
import type { Progress } from './progress.ts'

/** A guess that is not as many times what was found says nothing. */
const telling = 1.2

/** An exploration that goes on, for people: `1200 executions so far, 600 a second, about 4000 in all, 5 s left`. */
export function progressText({ executions, blocked, estimate, milliseconds }: Progress): string {
  const all = executions + blocked
  const parts = [`${plural(executions, 'execution')} so far`, `${Math.round((all / milliseconds) * 1000)} a second`]
  // A guess that has nearly been passed grows with what is found.
  if (Number.isFinite(estimate) && estimate > executions * telling && executions > 0) {
    const left = (milliseconds / executions) * (estimate - executions)
    parts.push(`about ${Math.round(estimate)} in all`, `${timeText(left)} left`)
  }
  return parts.join(', ')
}

function timeText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
