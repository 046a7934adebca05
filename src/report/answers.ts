import type { Pair } from './experiment.ts'
import type { InputRecording, Place } from './input.ts'

/** What somebody waited for, and who. */
export interface Answer<P> {
  /** What was asked, or the await. */
  readonly place: P
  readonly process: string
}

/** Which answer has to come late for the test to fail. */
export interface AnswerOrder<P> {
  readonly late: Answer<P>
  readonly early: Answer<P>
}

/** Where each step begins with an answer: those of the two whose order decides. Undefined where one of them begins with something else. */
export function answersOf({ first, second }: Pair, { steps, names }: InputRecording): AnswerOrder<Place> | undefined {
  const [early, late] = [first, second].map(({ step }) => {
    const { place, process } = steps[step]!
    return place && isAsked(place) ? { place, process: names[process]! } : undefined
  })
  return early && late && early.process !== late.process ? { late, early } : undefined
}

/** A timer is no answer. */
const isAsked = ({ text }: Place): boolean => /^await |\)$/.test(text) && !/\bset(?:Timeout|Interval|Immediate)\(/.test(text)
