import { estimateText } from '../testing/estimate-text.ts'
import { plural } from '../testing/verdict-lines.ts'
import type { Progress } from './progress.ts'

/** An exploration that goes on, for people: `1200 executions so far, 600 a second, about 4200 in all (1900 to 9200), 5 s left`. */
export function progressText({ executions, blocked, milliseconds, ...guess }: Progress): string {
  const all = executions + blocked
  const parts = [`${plural(executions, 'execution')} so far`, `${Math.round((all / milliseconds) * 1000)} a second`]
  const estimate = estimateText(guess)
  if (estimate !== undefined && executions > 0) parts.push(estimate, `${timeText((milliseconds / executions) * (guess.estimate - executions))} left`)
  return parts.join(', ')
}

/** To one or two digits: it is a guess. */
function timeText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : hours < 24 * 730 ? `${Math.round(hours / 24)} days` : 'years'
}
