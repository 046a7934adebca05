import { pageType, type Attach } from '../testing/failure-page.ts'
import type { Finding } from '../testing/finding.ts'
import { nameOf } from '../testing/race.ts'
import type { Annotate } from './passes/runner-test.ts'

/** The type of annotations that this package makes: reports for machines show it with the text. */
export const annotationType = 'dpor'

/** What reports for machines are to show of an ordinary test that passes; undefined: nothing. */
export function annotationOf({ found, race, reason }: Finding): string | undefined {
  switch (found) {
    case 'race':
    case 'known':
      return `${found === 'known' ? 'known race' : 'race'}${race ? `: ${nameOf(race)}` : ''}`
    case 'inconclusive':
      return `inconclusive${reason === undefined ? '' : `: ${reason}`}`
    default:
      return undefined
  }
}

/** Attaches pages. */
export const attachedBy = (annotate: Annotate): Attach => (message, attachment) => annotate(message, pageType, attachment)
