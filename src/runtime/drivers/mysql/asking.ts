import type { SiteId } from '../../../engine/ids.ts'
import type { Fn } from '../../accesses/handler.ts'
import { invoke } from '../../accesses/invoke.ts'
import { inContext } from '../../execution/contexts.ts'
import type { Execution } from '../../execution/execution.ts'
import { askForPromise, askWithCallback, type OpenLine } from '../asked.ts'
import { plainQuestion } from '../plain-question.ts'
import type { Answer, Question } from '../question.ts'

/** Asks in the running step. With a callback the value of the answer is a list of what that is told; without one the promise of the value is returned. */
export function ask(execution: Execution, line: OpenLine, question: Question, { callback, site }: { readonly callback: unknown; readonly site: SiteId }): unknown {
  if (callback === undefined) return askForPromise(execution, line, question, site)
  const hear = inContext((answer: Answer) => {
    invoke(execution, callback as Fn, undefined, 'error' in answer ? [answer.error] : [null, ...(answer.value as readonly unknown[])], site)
  })
  askWithCallback(execution, line, question, { site, hear })
  return undefined
}

/** A question about which there is nothing to tell: what is answered is new. */
export function simply(name: string, run: () => Promise<unknown>): Question {
  return {
    ...plainQuestion(name, run),
    end(execution, answer) {
      const told = 'error' in answer ? answer.error : answer.value
      if (typeof told === 'object' && told !== null) execution.identities.made(told)
      return answer
    },
  }
}
