import { eventText } from './event-text.ts'
import type { Explanation } from './explanation.ts'
import { laterText } from './headline.ts'
import { few } from './lists.ts'
import { replaysOf } from './replay.ts'
import { capitalised } from './words.ts'

/** What is said of a failure besides its story, in a terminal and on its page. */

export function countsText({ execution, executions, complete, isPlain, plainFails, switches }: Explanation): string {
  const which = `execution ${execution} of ${executions}${complete ? '' : '+'}`
  if (isPlain) return `${which}, the plain order`
  if (plainFails) return `${which}; the plain order fails as well`
  return switches === 0 ? which : `${which}, ${switches} ${switches === 1 ? 'switch' : 'switches'} needed`
}

/** What running its calls one after the other has shown. Of a deadlock the headline says it. */
export function sequentialText({ failing, failureKind, rows }: Explanation): string | undefined {
  if (failing === undefined || rows.length === 0 || failureKind === 'deadlock') return undefined
  const passes = { passes: 'its calls run one after the other', later: 'one of its calls begins in the midst of another one', timer: laterText(failing.timer), fails: undefined, unknown: undefined }[failing.sequentially]
  return passes && `Every order${failing.areAll && !failing.passesAtOnce ? '' : ' that was tried'} fails${failing.passesAtOnce ? ', but for the plain one, in which nothing takes time' : ''}; the test passes when ${passes}.`
}

/** Names more than these make a list that nobody reads. */
const mostNames = 5

export function alsoTexts({ alsoRacing, alsoWaiting }: Explanation): string[] {
  return [...(alsoWaiting.length > 0 ? [`Also waiting: ${few(alsoWaiting, mostNames)}`] : []), ...(alsoRacing.length > 0 ? [`Other races in this execution: ${few(alsoRacing, mostNames)}`] : [])]
}

/** All of it. */
export interface Said {
  /** The words of the headline that say what sort of failure it is, if it has such. */
  readonly title: string
  readonly counts: string
  /** Whether the platform can come to this order, where that is known. */
  readonly possible: string | undefined
  readonly sequential: string | undefined
  readonly also: readonly string[]
  /** Ways to replay it. */
  readonly replays: readonly string[]
}

export const saidOf = (explanation: Explanation): Said => ({ title: explanation.headline.slice(0, Math.max(endOfTitle(explanation.headline), 0)), counts: capitalised(countsText(explanation)), possible: eventText(explanation), sequential: sequentialText(explanation), also: alsoTexts(explanation), replays: replaysOf(explanation) })

/** Where the words end by which a headline says what sort of failure it is: at a colon that is not within a name, as in `get("lock:report")` or `session:1`. */
export function endOfTitle(headline: string): number {
  const end = /^(?:"(?:[^"\\]|\\.)*(?:"|$)|[^":]|:(?!\s|$))*/.exec(headline)![0].length
  return end < headline.length ? end : -1
}
