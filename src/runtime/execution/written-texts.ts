import { isInstrumentedText, isStandIn } from './instrumented.ts'
import { besideSteps } from './running.ts'
import { functionName } from './values.ts'

/** Texts of functions as they were written, by those that are run. */
const known = new Map<string, string>()

/** Texts that are remembered, at most. */
const most = 1000

/**
 * What the program is shown of a function with this text.
 *
 * @param find says how it was written; undefined where that cannot be said, and it is shown as it is run
 */
export function shownOf(fn: object, text: string, find: (text: string) => string | undefined): string {
  if (isStandIn(fn)) return `function ${functionName(fn)}() { [native code] }`
  if (!isInstrumentedText(text)) return text
  let written = known.get(text)
  if (written === undefined) {
    written = besideSteps(() => find(text)) ?? text
    if (known.size >= most) known.clear()
    known.set(text, written)
  }
  return written
}

/** A script with the texts that are run in the place of those that the program was shown. */
export function withTextsAsRun(script: string): string {
  let made = script
  for (const [text, written] of known) made = made.split(written).join(text)
  return made
}
