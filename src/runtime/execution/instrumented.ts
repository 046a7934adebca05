import { KeptWeakSet, textOfFunction } from '../../engine/intrinsics.ts'
import { tie, tiedTo } from './tie.ts'

/**
 * Stands in the text of every instrumented function, if need be as a directive, and of the functions that the runtime itself
 * hands out: their own code tells what they do.
 */
const mark = '__dpor'

const instrumented = Symbol('instrumented')
const standIn = Symbol('stands for one of the platform')

const others = new KeptWeakSet()

/** Whether the plugin has rewritten this function, so that what it accesses is seen. */
export function isInstrumented(fn: object): boolean {
  if (isKnownInstrumented(fn)) return true
  if (others.has(fn)) return false
  if (isInstrumentedText(textOfFunction(fn), fn)) return true
  others.add(fn)
  return false
}

/** The same of what somebody has asked about before, or of what is certainly so. */
export function isKnownInstrumented(fn: object): boolean {
  return tiedTo(fn) === instrumented
}

/** Whether a function with this text is instrumented, which is remembered of the function if it is given. */
export function isInstrumentedText(text: string, fn?: object): boolean {
  const is = text.includes(mark)
  if (is && fn && tiedTo(fn) === undefined) tie(fn, instrumented)
  return is
}

/** The function is of code that stays as it is, and all that it does which matters is told by what stands in the place of others. */
export function isTold(fn: object): void {
  tie(fn, instrumented)
}

/** Whether it is the runtime's own and stands in the place of one of the platform's. */
export function isStandIn(fn: object): boolean {
  return tiedTo(fn) === standIn
}

/** The function is the runtime's own and stands in the place of one of the platform's. */
export function standsInPlace(fn: object): void {
  tie(fn, standIn)
}
