import { nativeText, Object, Reflect, textOfFunction } from '../../engine/intrinsics.ts'
import { withText } from '../execution/borrowed-texts.ts'
import { globalName, knowsTexts, type Texts } from './emitted.ts'

type Show = (fn: object, text: string) => string

let show: Show = (_fn, text) => (text.includes(globalName) ? (written(text) ?? text) : text)

/** The text of a function as it was written, from the one that is run; undefined where that cannot be said. */
export const written = (text: string): string | undefined => (Reflect.get(globalThis, knowsTexts) as Partial<Texts> | undefined)?.written?.(text)

/** `Function.prototype.toString` */
export const { toString: shownText } = { toString(this: object) { return show(this, textOfFunction(withText(this))) } }

/**
 * From now on `String(f)` is the text that `f` was written with: a snapshot of it, or a page or a thread in which it is to run, knows nothing of this package.
 *
 * @param by says what is shown of a function with this text
 */
export function showWrittenTexts(by = show): void {
  show = by
  if (Object.hasOwn(globalThis, nativeText)) return
  const { prototype } = Function
  Object.defineProperty(globalThis, nativeText, { value: prototype.toString, configurable: true })
  Object.defineProperty(prototype, 'toString', { ...Object.getOwnPropertyDescriptor(prototype, 'toString'), value: shownText })
}
