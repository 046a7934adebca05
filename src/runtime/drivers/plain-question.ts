import type { Question } from './question.ts'

/** A question about which there is nothing to tell: what is asked settles a promise. */
export function plainQuestion(name: string, ask: () => Promise<unknown>): Question {
  return {
    name,
    tell() {},
    send(answered) {
      ask().then((value) => answered({ value }), (error: unknown) => answered({ error }))
    },
  }
}
