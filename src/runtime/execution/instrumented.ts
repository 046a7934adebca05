import { textOfFunction } from '../../engine/intrinsics.ts'

/**
 * Stands in the text of every instrumented function, if need be as a directive, and of the functions that the runtime itself
 * hands out: their own code tells what they do.
 */
const mark = '__dpor'

const known = new WeakMap<object, boolean>()

/** Whether the plugin has rewritten this function, so that what it accesses is seen. */
export function isInstrumented(fn: object): boolean {
  let is = known.get(fn)
  if (is === undefined) known.set(fn, (is = isInstrumentedText(textOfFunction(fn))))
  return is
}

/** The same of a function with this text. */
export function isInstrumentedText(text: string): boolean {
  return text.includes(mark)
}
