import { returningText } from './coroutines.ts'
import { outcomeText } from './outcome.ts'

/** Milliseconds after which a plain run counts as one that never ends. */
const patience = 200

/** Runs the body once as Node does, with real time. An unhandled rejection is the process's own affair. */
export function runPlainly(source: string, scope: () => Readonly<Record<string, unknown>> = () => ({})): Promise<string> {
  const values = scope()
  const code = returningText(`(async function body() {${source}\n})`)
  const body = new Function(...Object.keys(values), `'use strict'; return ${code}`)(...Object.values(values)) as () => Promise<unknown>
  return new Promise((resolve) => {
    setTimeout(() => resolve(outcomeText({ kind: 'deadlock' })), patience).unref()
    body().then(
      (text) => resolve(outcomeText({ kind: 'returned', text })),
      (error: unknown) => resolve(outcomeText({ kind: 'error', error })),
    )
  })
}
