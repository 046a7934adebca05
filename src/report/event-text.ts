import type { Explanation, ShownPlace } from './explanation.ts'
import { shortExpression } from './expression.ts'
import { fewInSentence } from './lists.ts'

/** When the platform comes to the failing order, if it does, as a sentence; undefined where that is not known. */
export function eventText({ answers, byEvents, takesTime, rows }: Pick<Explanation, 'answers' | 'byEvents' | 'takesTime' | 'rows'>): string | undefined {
  if (answers) return answersText(answers)
  // Where there is nothing else to tell the headline says it.
  if (takesTime) return rows.length === 0 ? undefined : `The plain order passes, in which nothing of this takes time: ${fewInSentence(takesTime)}.`
  if (byEvents === undefined) return undefined
  if (byEvents === 'none') return 'Needs a switch within one turn of the event loop, or an answer that is heard by `then`: it is not enough that what is awaited takes time.'
  return `Possible whenever ${byEvents.slow.length === 1 ? 'this takes' : 'these take'} time: ${listedPlaces(byEvents.slow)}.`
}

function answersText({ late, early }: NonNullable<Explanation['answers']>): string {
  const [asked, other] = [late, early].map(({ place: { text } }) => shortExpression(text.replace(/^await /, '')))
  return `Happens when ${asked} at ${late.place.shown} answers ${late.process} after ${asked === other ? '' : `${other} at ${early.place.shown} answers `}${early.process}.`
}

const listedPlaces = (places: readonly ShownPlace[]): string => fewInSentence(places.map(({ text, shown }) => `${shortExpression(text)} at ${shown}`))
