import { changes, type Access } from './accesses.ts'
import type { Uncalled } from './dropped.ts'
import { titles } from './kinds.ts'
import type { Labels } from './labels.ts'
import { fewInSentence } from './lists.ts'
import type { SpentCount } from './spent-count.ts'
import type { GivenUp } from './timed-out.ts'
import type { Counted, WaitCause } from './wait-causes.ts'
import { deedElsewhere, deedOf } from './words.ts'

/** What a sentence calls things. */
interface Wording {
  readonly names: readonly string[]
  readonly labels: Labels
  /** The timer by which the wait has ended, if it has. */
  readonly until?: string | undefined
}

/** `a and b increased it 3 times and decreased it twice, and ended` */
function countedText({ changes: counted, ups }: Counted, names: readonly string[]): string {
  const who = fewInSentence([...new Set(counted.map(({ process }) => names[process]!))])
  return `${who} increased it ${times(ups)} and decreased it ${times(counted.length - ups)}, and ended`
}

/** `twice` */
export const times = (count: number): string => ['never', 'once', 'twice'][count] ?? `${count} times`

/** One sentence. */
export function waitCauseText({ kind, looked, changed, holder, counted, givenUp, isHandedOver, isTooLate, uncalled, takenInVain, waiter: { waiting } }: WaitCause, { names, labels, until }: Wording): string {
  const title = titles[kind]
  const waits = until === undefined ? 'waits' : `waited until ${until} fired`
  const [who, other] = callsOf(looked, changed) ?? [names[looked.process] ?? waiting.process, names[changed.process]!]
  const what = labels.full(looked)
  switch (kind) {
    case 'lost-wakeup':
      if (uncalled) return uncalledText(uncalled, { names, labels, until })
      if (isTooLate) return `${title} on ${what}: ${who} ${deedOf(looked, labels)}, then ${other} ${deedOf(changed, labels)} and ${waits}, and nobody has looked there since.`
      if (changes(looked)) return `${title} on ${what}: ${who} ${deedOf(looked, labels)} and ${waits}, then ${other} ${deedOf(changed, labels)} over it, before anybody looked there.`
      return `${title} on ${what}: ${who} ${deedOf(looked, labels)} and ${waits}, then ${other} ${deedOf(changed, labels)}, and nobody looked there again.`
    case 'leaked-permit':
      if (takenInVain) return `${title} on ${labels.holder(looked)}: ${other} took out the entry of one who had given up when ${names[takenInVain.timer]} fired, and nobody has called that of ${who}, which ${waits}.`
      if (counted) return `${title} on ${what}: ${countedText(counted, names)}, and ${who} ${deedOf(looked, labels)} and ${waits}.`
      if (givenUp && isHandedOver) return `${title} on ${what}: ${other} ${deedOf(changed, labels)}, then ${names[givenUp.late.process]} gave that to ${givenUp.name}, ${givenUpText(givenUp, names)}, and ${who} ${deedOf(looked, labels)} and ${waits}.`
      if (givenUp) return `${title} on ${what}: ${other} ${deedOf(changed, labels)} for ${givenUp.name}, ${givenUpText(givenUp, names)}, and ${who} ${deedOf(looked, labels)} and ${waits}.`
      return `${title} on ${what}: ${other} ${deedOf(changed, labels)} and ended without taking that back, and ${who} ${deedOf(looked, labels)} and ${waits}.`
    case 'self-deadlock':
      if (looked.process === changed.process && holder === undefined && looked.call !== undefined && callsOf(looked, changed)) return `${title} on ${what}: ${names[looked.process]} ${deedOf(changed, labels)} itself in ${changed.call === looked.call ? `a call of ${changed.call}` : changed.call}, then ${deedOf(looked, labels)} in ${changed.call === looked.call ? 'another one' : looked.call} and waits for ever.`
      return `${title} on ${what}: ${other} ${deedOf(changed, labels)} ${holder === undefined || holder === changed.process ? 'itself' : `for ${names[holder]}`}, then ${who} ${deedOf(looked, labels)} and waits for ever.`
    default:
      return kind satisfies never
  }
}

const givenUpText = ({ by }: GivenUp, names: readonly string[]): string => ('timer' in by ? `which had given up when ${names[by.timer]} fired` : `whose wait ${names[by.rejecter]} had ended`)

/** One sentence. */
export function spentText({ looked, taken, holders, around }: SpentCount, { names, labels }: Pick<Wording, 'names' | 'labels'>): string {
  const who = fewInSentence(holders.map((holder) => names[holder]!))
  const have = holders.length === 1 ? 'has' : 'have'
  return `${titles['self-deadlock']} on ${labels.full(looked)}: ${who} ${have} taken ${taken.length === 1 ? 'the one that there is' : `all ${taken.length} that there are`}, and ${names[looked.process]}, which comes of ${names[around]}, ${deedOf(looked, labels)} and waits for one more.`
}

/** Two calls within one process, where each step is an event. */
function callsOf({ process, within, call }: Access, other: Access): readonly [string, string] | undefined {
  if (process !== other.process || within === other.within || call === undefined || other.call === undefined) return undefined
  return [call, call === other.call ? `another ${call}` : other.call]
}

/** One sentence. */
export const leftText = (kept: Access, { names, labels }: Pick<Wording, 'names' | 'labels'>): string => `What would settle that was left: ${names[kept.process]!} ${deedElsewhere(kept, labels)}, and nobody has looked there since.`

function uncalledText({ kept, changed, looked }: Uncalled, { names, labels, until }: Wording): string {
  const [who, other] = [names[kept.process]!, names[changed.process]!]
  const title = until === undefined ? `What would settle that was ${looked ? 'left' : 'lost'}` : `${titles['lost-wakeup']} on ${labels.holder(kept)}`
  if (looked) return `${title}: ${who} ${deedElsewhere(looked, labels)} and ${deedElsewhere(kept, labels)}, then ${other} ${deedElsewhere(changed, labels)}, and nobody has called what was left there.`
  return `${title}: ${who} ${deedElsewhere(kept, labels)}, then ${other} ${deedElsewhere(changed, labels)}, and nobody has called what was there.`
}
