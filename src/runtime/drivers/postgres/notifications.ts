import { forgetListening, rememberListening, type Listening } from '../messages.ts'

/** Which text has the server send notifications to whom it is asked by. */
const listens = /(?:^|;)\s*listen\s+([^;\s]+)/i

/** Which text has it send them no more. */
const stops = /(?:^|;)\s*(?:unlisten\s+([^;\s]+)|discard\s+all)/i

export const listensTo = (text: string): boolean => listens.test(text)

export const stopsListening = (text: string): boolean => stops.test(text)

/** Somebody asks this outside of executions. */
export function noteListening(text: string, listeningOf: () => Listening): void {
  const begins = listens.exec(text)?.[1]
  if (begins !== undefined) return rememberListening(listeningOf(), [begins])
  const ends = stops.exec(text)
  if (ends) forgetListening(listeningOf().object, ends[1] === undefined || ends[1] === '*' ? [] : [ends[1]])
}

export const unheard = 'the body listens for notifications (LISTEN), and when they come is not explored: with the package pg, let a client that somebody has ask for them (new pg.Client, pool.connect); with others, let it be asked before the test'
